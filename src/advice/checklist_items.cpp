// Which items a checklist has, in the order in which things are done.
#include <array>

#include "advice/checklist_parts.hpp"

namespace gpuplan::detail {
namespace {

struct Rule {
  ChecklistTime when;
  ChecklistMaybe (*make)(const ChecklistFacts&);
};
constexpr std::array kRules{Rule{ChecklistTime::before, price_date_item},
                            Rule{ChecklistTime::before, ask_early_item},
                            Rule{ChecklistTime::before, credit_item},
                            Rule{ChecklistTime::before, privacy_item},
                            Rule{ChecklistTime::before, upload_item},
                            Rule{ChecklistTime::before, environment_item},
                            Rule{ChecklistTime::before, whole_card_item},
                            Rule{ChecklistTime::before, checkpoints_item},
                            Rule{ChecklistTime::before, spot_notice_item},
                            Rule{ChecklistTime::before, session_limit_item},
                            Rule{ChecklistTime::before, automatic_stop_item},
                            Rule{ChecklistTime::during, utilisation_item},
                            Rule{ChecklistTime::during, log_peak_item},
                            Rule{ChecklistTime::during, first_hour_item},
                            Rule{ChecklistTime::stop, results_item},
                            Rule{ChecklistTime::stop, stop_meaning_item},
                            Rule{ChecklistTime::stop, shutdown_inside_item},
                            Rule{ChecklistTime::stop, stopped_too_long_item},
                            Rule{ChecklistTime::stop, disks_item},
                            Rule{ChecklistTime::stop, object_copy_item},
                            Rule{ChecklistTime::stop, images_item},
                            Rule{ChecklistTime::stop, address_item},
                            Rule{ChecklistTime::stop, give_back_item},
                            Rule{ChecklistTime::after, nothing_runs_item},
                            Rule{ChecklistTime::after, compare_bill_item},
                            Rule{ChecklistTime::after, renewal_item},
                            Rule{ChecklistTime::after, claim_item}};

}  // namespace

std::vector<ChecklistItem> checklist_items(const ChecklistFacts& facts) {
  std::vector<ChecklistItem> items;
  for (const Rule& rule : kRules) {
    auto item = rule.make(facts);
    if (!item) continue;
    item->when = rule.when;
    items.push_back(std::move(*item));
  }
  return items;
}

}  // namespace gpuplan::detail
