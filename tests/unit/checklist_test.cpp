// What must be done before, during and after a run on this platform, and what forgetting it costs.
#include "gpuplan/checklist.hpp"

#include <algorithm>

#include "billing_world.hpp"

using namespace gpuplan;
using namespace gpuplan::test;
using namespace std::chrono_literals;

namespace {

// Ten hours of work on a machine at 1 an hour; a data disk of 100 GB at 0.1 a GB and month.
struct Renter : World {
  CardTable cards{std::vector<Card>{}};
  ModelTable models{std::vector<ModelShape>{}};
  std::string plan = "on_demand";

  Renter() {
    cards = *builtin_card_table();
    platform().name = "Acme";
    rules.stop.guest_shutdown = State::running;
    rules.meter.month_hours = 720;
    storage(StorageKind::data, "0.1");
    job.work.run_hours = 10h;
    job.data.disk = Bytes::gb(100);
  }
  Checklist list() {
    offer.rules = std::make_shared<const Rules>(rules);
    catalog.offers = {offer};
    const ModelTable all = *read_models(
        R"({"schema": "gpuplan.models/1", "models": [{"name": "tiny", "parameters": 1000000, "source": "made up"}]})",
        "test");
    const JobModel work{.job = job, .model = all.all().front()};
    auto made = make_checklist(work, {.catalog = &catalog, .offer = &catalog.offers.front(),
                                      .plan = plan, .currency = {}, .as_of = {}},
                               {.cards = &cards, .models = &models});
    if (!made)
      for (const Diagnostic& error : made.errors()) UNSCOPED_INFO(to_text(error));
    REQUIRE(made);
    return *std::move(made);
  }
};

const ChecklistItem* item(const Checklist& list, std::string_view code) {
  const auto found = std::ranges::find(list.items, code, &ChecklistItem::code);
  return found == list.items.end() ? nullptr : &*found;
}

std::string costs(const Checklist& list, std::string_view code) {
  const ChecklistItem* found = item(list, code);
  if (found == nullptr) return "no item";
  return found->costs_if_forgotten ? to_string(*found->costs_if_forgotten) : "no figure";
}

}  // namespace

TEST_CASE("a forgotten night costs twelve hours of the machine and its disk", "[checklist]") {
  Renter renter;
  // 12 h at 1, and 100 GB at 0.1 a month of 720 h for 12 h more: 0.166666667.
  CHECK(costs(renter.list(), "automatic_stop") == "12.166666667");
  CHECK(item(renter.list(), "automatic_stop")->when == ChecklistTime::before);
  // Where the platform itself stops an idle machine after an hour, a night costs that hour.
  renter.rules.provision.auto_stop_idle_s = dec("3600");
  renter.rules.provision.auto_stop_default_on = true;
  CHECK(costs(renter.list(), "automatic_stop") == "1.166666667");
}

TEST_CASE("what stop means decides what a week of it costs", "[checklist]") {
  Renter renter;
  renter.rules.stop.stop = State::released;
  // The disk alone: 100 GB at 0.1 for 168 of 720 h.
  CHECK(costs(renter.list(), "end_verb") == "2.333333333");
  renter.rules.stop.stop = State::held;
  CHECK(costs(renter.list(), "end_verb") == "170.333333333");
  CHECK(item(renter.list(), "end_verb")->why.find("keeps the card") != std::string::npos);
  renter.rules.stop.stop = State::gone;
  CHECK(item(renter.list(), "end_verb")->why.find("deletes") != std::string::npos);
  renter.rules.stop.stop = State::not_offered;
  CHECK(costs(renter.list(), "end_verb") == "170.333333333");
}

TEST_CASE("a disk that outlives the machine is told with a month of its price", "[checklist]") {
  Renter renter;
  CHECK(costs(renter.list(), "delete_disk") == "10");
  renter.rules.storage[StorageKind::data].with_instance = true;
  CHECK(item(renter.list(), "delete_disk") == nullptr);
}

TEST_CASE("what is kept on purpose changes nothing of what the rest costs when forgotten", "[checklist]") {
  Renter renter;
  renter.storage(StorageKind::image, "0.05");
  renter.rules.network.ip_per_month = dec("3");
  // An image of 50 GB: 2.50 a month; an address: 3.
  for (const auto days : {Duration{0}, Duration{240h}}) {
    renter.job.keep.days = days;
    CHECK(costs(renter.list(), "delete_images") == "2.5");
    CHECK(costs(renter.list(), "release_address") == "3");
    CHECK(costs(renter.list(), "delete_disk") == "10");
  }
  CHECK(item(renter.list(), "delete_disk")->what == "delete the disk of 100 GB once the 10 d are over");
  CHECK(item(renter.list(), "nothing_runs")->what.ends_with("but for what you keep"));
}

