#pragma once

#include <chrono>
#include <optional>

#include "advice/checklist.hpp"

namespace gpuplan::detail {

using ChecklistMaybe = std::optional<ChecklistItem>;

// One function for each item: it looks at the rules and the job and says what to do, or nothing
// when it does not concern them. The first group is for before the start and while it runs, the
// second for the end and the day after.
ChecklistMaybe environment_item(const ChecklistFacts& facts);
ChecklistMaybe whole_card_item(const ChecklistFacts& facts);
ChecklistMaybe upload_item(const ChecklistFacts& facts);
ChecklistMaybe automatic_stop_item(const ChecklistFacts& facts);
ChecklistMaybe checkpoints_item(const ChecklistFacts& facts);
ChecklistMaybe spot_notice_item(const ChecklistFacts& facts);
ChecklistMaybe session_limit_item(const ChecklistFacts& facts);
ChecklistMaybe credit_item(const ChecklistFacts& facts);
ChecklistMaybe price_date_item(const ChecklistFacts& facts);
ChecklistMaybe ask_early_item(const ChecklistFacts& facts);
ChecklistMaybe privacy_item(const ChecklistFacts& facts);
ChecklistMaybe utilisation_item(const ChecklistFacts& facts);
ChecklistMaybe log_peak_item(const ChecklistFacts& facts);
ChecklistMaybe first_hour_item(const ChecklistFacts& facts);

ChecklistMaybe results_item(const ChecklistFacts& facts);
ChecklistMaybe stop_meaning_item(const ChecklistFacts& facts);
ChecklistMaybe shutdown_inside_item(const ChecklistFacts& facts);
ChecklistMaybe disks_item(const ChecklistFacts& facts);
ChecklistMaybe object_copy_item(const ChecklistFacts& facts);
ChecklistMaybe images_item(const ChecklistFacts& facts);
ChecklistMaybe address_item(const ChecklistFacts& facts);
ChecklistMaybe stopped_too_long_item(const ChecklistFacts& facts);
ChecklistMaybe give_back_item(const ChecklistFacts& facts);
ChecklistMaybe nothing_runs_item(const ChecklistFacts& facts);
ChecklistMaybe compare_bill_item(const ChecklistFacts& facts);
ChecklistMaybe renewal_item(const ChecklistFacts& facts);
ChecklistMaybe claim_item(const ChecklistFacts& facts);

}  // namespace gpuplan::detail
