// What to do before the machine is stopped and the day after.
#include <algorithm>

#include "advice/checklist_parts.hpp"

namespace gpuplan::detail {
namespace {

using std::chrono::hours;
using Variant = ChecklistFacts::Variant;

// A day, a week that a machine is left stopped, a month in which nobody looks.
constexpr hours kDay{24}, kWeek{168}, kMonth{720};

bool priced(const Rules& rules, StorageKind kind) {
  const auto rule = rules.storage.find(kind);
  return rule != rules.storage.end() && (rule->second.price || !rule->second.tiers.empty());
}

// A month of something that is forgotten, beside what the job keeps on purpose.
template <class Change>
std::optional<Money> month_of(const ChecklistFacts& f, Change change) {
  const auto nothing = f.bill([](Variant& v) { v.job.keep = {}; });
  const auto kept = f.bill([&](Variant& v) {
    v.job.keep = {};
    v.job.keep.days = kMonth;
    v.job.keep.disk = false;
    change(v.job.keep);
  });
  if (!nothing || !kept) return std::nullopt;
  return kept->total - nothing->total;
}

}  // namespace

// ---- before stopping ----

ChecklistMaybe results_item(const ChecklistFacts& f) {
  return ChecklistItem{.code = "save_results",
                       .what = "copy the results home and compare their number and size",
                       .why = "what lies on the machine's own disk is gone with the machine",
                       .costs_if_forgotten = f.extra_run(f.list().run),
                       .costs_what = "all the work again"};
}

ChecklistMaybe stop_meaning_item(const ChecklistFacts& f) {
  const auto& stated = f.rules().stop.stop;
  const State state = stated.value_or(State::held);
  const auto week_stopped = [&] {
    return f.extra([](Variant& v) {
      v.job.end = Verb::stop;
      v.job.keep.days += kWeek;
      v.job.keep.disk = true;
    });
  };
  ChecklistItem item{.code = "end_verb", .what = "terminate the machine; do not only stop it"};
  item.costs_what = "a week stopped instead of terminated";
  // A spot machine of such a platform knows no stop: it runs on, or is gone.
  if (f.list().request.plan == "spot" && !f.rules().spot.can_stop.value_or(false)) {
    item.what = "terminate the machine: a spot machine cannot be stopped here";
    item.why = "asked to stop it runs on and is billed";
    item.costs_what = "a week that it runs on";
    item.costs_if_forgotten = f.extra_idle(kWeek);
    return item;
  }
  switch (state) {
    case State::held:
      item.why = stated ? "\"stop\" keeps the card, and its price, here"
                        : "what \"stop\" means is not stated here: it may keep the card and its "
                          "price";
      item.costs_if_forgotten = week_stopped();
      return item;
    case State::released:
    case State::hibernated:
      item.why = "\"stop\" frees the card here, but disks, images and addresses go on costing";
      item.costs_if_forgotten = week_stopped();
      return item;
    case State::not_offered:
      item.why = "there is no \"stop\" here: the machine is paid until it is terminated";
      item.costs_if_forgotten = f.extra_idle(kWeek);
      item.costs_what = "a week that it runs on";
      return item;
    default:
      item.what = "save everything before you stop the machine";
      item.why = "\"stop\" deletes the machine and its disk here";
      item.costs_if_forgotten = f.extra_run(f.list().run);
      item.costs_what = "all the work again";
      return item;
  }
}

ChecklistMaybe shutdown_inside_item(const ChecklistFacts& f) {
  const auto& stated = f.rules().stop.guest_shutdown;
  const State state = stated.value_or(State::running);
  if (state != State::running && state != State::held) return std::nullopt;
  return ChecklistItem{.code = "shutdown_inside",
                       .what = "do not rely on a shutdown from inside: end it on the platform's side",
                       .why = stated ? "a shutdown from inside does not end the bill here"
                                     : "that a shutdown from inside ends the bill is not stated here",
                       .costs_if_forgotten = f.extra_idle(kDay),
                       .costs_what = "a day that it is billed on"};
}

ChecklistMaybe disks_item(const ChecklistFacts& f) {
  if (!f.job().data.disk) return std::nullopt;
  const Duration wanted = f.job().keep.days;
  for (const StorageKind kind : {StorageKind::data, StorageKind::volume}) {
    if (!priced(f.rules(), kind)) continue;
    if (f.rules().storage.at(kind).with_instance.value_or(false)) continue;
    return ChecklistItem{.code = "delete_disk",
                         .what = "delete the disk of " + show_bytes(*f.job().data.disk) +
                                 (wanted.count() > 0 ? " once the " + show_duration(wanted) + " are over" : ""),
                         .why = "it outlives the machine and goes on costing",
                         .costs_if_forgotten = month_of(f, [](Keep& keep) { keep.disk = true; }),
                         .costs_what = "a month of it"};
  }
  return std::nullopt;
}

ChecklistMaybe object_copy_item(const ChecklistFacts& f) {
  const DataPlan& data = f.job().data;
  if (data.stage != Stage::object || data.upload.count() == 0 || f.job().keep.object)
    return std::nullopt;
  return ChecklistItem{.code = "delete_object_copy",
                       .what = "delete the copy in object storage",
                       .why = "the " + show_bytes(data.upload) + " that went through it stay there",
                       .costs_if_forgotten = month_of(f, [&](Keep& keep) { keep.object = data.upload; }),
                       .costs_what = "a month of it"};
}

ChecklistMaybe images_item(const ChecklistFacts& f) {
  if (!priced(f.rules(), StorageKind::image)) return std::nullopt;
  const Bytes size = f.job().data.system_disk.value_or(Bytes::gb(50));
  return ChecklistItem{.code = "delete_images",
                       .what = "delete images and old versions that nobody needs",
                       .why = "a stored image is paid by size and month",
                       .costs_if_forgotten = month_of(f, [&](Keep& keep) { keep.images.push_back(size); }),
                       .costs_what = "a month of one of " + show_bytes(size)};
}

ChecklistMaybe address_item(const ChecklistFacts& f) {
  const NetworkRules& n = f.rules().network;
  if (!n.ip_per_hour && !n.ip_per_month) return std::nullopt;
  return ChecklistItem{.code = "release_address",
                       .what = "release the public address",
                       .why = "it is paid for as long as it is reserved",
                       .costs_if_forgotten = month_of(f, [](Keep& keep) { keep.ip = true; }),
                       .costs_what = "a month of it"};
}

ChecklistMaybe stopped_too_long_item(const ChecklistFacts& f) {
  const auto& after = f.rules().stop.release_after;
  if (!after) return std::nullopt;
  return ChecklistItem{.code = "deleted_when_stopped",
                       .what = "fetch what you need within " + show_duration(*after) +
                               " of stopping the machine",
                       .why = "a machine that is stopped longer is deleted here with its disk",
                       .costs_if_forgotten = f.extra_run(f.list().run),
                       .costs_what = "all the work again"};
}

ChecklistMaybe give_back_item(const ChecklistFacts& f) {
  if (!f.term()) return std::nullopt;
  const auto refund = f.rules().terms.refund;
  if (!refund || refund->kind == Refund::Kind::none)
    return ChecklistItem{.code = "use_the_term",
                         .what = "use what is left of the term, for instance for the next job",
                         .why = refund ? "nothing comes back for the rest of a term here"
                                       : "that anything comes back for the rest of a term is not "
                                         "stated"};
  const auto early = f.bill([](Variant& v) { v.job.return_early = true; });
  std::optional<Money> back;
  if (early && early->total <= f.list().bill.total) back = f.list().bill.total - early->total;
  return ChecklistItem{.code = "return_term",
                       .what = "give the running term back",
                       .why = "a part of its price comes back here",
                       .costs_if_forgotten = back,
                       .costs_what = "what would come back"};
}

// ---- the day after ----

ChecklistMaybe nothing_runs_item(const ChecklistFacts& f) {
  const bool keeps = f.job().keep.days.count() > 0;
  return ChecklistItem{.code = "nothing_runs",
                       .what = std::string("look on the platform's page: no machine, disk, image, address or "
                                           "copy is left") +
                               (keeps ? ", but for what you keep" : ""),
                       .why = "what is left over is paid until somebody sees it",
                       .costs_if_forgotten = f.extra_idle(kDay),
                       .costs_what = "a day of the machine"};
}

ChecklistMaybe compare_bill_item(const ChecklistFacts& f) {
  const auto& itemised = f.rules().service.itemised_bill;
  return ChecklistItem{
      .code = "compare_bill",
      .what = "compare the bill with the plan: " + f.money(f.list().bill.total) +
              (f.list().bill.complete ? "" : " at least, since a price is not stated") +
              "; gpuplan simulate prints it line by line",
      .why = !itemised   ? "whether the bill is itemised is not stated"
             : *itemised ? "the bill here is itemised"
                         : "the bill here is not itemised: keep your own notes of times"};
}

ChecklistMaybe renewal_item(const ChecklistFacts& f) {
  if (!f.term() || f.list().bill.blocks.empty()) return std::nullopt;
  if (f.rules().terms.at_end.value_or(AtEnd::renew) != AtEnd::renew) return std::nullopt;
  const Block& last = f.list().bill.blocks.back();
  return ChecklistItem{.code = "cancel_renewal",
                       .what = "cancel the renewal of the term (" + last.term + ")",
                       .why = f.rules().terms.at_end ? "it renews itself here"
                                                     : "what happens at its end is not stated: most "
                                                       "terms renew themselves",
                       .costs_if_forgotten = last.price,
                       .costs_what = "one more term"};
}

ChecklistMaybe claim_item(const ChecklistFacts& f) {
  const AccountRules& account = f.platform().account;
  if (!account.sla_uptime_percent) return std::nullopt;
  return ChecklistItem{.code = "claim_credit",
                       .what = "claim what the platform owes when its machine was down",
                       .why = "it promises " + account.sla_uptime_percent->to_string() +
                              " % of the time; nobody pays without being asked",
                       .costs_if_forgotten = f.list().bill.expected.credit_if_missed,
                       .costs_what = "the credit, if the promise was broken"};
}

}  // namespace gpuplan::detail