TEST_CASE("a card at half its rate doubles the run", "[checklist]") {
  Renter renter;
  renter.job.data.disk.reset();
  CHECK(costs(renter.list(), "check_card") == "10");
}

TEST_CASE("terms, addresses, limits and promises have items only where they exist", "[checklist]") {
  Renter renter;
  for (const char* code : {"cancel_renewal", "return_term", "use_the_term", "release_address",
                           "deleted_when_stopped", "claim_credit", "spot_notice", "use_credit"})
    CHECK(item(renter.list(), code) == nullptr);
  renter.term("week", "168", "100");
  renter.rules.terms.refund = Refund{};
  renter.rules.terms.refund->kind = Refund::Kind::none;
  renter.rules.network.ip_per_month = dec("7.2");
  renter.rules.stop.release_after = 360h;
  renter.platform().account.sla_uptime_percent = dec("99");
  renter.platform().account.credits.push_back(
      {.amount = dec("50"), .expires_days = dec("30"), .plans = {}, .who = {"new"}});
  renter.plan = "week";
  const Checklist list = renter.list();
  CHECK(costs(list, "cancel_renewal") == "100");
  CHECK(costs(list, "release_address") == "7.2");
  CHECK(costs(list, "use_credit") == "50");
  CHECK(item(list, "use_the_term"));
  CHECK(item(list, "deleted_when_stopped"));
  CHECK(item(list, "claim_credit"));
  renter.rules.terms.refund->kind = Refund::Kind::pro_rata;
  CHECK(item(renter.list(), "return_term"));
}

TEST_CASE("the bill to compare with is the bill of the job", "[checklist]") {
  const Checklist list = Renter().list();
  CHECK(to_string(list.bill.total) == "10.138888889");
  CHECK(item(list, "compare_bill")->what.find("10.14 USD") != std::string::npos);
}

TEST_CASE("a platform that one does not know is tried for half an hour", "[checklist]") {
  Renter renter;
  const Checklist list = renter.list();
  REQUIRE(list.trial);
  CHECK(list.trial->run == Duration{30min});
  // 0.5 h at 1 and 20 GB at 0.1 for half of 720 h, to the nearest billionth.
  CHECK(to_string(list.trial->total) == "0.501388889");
  // A minimum of an hour is in the price of the trial.
  renter.rules.meter.minimum_s = 3600;
  CHECK(to_string(renter.list().trial->total) == "1.001388889");
  // A term is not bought for it.
  renter.term("week", "168", "100");
  renter.plan = "week";
  CHECK(renter.list().trial->plan == "on_demand");
}

TEST_CASE("work in tasks is cut into whole ranges, and one of them has a price", "[checklist]") {
  Renter renter;
  renter.job.data.disk.reset();
  renter.job.splits = 10;
  renter.job.machines = 4;
  const Checklist list = renter.list();
  REQUIRE(list.machines);
  const MachinePlan& plan = *list.machines;
  REQUIRE(plan.shards.size() == 4);
  CHECK(plan.shards[0].from == 0);
  CHECK(plan.shards[0].to == 2);  // 3, 3, 2, 2 tasks
  CHECK(plan.shards[3].from == 8);
  CHECK(plan.shards[3].to == 9);
  CHECK(plan.rerun_time == Duration{3h});
  CHECK(to_string(*plan.rerun_cost) == "3");
  CHECK_FALSE(plan.needed);
  const auto four = std::ranges::find(plan.costs, std::int64_t{4}, &MachineCost::machines);
  REQUIRE(four != plan.costs.end());
  CHECK(four->wall == Duration{3h});  // three tasks of an hour each on the fullest machine
  CHECK(to_string(four->total) == "10");
}

TEST_CASE("several machines are needed when one is too late", "[checklist]") {
  Renter renter;
  renter.job.data.disk.reset();
  renter.job.work.requests = 1000;
  renter.job.deadline = 3h;
  const Checklist list = renter.list();
  REQUIRE(list.machines);
  CHECK(list.machines->needed);
  CHECK(list.machines->machines == 4);  // two need 5 h, four 2.5 h
  CHECK(list.machines->shards.size() == 4);
  CHECK(list.machines->shards.back().to == 999);
}

TEST_CASE("training is not cut into ranges unless it is said to be tasks", "[checklist]") {
  Renter renter;
  renter.job.workload.mode = Mode::lora;
  renter.job.machines = 2;
  const Checklist list = renter.list();
  REQUIRE(list.machines);
  CHECK(list.machines->shards.empty());
  CHECK(list.machines->why.find("--splits") != std::string::npos);
}
