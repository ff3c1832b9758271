#include "gpuplan/team.hpp"

#include <algorithm>
#include <map>

#include "core/exact_time.hpp"
#include "core/text.hpp"
#include "rank/shares.hpp"
#include "rank/steps.hpp"

namespace gpuplan {
namespace {

// One way to do some jobs of a member: what it costs and how much card time it takes.
struct Way {
  Money cost;
  Duration time{0};
  std::vector<std::size_t> taken;  // for each job an index into its rows
};

// Beyond so many ways the cheapest are kept: the plan may then cost a little more than the least.
constexpr std::size_t kMostWays = 20'000;

bool cheaper(const Way& a, const Way& b) {
  if (a.cost != b.cost) return a.cost < b.cost;
  if (a.time != b.time) return a.time < b.time;
  return a.taken < b.taken;
}

// Only ways of which no other is both as cheap and as short.
void keep_best(std::vector<Way>& ways) {
  std::ranges::sort(ways, cheaper);
  std::optional<Duration> shortest;
  std::erase_if(ways, [&](const Way& way) {
    if (shortest && way.time >= *shortest) return true;
    shortest = way.time;
    return false;
  });
  if (ways.size() <= kMostWays) return;
  ways[kMostWays - 1] = ways.back();  // the shortest: with it every job finds a place that can
  ways.resize(kMostWays);
}

class Planner {
 public:
  Planner(std::span<const JobModel> jobs, const Catalog& catalog, const Tables& tables,
          const RankOptions& options, const TeamLimits& limits)
      : jobs_(jobs), tables_(tables), options_(options), limits_(limits) {
    plan_.catalog = &catalog;
    plan_.currency = options.currency.empty() ? catalog.currency : options.currency;
    options_.flips = false;
    options_.sort = SortKey::cost;
    options_.rows = 0;
  }

  Result<TeamPlan> run() {
    if (Diagnostics strangers = detail::strangers_in(limits_, jobs_); !strangers.empty()) return strangers;
    for (const JobModel& job : jobs_) {
      auto ranking = rank_offers(job.job, job.model, *plan_.catalog, tables_, options_);
      if (!ranking) return ranking.errors();
      plan_.jobs.push_back({.ranking = std::move(*ranking)});
    }
    for (const std::string& member : members()) pick_for(member);
    add_up();
    return std::move(plan_);
  }

 private:
  std::vector<std::string> members() const {
    std::vector<std::string> names;
    for (const JobModel& job : jobs_)
      if (std::ranges::find(names, job.job.member) == names.end()) names.push_back(job.job.member);
    return names;
  }

  static Duration card_time(const RankedOffer& row) { return row.bill.billed * row.offer->gpus; }

  std::optional<Duration> quota_of(const std::string& member) const {
    const auto found = limits_.member_quotas.find(member);
    if (found == limits_.member_quotas.end()) return std::nullopt;
    return found->second;
  }

  // All ways to do the member's jobs that may be the best one, job by job, then the cheapest within the
  // quota. A job with which no way is within it is left out, and moves no other.
  void pick_for(const std::string& member) {
    const auto quota = quota_of(member);
    std::vector<std::size_t> own;
    std::vector<Way> ways{Way{}};
    for (std::size_t job = 0; job < jobs_.size(); ++job) {
      if (jobs_[job].job.member != member) continue;
      if (!plan_.jobs[job].ranking.primary) {
        plan_.complete = false;
        continue;
      }
      std::vector<Way> longer;
      for (const Way& row : rows_of(plan_.jobs[job].ranking))
        for (const Way& way : ways) longer.push_back(joined(way, row));
      const Duration least = std::ranges::min(longer, {}, &Way::time).time;
      if (quota) std::erase_if(longer, [&](const Way& way) { return way.time > *quota; });
      if (longer.empty()) {
        leave_out(job, least, *quota);
        continue;
      }
      keep_best(longer);
      ways = std::move(longer);
      own.push_back(job);
    }
    for (std::size_t i = 0; i < own.size(); ++i) {
      TeamJob& job = plan_.jobs[own[i]];
      job.taken = ways.front().taken[i];
      job.card_time = card_time(job.ranking.ranked[*job.taken]);
    }
  }

  // `least`: what it takes together with the member's jobs before it.
  void leave_out(std::size_t job, Duration least, Duration quota) {
    const std::string& member = jobs_[job].job.member;
    plan_.complete = false;
    plan_.jobs[job].reasons.push_back(
        {"quota", "with the jobs of " + quote(member) + " before it, it takes at least " + exact_hours(least, 2) +
                      " card hours, the quota is " + exact_hours(quota, 2)});
    Duration& needed = needed_[member];
    needed = needed.count() == 0 ? least : std::min(needed, least);
  }

  static std::vector<Way> rows_of(const Ranking& ranking) {
    std::vector<Way> rows;
    for (std::size_t i = 0; i < ranking.ranked.size(); ++i) {
      const RankedOffer& row = ranking.ranked[i];
      if (detail::may_be_primary(row)) rows.push_back({row.bill.total, card_time(row), {i}});
    }
    keep_best(rows);
    return rows;
  }

  static Way joined(const Way& way, const Way& row) {
    Way both{way.cost + row.cost, way.time + row.time, way.taken};
    both.taken.push_back(row.taken.front());
    return both;
  }

  void add_up() {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const Job& job = jobs_[i].job;
      BillShare& project = detail::share_of(plan_.by_project, job.project);
      BillShare& member = detail::share_of(plan_.by_member, job.member);
      const TeamJob& done = plan_.jobs[i];
      for (const Gate& gate : done.ranking.gates) {
        plan_.gates.push_back(gate);
        plan_.gates.back().of = "job " + (job.name.empty() ? std::to_string(i + 1) : job.name);
      }
      if (!done.taken) continue;
      const Bill& bill = done.ranking.ranked[*done.taken].bill;
      plan_.total += bill.total;
      detail::add_bill(bill, done.card_time, project);
      detail::add_bill(bill, done.card_time, member);
    }
    set_limits();
  }

  void set_limits() {
    const auto limit = [](const auto& limits, const std::string& name, auto& to) {
      if (const auto found = limits.find(name); found != limits.end()) to = found->second;
    };
    for (BillShare& share : plan_.by_project) {
      limit(limits_.project_budgets, share.name, share.budget);
      detail::share_gates(share, "project", plan_.gates);
    }
    for (BillShare& share : plan_.by_member) {
      limit(limits_.member_budgets, share.name, share.budget);
      limit(limits_.member_quotas, share.name, share.quota);
      BillShare judged = share;  // the gate is held to what the jobs that were left out would take
      if (const auto needed = needed_.find(share.name); needed != needed_.end()) judged.card_time = needed->second;
      detail::share_gates(judged, "member", plan_.gates);
    }
  }

  std::span<const JobModel> jobs_;
  Tables tables_;
  RankOptions options_;
  const TeamLimits& limits_;
  TeamPlan plan_;
  std::map<std::string, Duration> needed_;  // least card time with a job that was left out, by member
};

}  // namespace

Result<TeamPlan> plan_team(std::span<const JobModel> jobs, const Catalog& catalog,
                           const Tables& tables, const RankOptions& options,
                           const TeamLimits& limits) {
  return Planner(jobs, catalog, tables, options, limits).run();
}

}  // namespace gpuplan
