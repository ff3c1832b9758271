// Several jobs of a team: who runs what where.
#include "gpuplan/team.hpp"

#include "rank_world.hpp"

namespace gpuplan::test {
namespace {

using std::chrono::hours;

struct Team {
  Market market;
  std::vector<JobModel> jobs;
  TeamLimits limits;

  JobModel& job(const std::string& name, const std::string& member, std::int64_t run_hours) {
    JobModel& added = jobs.emplace_back();
    added.job.name = name;
    added.job.member = member;
    added.job.project = "vision";
    added.job.workload.mode = Mode::qlora;
    added.job.work.run_hours = hours{run_hours};
    added.model = *known_models().find("7b");
    return added;
  }
  TeamPlan plan() const {
    const Tables tables{.cards = &known_cards(), .models = &known_models()};
    auto made = plan_team(jobs, market.catalog, tables, market.options, limits);
    REQUIRE(made);
    return *std::move(made);
  }
};

const Offer& taken(const TeamPlan& plan, std::size_t job) {
  REQUIRE(plan.jobs[job].taken);
  return *plan.jobs[job].ranking.ranked[*plan.jobs[job].taken].offer;
}

// One machine with one card and one with four, which here needs as long: 4 times the card hours.
Team one_or_four_cards() {
  Team team;
  team.market.platform("acme");
  team.market.offer("one", "RTX 4090", "1");
  team.market.offer("four", "RTX 4090", "0.9").gpus = 4;
  return team;
}

}  // namespace

TEST_CASE("without limits every job takes its cheapest offer", "[team]") {
  Team team = one_or_four_cards();
  team.job("a", "ann", 10);
  team.job("b", "bob", 20);
  const TeamPlan plan = team.plan();
  CHECK(taken(plan, 0).id == "four");
  CHECK(taken(plan, 1).id == "four");
  CHECK(to_string(plan.total) == "27");
  CHECK(plan.complete);
  REQUIRE(plan.by_member.size() == 2);
  CHECK(to_string(plan.by_member[1].total) == "18");
  CHECK(plan.by_member[1].card_time == Duration{hours{80}});
  REQUIRE(plan.by_project.size() == 1);
  CHECK(plan.by_project[0].jobs == 2);
}

TEST_CASE("a quota of card hours moves the job that pays least for it", "[team]") {
  Team team = one_or_four_cards();
  team.job("short", "ann", 10);
  team.job("long", "ann", 20);
  team.limits.member_quotas["ann"] = hours{90};
  const TeamPlan plan = team.plan();
  // 40 + 80 card hours are too many. The short one on one card: 10 + 80 for 1 more dollar; the long
  // one there: 40 + 20 for 2 more.
  CHECK(taken(plan, 0).id == "one");
  CHECK(taken(plan, 1).id == "four");
  CHECK(to_string(plan.total) == "28");
  REQUIRE(plan.gates.size() == 1);
  CHECK(plan.gates[0].passed);
}

TEST_CASE("the other member's quota is no concern of mine", "[team]") {
  Team team = one_or_four_cards();
  team.job("a", "ann", 10);
  team.job("b", "bob", 10);
  team.limits.member_quotas["ann"] = hours{10};
  const TeamPlan plan = team.plan();
  CHECK(taken(plan, 0).id == "one");
  CHECK(taken(plan, 1).id == "four");
}

TEST_CASE("a job that no quota has room for is told so", "[team]") {
  Team team = one_or_four_cards();
  team.job("a", "ann", 10);
  team.limits.member_quotas["ann"] = hours{9};
  team.limits.project_budgets["vision"] = usd("9.99");
  const TeamPlan plan = team.plan();
  CHECK_FALSE(plan.complete);
  CHECK_FALSE(plan.jobs[0].taken);
  REQUIRE(plan.jobs[0].reasons.size() == 1);
  CHECK(plan.jobs[0].reasons[0].code == "quota");
  CHECK(plan.jobs[0].reasons[0].message ==
        "with the jobs of \"ann\" before it, it takes at least 10.00 card hours, the quota is 9.00");
  REQUIRE(plan.gates.size() == 2);
  CHECK(plan.gates[0].of == "project vision");
  CHECK(plan.gates[0].passed);  // nothing is spent
  CHECK(plan.gates[1].name == "quota");
  CHECK(plan.gates[1].value == "36000");
  CHECK_FALSE(plan.gates[1].passed);
}

TEST_CASE("a job without room in the quota moves no other job to a dearer machine", "[team]") {
  Team team = one_or_four_cards();
  team.job("a", "ann", 10);   // 40 card hours for 9 USD, or 10 for 10 USD
  team.job("b", "ann", 100);  // 100 at least
  team.job("c", "ann", 10);
  team.limits.member_quotas["ann"] = hours{85};
  const TeamPlan plan = team.plan();
  CHECK(taken(plan, 0).id == "four");
  CHECK_FALSE(plan.jobs[1].taken);
  CHECK(taken(plan, 2).id == "four");
  CHECK(to_string(plan.total) == "18");
  REQUIRE(plan.gates.size() == 1);
  CHECK(plan.gates[0].value == "396000");  // 10 + 100 card hours
  CHECK_FALSE(plan.gates[0].passed);
}

TEST_CASE("a budget that cannot be kept is a gate that is not met", "[team]") {
  Team team = one_or_four_cards();
  team.job("a", "ann", 10);
  team.limits.project_budgets["vision"] = usd("8.99");
  const TeamPlan plan = team.plan();
  CHECK(taken(plan, 0).id == "four");
  REQUIRE(plan.gates.size() == 1);
  CHECK_FALSE(plan.gates[0].passed);
  CHECK(plan.gates[0].value == "9");
}

TEST_CASE("a limit for somebody who has no job is refused, with who there is", "[team]") {
  Team team = one_or_four_cards();
  team.job("a", "ann", 10);
  team.limits.member_budgets["anm"] = usd("1");
  team.limits.member_quotas["zoe"] = hours{9};
  team.limits.project_budgets["visoin"] = usd("1");
  const Tables tables{.cards = &known_cards(), .models = &known_models()};
  const auto plan = plan_team(team.jobs, team.market.catalog, tables, team.market.options, team.limits);
  REQUIRE_FALSE(plan);
  std::vector<std::string> said;
  for (const Diagnostic& fault : plan.errors()) said.push_back(fault.source + ": " + fault.message + "; " + fault.hint);
  CHECK(said == std::vector<std::string>{
                    "--project-budget: no job names the project \"visoin\"; did you mean \"vision\"?",
                    "--member-budget: no job names the member \"anm\"; did you mean \"ann\"?",
                    "--member-quota: no job names the member \"zoe\"; the jobs name ann"});
}

TEST_CASE("a job that no offer can do leaves the plan incomplete, the others are planned",
          "[team]") {
  Team team = one_or_four_cards();
  team.job("a", "ann", 10);
  JobModel& huge = team.job("huge", "ann", 10);
  huge.model = *known_models().find("70b");
  huge.job.workload.mode = Mode::full;
  const TeamPlan plan = team.plan();
  CHECK_FALSE(plan.complete);
  CHECK(plan.jobs[0].taken);
  CHECK_FALSE(plan.jobs[1].taken);
  CHECK(to_string(plan.total) == "9");
}

TEST_CASE("the plan is the cheapest of all within the quota", "[team][property]") {
  for (unsigned seed = 1; seed <= rounds(40); ++seed) {
    Chance chance(seed);
    Team team;
    team.market.platform("acme");
    for (int i = 0; i < 5; ++i)
      team.market.offer("o" + std::to_string(i), "RTX 4090", "1").price.on_demand =
          Decimal::of(1 + chance.upto(400), 2);
    for (Offer& offer : team.market.catalog.offers) offer.gpus = 1 + chance.upto(7);
    for (int i = 0; i < 3; ++i) team.job("j" + std::to_string(i), "ann", 1 + chance.upto(30));
    const Duration quota{hours{20 + chance.upto(200)}};
    team.limits.member_quotas["ann"] = quota;
    const TeamPlan plan = team.plan();

    std::optional<Money> best;
    const auto& offers = team.market.catalog.offers;
    for (std::size_t pick = 0; pick < 125; ++pick) {
      Money cost;
      Duration time{0};
      for (std::size_t i = 0, rest = pick; i < 3; ++i, rest /= 5) {
        const Offer& offer = offers[rest % 5];
        const Duration run = *team.jobs[i].job.work.run_hours;
        cost += Money::rounded(Decimal::of(
            *offer.price.on_demand->times(100) * (run / Duration{hours{1}}), 2));
        time += run * offer.gpus;
      }
      if (time <= quota && (!best || cost < *best)) best = cost;
    }
    INFO("seed " << seed);
    CHECK(plan.gates.back().passed == best.has_value());
    if (best) CHECK(to_string(plan.total) == to_string(*best));
  }
}

}  // namespace gpuplan::test
