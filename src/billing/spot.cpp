// What a spot session is, as far as rules say it.
#include "billing/spot.hpp"

#include <algorithm>

namespace gpuplan::billing {
namespace {

class Listed : public Lives {
 public:
  explicit Listed(const std::vector<std::int64_t>& seconds) : seconds_(seconds) {}
  std::optional<Duration> next(Duration) override {
    if (at_ == seconds_.size()) return std::nullopt;
    return seconds_of(seconds_[at_++]);
  }

 private:
  const std::vector<std::int64_t>& seconds_;
  std::size_t at_ = 0;
};

class Endless : public Lives {
 public:
  std::optional<Duration> next(Duration) override { return std::nullopt; }
};

bool law_stated(const Setup& setup) {
  const SpotRules& spot = setup.rules->spot;
  return setup.job->reclaim_mean || spot.availability_file || spot.availability_share ||
         spot.lifetime || spot.mean_hours_between_reclaims || spot.interruption_percent_hour ||
         spot.interruption_percent_month || spot.zone_mean_hours_between_reclaims;
}

// Checkpoints lie somewhere that is still there when the machine is not.
bool checkpoints_live(const Setup& setup, bool disk_kept) {
  if (setup.job->checkpoint->to == CheckpointTo::object) return true;
  return disk_kept || !setup.home_ends;
}

Survives survives(const Setup& setup, bool disk_kept) {
  const SpotModel& model = setup.job->spot_model;
  const auto& plan = setup.job->checkpoint;
  if (model.survives == "nothing") return Survives::nothing;
  if (model.survives == "everything") return Survives::everything;
  if (model.survives == "checkpoint") return plan ? Survives::checkpoint : Survives::nothing;
  if (!plan || !plan->resume) return Survives::nothing;
  if (plan->every.count() == 0) return Survives::everything;
  if (!checkpoints_live(setup, disk_kept)) return Survives::nothing;
  const Duration notice = seconds_of(setup.rules->spot.notice_s.value_or(0));
  const bool in_time = notice.count() > 0 && notice >= setup.checkpoint_write;
  return in_time ? Survives::everything : Survives::checkpoint;
}

}  // namespace

void resolve_spot(Setup& setup) {
  const SpotRules& rules = setup.rules->spot;
  const SpotModel& model = setup.job->spot_model;
  SpotTerms& terms = setup.spot_terms;
  terms.disk_kept = rules.disk_kept.value_or(false);
  terms.address_kept = rules.effect.value_or("terminate") != "terminate";
  terms.survives = survives(setup, terms.disk_kept);
  terms.restart_delay = seconds_of(rules.restart_delay_s.value_or(0));
  terms.protect = seconds_of(rules.protect_s.value_or(0));
  terms.free_within = seconds_of(rules.free_if_reclaimed_within_s.value_or(0));
  if (rules.max_run_s) terms.max_run = seconds_of(*rules.max_run_s);
  terms.free_last_quantum = rules.free_last_quantum.value_or(false);
  terms.strikes_restore = model.strikes_restore;
  terms.first_restores = model.first_start_restores;
  terms.checkpoint_after_last = model.checkpoint_after_last;
}

std::unique_ptr<Lives> stated_lives(const Setup& setup, Notes& notes) {
  const SpotRules& rules = setup.rules->spot;
  if (!setup.job->reclaim_mean && rules.reclaim_after_s)
    return std::make_unique<Listed>(*rules.reclaim_after_s);
  if (law_stated(setup))
    notes.warn("spot_reclaims_left_out",
               "this is the bill of a run that is never reclaimed: how often that happens is a "
               "matter of chance",
               "spot");
  else if (!rules.max_run_s)
    notes.warn("spot_reclaims_unknown",
               "nothing is stated about how often a spot machine is taken back: billed as if it "
               "never were",
               "spot");
  return std::make_unique<Endless>();
}

}  // namespace gpuplan::billing
