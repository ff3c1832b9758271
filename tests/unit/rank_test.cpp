// Who is first, and what would change it, in markets small enough to work out by hand.
#include "rank_world.hpp"

namespace gpuplan::test {
namespace {

using std::chrono::hours;

const RankedOffer& first(const Ranking& ranking) { return ranking.ranked[*ranking.primary]; }

const Flip* flip_of(const Ranking& ranking, const std::string& knob, const std::string& winner) {
  for (const Flip& flip : ranking.flips)
    if (flip.knob == knob && flip.winner->id == winner) return &flip;
  return nullptr;
}

bool warned(const Warnings& warnings, const std::string& code) {
  return std::ranges::any_of(warnings, [&](const Warning& w) { return w.code == code; });
}

// Ten hours: 1 USD an hour on demand, or a week for 100 USD.
Market hourly_or_week() {
  Market market;
  market.platform("acme");
  Offer& offer = market.offer("card", "RTX 4090", "1");
  Commitment& week = offer.price.commitments.emplace_back();
  week.name = "week";
  week.hours = dec("168");
  week.price = dec("100");
  return market;
}

}  // namespace

TEST_CASE("every plan that an offer is sold under is a line of the ranking", "[rank]") {
  Market market = hourly_or_week();
  market.catalog.offers.front().price.spot = dec("0.4");
  const Ranking ranking = market.rank();
  REQUIRE(ranking.ranked.size() == 3);
  CHECK(ranking.ranked[0].plan == "spot");
  CHECK(ranking.ranked[1].plan == "on_demand");
  CHECK(ranking.ranked[2].plan == "reserved");
  CHECK(to_string(ranking.ranked[2].bill.total) == "100");
  // Nobody says how often the spot machine goes away: it is listed and not recommended.
  CHECK(first(ranking).plan == "on_demand");
}

TEST_CASE("a plan that was asked for and is not sold is a reason", "[rank]") {
  Market market;
  market.platform("acme");
  market.offer("card", "RTX 4090", "1");
  market.options.plans = {"reserved"};
  const Ranking ranking = market.rank();
  CHECK(ranking.ranked.empty());
  REQUIRE(ranking.rejected.size() == 1);
  CHECK(ranking.rejected.front().reasons.front().code == "plan_not_sold");
}

TEST_CASE("a week at 100 USD wins over 1 USD an hour from just above 100 hours on", "[rank]") {
  const Market market = hourly_or_week();
  const Ranking ranking = market.rank();
  CHECK(first(ranking).plan == "on_demand");
  const Flip* flip = flip_of(ranking, "work", "card");
  REQUIRE(flip);
  CHECK(flip->plan == "reserved");
  CHECK(flip->value == dec("10.001"));  // of ten hours: 100.01 hours
}

TEST_CASE("the price at which the next offer wins is found to the ten-thousandth", "[rank]") {
  Market market;
  market.platform("acme");
  market.offer("cheap", "RTX 4090", "0.69");
  market.platform("other");
  market.offer("next", "RTX 4090", "0.75");
  const Ranking ranking = market.rank();
  const Flip* rises = flip_of(ranking, "price", "next");
  REQUIRE(rises);
  // At 0.7500 both cost 7.50 and the platform's name decides, so it takes a little more.
  CHECK(rises->when ==
        "the price of acme/cheap, on demand, rises from 0.69 to 0.7501 USD an hour");
  CHECK(rises->then == "other RTX 4090 x1, on demand wins with 7.50 USD");
  CHECK(std::ranges::any_of(ranking.flips, [](const Flip& flip) {
    return flip.when == "the price of other/next, on demand, falls from 0.75 to 0.6899 USD an hour";
  }));
}

TEST_CASE("a dear upload decides between a cheap card and a cheap line", "[rank]") {
  Market market;
  Rules paid, open;
  paid.network.ingress_per_gb = dec("0.1");
  open.network.ingress_per_gb = dec("0");
  market.platform("paid").rules = std::make_shared<const Rules>(paid);
  market.offer("cheap", "RTX 4090", "0.5");
  market.platform("open").rules = std::make_shared<const Rules>(open);
  market.offer("dear", "RTX 4090", "1");
  market.job.data.upload = Bytes::gb(40);
  const Ranking ranking = market.rank();
  CHECK(first(ranking).offer->id == "cheap");  // 5 + 4 against 10
  const Flip* flip = flip_of(ranking, "upload", "dear");
  REQUIRE(flip);
  // 50 GB cost as much as the card saves; equal bills go to "open", which comes before "paid".
  CHECK(flip->value == dec("1.25"));
}

TEST_CASE("backup is the best on another platform, however many of the first come between",
          "[rank]") {
  Market market;
  market.platform("acme");
  for (int i = 0; i < 40; ++i) market.offer("o" + std::to_string(i), "RTX 4090", "0.5");
  market.platform("other");
  market.offer("far", "RTX 4090", "3");
  market.options.rows = 5;
  market.options.price_all_up_to = 0;
  const Ranking ranking = market.rank();
  REQUIRE(ranking.backup);
  CHECK(ranking.ranked[*ranking.backup].offer->id == "far");
  CHECK(ranking.ranked_total == 41);
}

TEST_CASE("answers can come from several machines when one would be late", "[rank]") {
  Market market;
  market.platform("acme");
  market.offer("card", "RTX 4090", "1");
  market.job.workload.mode = Mode::inference;
  market.job.workload.precision = Precision::int8;
  market.job.work.run_hours = hours{30};
  market.job.deadline = hours{8};
  const Ranking ranking = market.rank();
  REQUIRE(ranking.ranked.size() == 1);
  CHECK(first(ranking).machines == 4);  // 30 h / 8 h = 3.75
  CHECK(first(ranking).bill.time.wall == Duration{hours{15}} / 2);
  CHECK(to_string(first(ranking).bill.total) == "30");
  CHECK(warned(first(ranking).warnings, "several_machines"));
}

TEST_CASE("a training step cannot be cut into shards: late is late", "[rank]") {
  Market market;
  market.platform("acme");
  market.offer("card", "RTX 4090", "1");
  market.job.deadline = hours{8};
  const Ranking ranking = market.rank();
  CHECK(ranking.ranked.empty());
  CHECK(ranking.any_gated);
  REQUIRE(ranking.rejected.size() == 1);
  CHECK(ranking.rejected.front().reasons.front().code == "deadline");
  REQUIRE(ranking.rejected.front().bill);
  CHECK(to_string(ranking.rejected.front().bill->bill.total) == "10");
}

TEST_CASE("four cards for answers may be four machines with one card each", "[rank]") {
  Market market;
  market.platform("acme");
  market.offer("one", "RTX 4090", "1");
  market.offer("three", "RTX 4090", "3").gpus = 3;
  market.job.workload.mode = Mode::inference;
  market.job.workload.precision = Precision::int8;
  market.job.workload.gpus = 4;
  const Ranking ranking = market.rank();
  REQUIRE(ranking.ranked.size() == 1);
  CHECK(first(ranking).offer->id == "one");
  CHECK(first(ranking).machines == 4);
  REQUIRE(ranking.rejected.size() == 1);
  CHECK(ranking.rejected.front().reasons.front().code == "gpus");  // 4 is no multiple of 3
}

TEST_CASE("what do I get for 100 dollars: as many hours as the money pays for", "[rank]") {
  Market market;
  Rules rules;
  rules.meter.quantum_s = 3600;
  rules.meter.minimum_s = 0;
  market.platform("acme").rules = std::make_shared<const Rules>(rules);
  market.offer("cheap", "RTX 4090", "0.8");
  market.offer("fast", "L40S", "2");
  market.job.budget = Money::units(100);
  market.job.work_assumed = true;
  const Ranking ranking = market.rank();
  REQUIRE(ranking.ranked.size() == 2);
  CHECK(first(ranking).offer->id == "cheap");
  CHECK(first(ranking).affords->run == Duration{hours{125}});
  CHECK(to_string(first(ranking).bill.total) == "100");
  CHECK(ranking.ranked[1].affords->run == Duration{hours{50}});
  CHECK(ranking.flips.empty());
}

TEST_CASE("a budget is counted in what the cards do, not in their hours", "[rank]") {
  Market market;
  market.job.work.run_hours.reset();
  Rules rules;
  rules.meter.quantum_s = 3600;
  rules.meter.minimum_s = 0;
  market.platform("acme").rules = std::make_shared<const Rules>(rules);
  market.offer("slow", "T4", "0.4");        // 8.1 T 32-bit FLOP/s for 250 hours
  market.offer("fast", "RTX 4090", "0.8");  // 82.6 T for 125
  market.job.budget = Money::units(100);
  market.job.work_assumed = true;
  SECTION("rendering: by the 32-bit rate") {
    market.job.workload.mode = Mode::render;
    const Ranking ranking = market.rank();
    REQUIRE(ranking.ranked.size() == 2);
    CHECK(first(ranking).offer->id == "fast");
    CHECK(first(ranking).affords->unit == "32-bit FLOP");
    const double expected = 82.6e12 * 125 * 3600;
    CHECK(*first(ranking).affords->units == Approx(expected).epsilon(1e-3));
    CHECK(ranking.ranked[1].affords->run == Duration{hours{250}});
    SECTION("a platform whose cards give half of it") {
      Rules shared = rules;
      shared.service.performance_factor = dec("0.5");
      market.catalog.offers[1].rules = std::make_shared<const Rules>(shared);
      CHECK(*first(market.rank()).affords->units == Approx(expected / 2).epsilon(1e-3));
    }
  }
  SECTION("video: by encoder engines, which both have") {
    market.job.workload.mode = Mode::video;
    const Ranking ranking = market.rank();
    CHECK(first(ranking).affords->unit == "encoder engines x hours");
    CHECK(*first(ranking).affords->units == Approx(250));  // one engine beside two for half the hours
  }
}

TEST_CASE("machines that train as one are as fast as the network between them", "[rank]") {
  Market market;
  market.job.work.run_hours.reset();
  market.job.work.tokens = 1'000'000'000;
  market.job.workload.mode = Mode::full;
  market.job.workload.gpus = 32;
  for (const auto& [platform, gbps] : {std::pair{"infiniband", "3200"}, {"ethernet", "25"}, {"unstated", ""}}) {
    market.platform(platform);
    Offer& offer = market.offer("node", "H100 SXM5 80GB", "20");
    offer.gpus = 8;
    if (gbps[0] != 0) offer.nodes_gbps = dec(gbps);
  }
  const Ranking ranking = market.rank();
  REQUIRE(ranking.ranked.size() == 3);
  const auto time = [&](std::string_view platform) {
    for (const RankedOffer& row : ranking.ranked)
      if (row.platform->id == platform) return row.bill.time.run;
    return Duration{0};
  };
  CHECK(time("infiniband") == time("unstated"));  // what such cards usually come with
  CHECK(time("ethernet") > 3 * time("infiniband"));
}

TEST_CASE("of the ZeRO stages that fit the fastest is taken, since all cost the same an hour", "[rank]") {
  Market market;
  market.job.work.run_hours.reset();
  market.job.work.tokens = 1'000'000'000;
  market.job.workload.mode = Mode::pretrain;
  market.platform("acme");
  market.offer("node", "H200 SXM 141GB", "20").gpus = 8;
  const Ranking free = market.rank();
  REQUIRE(free.ranked.size() == 1);
  for (const int stage : {0, 1, 2, 3}) {
    market.job.workload.zero = stage;
    const Ranking fixed = market.rank();
    INFO("stage " << stage);
    if (!fixed.ranked.empty()) CHECK(first(free).bill.time.run <= first(fixed).bill.time.run);
  }
}

TEST_CASE("a budget below the smallest bill buys nothing, and that is a gate", "[rank]") {
  Market market;
  Rules rules;
  rules.meter.quantum_s = 3600;
  market.platform("acme").rules = std::make_shared<const Rules>(rules);
  market.offer("card", "RTX 4090", "2");
  market.job.budget = Money::units(1);
  market.job.work_assumed = true;
  const Ranking ranking = market.rank();
  CHECK(ranking.ranked.empty());
  CHECK(ranking.any_gated);
  CHECK(ranking.rejected.front().reasons.front().code == "budget");
}

TEST_CASE("an accelerator that is no GPU is not offered to who does not ask for it", "[rank]") {
  Market market;
  market.platform("aws");
  market.offer("trn1", "Trainium", "0.5");
  const Ranking unasked = market.rank();
  CHECK(unasked.ranked.empty());
  CHECK(unasked.rejected.front().reasons.front().code == "not_a_gpu");
  market.job.cards = {"Trainium"};
  CHECK(market.rank().ranked.size() == 1);
}

TEST_CASE("a stream of requests takes as many machines as keep the queue short", "[rank]") {
  Market market;
  market.platform("acme");
  market.offer("card", "RTX 4090", "1");
  market.job.workload.mode = Mode::inference;
  market.job.workload.precision = Precision::int8;
  market.job.work.run_hours = hours{730};
  const auto machines = [&](double rate) {
    market.job.workload.rate = rate;
    const Ranking ranking = market.rank();
    REQUIRE(ranking.ranked.size() == 1);
    const RankedOffer& offer = first(ranking);
    // Each of them runs the whole month, and the answers are those of the requests that come.
    CHECK(offer.bill.total == Money::units(730 * offer.machines));
    REQUIRE(offer.unit_cost);
    const double million_tokens = rate * 256 * 730 * 3600 / 1e6;
    CHECK(approximate(offer.unit_cost->amount) ==
          Approx(730.0 * static_cast<double>(offer.machines) / million_tokens));
    return offer.machines;
  };
  CHECK(machines(0.1) == 1);
  CHECK(machines(50) > 5 * machines(5));
}

namespace {

// The message of a warning of the first row; empty: it was not given.
std::string told(const Market& market, const std::string& code) {
  const Ranking ranking = market.rank();
  REQUIRE(!ranking.ranked.empty());
  for (const Warning& warning : ranking.ranked.front().warnings)
    if (warning.code == code) return warning.message;
  return {};
}

Market one_card(const Rules& rules = {}) {
  Market market;
  market.platform("acme").rules = std::make_shared<const Rules>(rules);
  market.offer("card", "RTX 4090", "1");
  return market;
}

}  // namespace

TEST_CASE("a long training run without checkpoints is warned of, a short one is not",
          "[rank][warnings]") {
  Market market = one_card();
  CHECK(told(market, "no_checkpoint_long_run").empty());
  market.job.work.run_hours = hours{30};
  CHECK(told(market, "no_checkpoint_long_run").find("30 h") != std::string::npos);
  market.job.checkpoint.emplace().every = hours{1};
  CHECK(told(market, "no_checkpoint_long_run").empty());
}

TEST_CASE("a week that is paid for ten hours of work is mostly idle", "[rank][warnings]") {
  Market market = hourly_or_week();
  market.options.plans = {"reserved"};
  CHECK(told(market, "reserved_mostly_idle") ==
        "7 d of card time are paid in advance, 10 h of them are used");
  market.job.work.run_hours = hours{100};
  CHECK(told(market, "reserved_mostly_idle").empty());
}

TEST_CASE("six hours of upload for two hours of training", "[rank][warnings]") {
  Market market = one_card();
  market.job.work.run_hours = hours{2};
  market.job.data.upload = Bytes::gb(270);
  market.job.data.line_up = parse_bandwidth("100Mbps");
  CHECK(told(market, "upload_longer_than_run") ==
        "the data take 6 h on the line, the run 2 h: see gpuplan transfer");
  market.job.work.run_hours = hours{8};
  CHECK(told(market, "upload_longer_than_run").empty());
}

TEST_CASE("disks that cost more than the card", "[rank][warnings]") {
  Rules rules;
  rules.storage[StorageKind::volume].price = dec("0.1");
  rules.storage[StorageKind::volume].per = PricePer::month;
  Market market = one_card(rules);
  market.job.data.disk = Bytes::gb(200);
  market.job.keep.days = hours{24 * 60};
  CHECK(told(market, "storage_above_compute").find("10.00 USD") != std::string::npos);
  market.job.keep.days = hours{0};
  CHECK(told(market, "storage_above_compute").empty());
}

TEST_CASE("double precision on a consumer card is a sixty-fourth of its single precision",
          "[rank][warnings]") {
  Market market = one_card();
  market.job.workload.mode = Mode::fp64;
  CHECK(told(market, "consumer_fp64").find("one 64th") != std::string::npos);
  market.catalog.offers.front().card = "A100 80GB";
  CHECK(told(market, "consumer_fp64").empty());
}

TEST_CASE("traffic home whose price nobody states is not free", "[rank][warnings]") {
  Market market = one_card();
  market.job.data.download = Bytes::gb(20);
  CHECK(told(market, "egress_unknown").find("20 GB") != std::string::npos);
  Rules rules;
  rules.network.egress_per_gb = dec("0");
  Market free = one_card(rules);
  free.job.data.download = Bytes::gb(20);
  CHECK(told(free, "egress_unknown").empty());
}

TEST_CASE("a share of a card, a shared card and a card with other memory are told",
          "[rank][warnings]") {
  Rules rules;
  rules.service.exclusive = false;
  CHECK(told(one_card(rules), "shared_or_unknown_exclusive") == "the card is shared with others");
  rules.service.exclusive = true;
  CHECK(told(one_card(rules), "shared_or_unknown_exclusive").empty());
  Market market = one_card();
  CHECK(told(market, "card_memory_differs").empty());
  market.catalog.offers.front().memory = Bytes::gib(48);
  CHECK(told(market, "card_memory_differs").find("48.0 GiB") != std::string::npos);
}

TEST_CASE("a price is old after 90 days, counted from the day that is asked for",
          "[rank][warnings]") {
  Market market = one_card();
  market.catalog.as_of = parse_date("2026-08-01");
  CHECK(told(market, "price_old").empty());  // no day to count from
  market.options.as_of = parse_date("2026-10-30");
  CHECK(told(market, "price_old").empty());  // 90 days
  market.options.as_of = parse_date("2026-10-31");
  CHECK(told(market, "price_old") == "the price is of 2026-08-01, 91 days old");
}

TEST_CASE("a credit that is in the bill says when it expires", "[rank][warnings]") {
  Market market = one_card();
  market.catalog.platforms.front().account.credits.push_back(
      {.amount = dec("5"), .monthly = false, .expires_days = dec("30"), .plans = {}, .who = {}});
  CHECK(told(market, "credit_expires") ==
        "5.00 USD of credit are in the bill; it expires 30 days after it is given");
}

TEST_CASE("with a shorter window a day the machine that is dear by the hour and cheap to keep wins", "[rank]") {
  // 40 hours of work, 14 a day: the third day ends after 60 h. 100 GB are paid all the time: 20 dollars
  // for 730 h, so that the machine which is 2 dollars cheaper is so up to 73 h.
  Market market;
  market.job.work.run_hours = std::chrono::hours{40};
  market.job.data.disk = Bytes::gb(100);
  market.job.schedule = Schedule{.from_minute = 8 * 60, .to_minute = 22 * 60};
  market.job.start = parse_moment("2026-11-02T08:00:00Z");
  const auto disk = [&](const char* price) {
    auto rules = std::make_shared<Rules>();
    rules->storage[StorageKind::data].price = dec(price);
    rules->storage[StorageKind::data].with_instance = false;
    rules->stop.stop = State::released;
    rules->meter.month_hours = 730;
    market.catalog.platforms.back().rules = rules;
  };
  market.platform("keeps for nothing");
  disk("0");
  market.offer("dear", "RTX 4090", "0.55");
  market.platform("keeps for money");
  disk("0.2");
  market.offer("cheap", "RTX 4090", "0.5");
  const Ranking ranking = market.rank();
  REQUIRE(ranking.ranked.front().offer->id == "cheap");
  CHECK(to_string(ranking.ranked[1].bill.total) == "22");
  // 13 h a day end on the fourth day after 73 h: 22 dollars both. 12 h a day end after 76.
  const Flip* flip = flip_of(ranking, "schedule", "dear");
  REQUIRE(flip != nullptr);
  CHECK(flip->when == "the daily window is 12 h long instead of 14 h");
}

}  // namespace gpuplan::test
