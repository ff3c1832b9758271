// The table of known answers about spot machines. Each value was derived (renewal arguments; Young
// 1974, Daly 2006, Marshall and Olkin 1967, the negative binomial law) and confirmed by a simulation
// that has nothing to do with this program. Each is asked of the plan as a renter would state it:
// where a closed form holds it must give the value to 1e-9, and the runs must agree within four of
// their own standard errors. tests/README.md lists what cannot be asked.
#include <functional>

#include "gpuplan/spot_forms.hpp"
#include "spot_world.hpp"

using namespace gpuplan;
using namespace gpuplan::test;
using namespace std::chrono_literals;

namespace {

using Market = SpotMarket;
constexpr double kTwoMinutes = 1.0 / 30, kFiveMinutes = 1.0 / 12;
constexpr double kClusterLife = 54 * 24 / 419.0;  // 419 failures in 54 days: Llama 3 405B

// A value that the runs come to, with its standard error.
struct FromRuns {
  double value = 0, error = 0;
};
struct Asked {
  const char* what;
  std::function<std::optional<double>(const ClosedForm&)> closed;  // nothing: no form holds
  std::function<FromRuns(const SpotBill&)> runs;
};

FromRuns share_of(double share, const SpotBill& bill) {
  const auto n = static_cast<double>(bill.trials.n);
  return {share, std::sqrt(std::max(share * (1 - share), 1 / n) / n)};
}

// A mean over another: the errors of both, as if they had nothing to do with each other.
FromRuns ratio(double above, double above_error, double below, double below_error) {
  const double value = above / below;
  return {value, std::hypot(above_error / below, value * below_error / below)};
}

const auto kNoForm = [](const ClosedForm&) -> std::optional<double> { return std::nullopt; };

const Asked kWall{"hours until it is done", [](const ClosedForm& f) { return f.wall; },
                  [](const SpotBill& b) {
                    return FromRuns{in_hours(b.trials.wall.mean),
                                    b.trials.wall.standard_error_s / 3600};
                  }};
const Asked kWallByRuns{"hours until it is done", kNoForm, kWall.runs};
const Asked kBilled{"billed hours", [](const ClosedForm& f) { return f.billed; },
                    [](const SpotBill& b) {
                      return FromRuns{in_hours(b.trials.billed_mean),
                                      b.trials.billed_error_s / 3600};
                    }};
const Asked kCost{"cost", kNoForm, [](const SpotBill& b) {
                    // Runs that are all alike have not seen what happens once in ten thousand.
                    return FromRuns{approximate(b.mean), std::max(b.trials.cost.standard_error, 1e-4)};
                  }};
const Asked kReclaims{"reclaims", [](const ClosedForm& f) { return f.reclaims; },
                      [](const SpotBill& b) {
                        return FromRuns{b.trials.reclaims_mean, b.trials.reclaims_error};
                      }};
const Asked kUndisturbed{"share that no reclaim strikes",
                         [](const ClosedForm& f) { return f.run_through; },
                         [](const SpotBill& b) { return share_of(b.trials.undisturbed, b); }};
const Asked kDisturbed{"share that a reclaim strikes",
                       [](const ClosedForm& f) -> std::optional<double> {
                         return f.run_through ? std::optional(1 - *f.run_through) : std::nullopt;
                       },
                       [](const SpotBill& b) { return share_of(1 - b.trials.undisturbed, b); }};
const Asked kInTime{"share that keeps the deadline", [](const ClosedForm& f) { return f.deadline; },
                    [](const SpotBill& b) { return share_of(*b.trials.deadline_probability, b); }};
const Asked kTooLate{"share that misses the deadline", kNoForm, [](const SpotBill& b) {
                       return share_of(1 - *b.trials.deadline_probability, b);
                     }};
const Asked kLost{"hours lost by a reclaim",
                  [](const ClosedForm& f) { return f.lost_if_reclaimed; },
                  [](const SpotBill& b) {
                    return ratio(in_hours(b.trials.lost_mean), b.trials.lost_error_s / 3600,
                                 b.trials.reclaims_mean, b.trials.reclaims_error);
                  }};
// By Wald: the hours of all sessions over their number, which is one more than the reclaims.
const Asked kSession{"hours of a session",
                     [](const ClosedForm& f) -> std::optional<double> {
                       if (!f.billed || !f.reclaims) return std::nullopt;
                       return *f.billed / (1 + *f.reclaims);
                     },
                     [](const SpotBill& b) {
                       return ratio(in_hours(b.trials.billed_mean), b.trials.billed_error_s / 3600,
                                    1 + b.trials.reclaims_mean, b.trials.reclaims_error);
                     }};
const Asked kUpPerReclaim{"hours of all machines between two reclaims",
                          [](const ClosedForm& f) -> std::optional<double> {
                            if (!f.billed || !f.reclaims) return std::nullopt;
                            return *f.billed / *f.reclaims;
                          },
                          [](const SpotBill& b) {
                            return ratio(in_hours(b.trials.billed_mean),
                                         b.trials.billed_error_s / 3600, b.trials.reclaims_mean,
                                         b.trials.reclaims_error);
                          }};
const Asked kZoneShare{"share of reclaims that take every machine", kNoForm, [](const SpotBill& b) {
                         const double share =
                             b.trials.zone_reclaims_mean / b.trials.reclaims_mean;
                         const double count =
                             b.trials.reclaims_mean * static_cast<double>(b.trials.n);
                         return FromRuns{share, std::sqrt(share * (1 - share) / count)};
                       }};
// The error of a variance by its excess kurtosis: that of the sums here is below 8.
const Asked kVariance{"variance of the hours",
                      [](const ClosedForm& f) -> std::optional<double> {
                        return f.wall_sd ? std::optional(*f.wall_sd * *f.wall_sd) : std::nullopt;
                      },
                      [](const SpotBill& b) {
                        const double sd = b.trials.wall.sd_s / 3600;
                        return FromRuns{sd * sd, sd * sd * std::sqrt(10.0 / static_cast<double>(
                                                                                b.trials.n))};
                      }};
const Asked kUseful{"useful share of billed hours", [](const ClosedForm& f) { return f.useful_share; },
                    nullptr};

struct Case {
  const char* name;
  double work, life;
  std::function<void(Market&)> rules;
  Asked asked;
  double expected;
  std::int64_t trials = 4'000;
};

void kept(Market& m, double restore) {
  m.checkpoints(0, 0, restore);
  m.job.spot_model.survives = "everything";
}
void standard(Market& m) { m.checkpoints(0.5, kTwoMinutes, kFiveMinutes); }
void waits(Market& m, double hours) { m.rules.spot.restart_delay_s = std::llround(hours * 3600); }
void in_tasks(Market& m, std::int64_t tasks) {
  m.rules.provision.start_s = dec("360");
  m.job.splits = tasks;
}
void plain(Market&) {}
// So long that one spot machine is surely taken; then on demand at 0.001 an hour, which is taken off
// the expected cost.
void one_session(Market& m) {
  m.job.policy = "retries:1";
  m.offer.price.on_demand = dec("0.001");
}

const std::vector<Case>& cases() {
  using Kind = Lifetime::Kind;
  static const std::vector<Case> kCases{
      // From zero after every reclaim.
      {"from zero", 10, 5, plain, kWall, 31.94528049465325},
      {"a read-back that can be struck", 10, 5, [](Market& m) { m.from_zero(kFiveMinutes); }, kWall,
       32.482163432928175},
      {"a read-back that cannot be struck", 10, 5,
       [](Market& m) {
         m.from_zero(kFiveMinutes);
         m.job.spot_model.strikes_restore = false;
       },
       kWall, 32.47770183623081},
      {"waiting for the next machine", 8, 24,
       [](Market& m) {
         m.from_zero(0.25);
         waits(m, 0.5);
       },
       kWall, 9.793995684920265},
      {"waiting is not billed", 8, 24,
       [](Market& m) {
         m.from_zero(0.25);
         waits(m, 0.5);
       },
       kBilled, 9.59411822196271},
      {"reclaims are billed hours over mean life", 8, 24,
       [](Market& m) {
         m.from_zero(0.25);
         waits(m, 0.5);
       },
       kReclaims, 0.39975492591511286},
      {"work lost is not half of it", 2, 5, plain, kLost, 0.9335104365605273},
      {"running through", 10, 5, plain, kUndisturbed, 0.1353352832366127},
      {"a run of two days with 0.15 interrupts an hour", 48.5, 1 / 0.15,
       [](Market& m) { m.job.checkpoint = std::nullopt; }, kUndisturbed, 0.0006926401207068018, 400},
      {"spread from zero", 4, 5, plain, kVariance, spot::variance_from_zero(4, 5)},
      // Checkpoints.
      {"the standard example", 10, 5, standard, kWall, 11.407928188892523},
      {"the standard example, nothing strikes the read-back", 10, 5,
       [](Market& m) {
         standard(m);
         m.job.spot_model.strikes_restore = false;
       },
       kWall, 11.406361249706451},
      {"the standard example, the first start reads back as well", 10, 5,
       [](Market& m) {
         standard(m);
         m.job.spot_model.first_start_restores = true;
       },
       kWall, 11.491959840823828},
      {"the standard example, 45 minutes until the next machine", 10, 5,
       [](Market& m) {
         standard(m);
         waits(m, 0.75);
       },
       kWall, 13.119117417226402},
      {"a short last piece", 10.25, 6, [](Market& m) { m.checkpoints(1, 0.1, 0.2); }, kWall,
       12.7460308003219},
      {"a cluster with the failures of Llama 3", 48, kClusterLife,
       [](Market& m) { m.checkpoints(1, 1.0 / 60, 1.0 / 15); }, kWall, 59.011186396660214},
      {"useful share of a long job", 100, 6, [](Market& m) { m.checkpoints(1, 0.05, 0.25); }, kUseful,
       0.8359114880804361, 10},
      {"disks are paid while it waits", 10, 5,
       [](Market& m) {
         standard(m);
         waits(m, 0.75);
         m.offer.price.spot = dec("1.2");
         m.storage(StorageKind::data, "0.0004").per = PricePer::hour;
         m.job.data.disk = Bytes::gb(100);
       },
       kCost, 14.214278523360083, 2'000},
      // A notice that saves everything.
      {"everything is kept", 10, 5, [](Market& m) { kept(m, kFiveMinutes); }, kWall,
       10.16806330386261},
      {"everything is kept, half an hour until the next machine", 10, 5,
       [](Market& m) {
         kept(m, kFiveMinutes);
         waits(m, 0.5);
       },
       kWall, 11.184869634248871},
      {"reclaims where everything is kept", 10, 5, [](Market& m) { kept(m, kFiveMinutes); }, kReclaims,
       2.033612660772522},
      {"waits by chance", 48, 4,
       [](Market& m) {
         kept(m, 0.2);
         m.rules.spot.restart_delay_law = Lifetime{.kind = Kind::exponential, .hours = 1.5};
       },
       kWall, 69.38389236081758},
      {"spread of waits by chance", 48, 4,
       [](Market& m) {
         kept(m, 0);
         m.rules.spot.restart_delay_law = Lifetime{.kind = Kind::exponential, .hours = 1.5};
       },
       kVariance, 54.0},
      {"the deadline leaves room for two waits", 10, 5,
       [](Market& m) {
         kept(m, 0);
         waits(m, 0.5);
         m.job.deadline = 11h;
       },
       kInTime, 5 * std::exp(-2.0)},
      // Other lives.
      {"even lives", 6, 1,
       [](Market& m) {
         m.from_zero(0.25);
         m.lives(Kind::uniform, 24);
       },
       kWall, 7.087588028169014},
      {"Weibull lives", 4, 1,
       [](Market& m) {
         m.from_zero(0.1);
         m.lives(Kind::weibull, 8, 0.6);
       },
       kWall, 5.269498354086149},
      {"a session that is capped", 24, 20, [](Market& m) { m.rules.spot.max_run_s = 86'400; },
       kSession, 13.97611576175596},
      {"a session that reaches the cap", 24, 20, [](Market& m) { m.rules.spot.max_run_s = 86'400; },
       kUndisturbed, 0.301194211912202},
      // What the meter makes of a session.
      {"a session in whole hours", 100, 5,
       [](Market& m) {
         one_session(m);
         m.rules.meter.round = Round::up;
         m.rules.meter.quantum_s = 3600;
       },
       kCost, 5.516655566126993 + 0.1},
      {"a session in whole minutes", 100, 5,
       [](Market& m) {
         one_session(m);
         m.rules.meter.round = Round::up;
         m.rules.meter.quantum_s = 60;
       },
       kCost, 5.008337962962035 + 0.1},
      {"a session of at least an hour", 100, 5,
       [](Market& m) {
         one_session(m);
         m.rules.meter.minimum_s = 3600;
       },
       kCost, spot::session_with_minimum(5, 1) + 0.1},
      {"a session whose first hour is free when it is taken then", 100, 5,
       [](Market& m) {
         one_session(m);
         m.rules.spot.free_if_reclaimed_within_s = 3600;
       },
       kCost, 4.912384518467891 + 0.1},
      {"whole hours, from zero", 10, 5,
       [](Market& m) {
         m.rules.meter.round = Round::up;
         m.rules.meter.quantum_s = 3600;
       },
       kCost, 35.2462218904634},
      {"a free first hour, from zero", 10, 5,
       [](Market& m) { m.rules.spot.free_if_reclaimed_within_s = 3600; }, kCost, 31.297884786477677},
      // Several machines, several tasks.
      {"eight machines and their zone", 40, 100,
       [](Market& m) {
         m.job.reclaim_mean.reset();
         m.rules.spot.mean_hours_between_reclaims = dec("100");
         m.rules.spot.zone_mean_hours_between_reclaims = dec("20");
         m.job.machines = 8;
       },
       kUpPerReclaim, 8 * 7.692307692307692},
      {"reclaims that take all eight", 40, 100,
       [](Market& m) {
         m.job.reclaim_mean.reset();
         m.rules.spot.mean_hours_between_reclaims = dec("100");
         m.rules.spot.zone_mean_hours_between_reclaims = dec("20");
         m.job.machines = 8;
       },
       kZoneShare, 0.38461538461538464},
      {"a thousandth of a cluster fails a thousandth as often", 1024, 16384 * kClusterLife,
       [](Market& m) { m.job.machines = 1024; }, kUpPerReclaim, 1024 * 49.48926014319809, 1'000},
      {"one task", 10, 5, [](Market& m) { in_tasks(m, 1); }, kBilled, 32.691624668309615},
      {"two tasks", 10, 5, [](Market& m) { in_tasks(m, 2); }, kBilled, 17.73194763964298},
      {"ten tasks", 10, 5, [](Market& m) { in_tasks(m, 10); }, kBilled, 12.303836529369043},
      {"forty tasks", 10, 5, [](Market& m) { in_tasks(m, 40); }, kBilled, 14.501636250843294, 1'000},
      {"ten tasks on four machines at once cost the same", 10, 5,
       [](Market& m) {
         in_tasks(m, 10);
         m.job.machines = 4;
       },
       kCost, 12.303836529369043},
      {"twelve tasks that all run through", 12, 40, [](Market& m) { m.job.splits = 12; }, kUndisturbed,
       0.7408182206817179},
      {"one try on spot, then on demand", 4, 5, [](Market& m) { m.job.policy = "retries:1"; }, kCost,
       9.361407610007234},
      {"three tries on spot, then on demand", 4, 5, [](Market& m) { m.job.policy = "retries:3"; },
       kCost, 7.108288170044065},
      // Slots of an hour in which spot is there by chance.
      {"greedy within 52 h", 48, 1, [](Market& m) { m.slots(52, "0.6", "greedy"); }, kCost,
       134.35860011894204, 2'000},
      {"greedy within 70 h", 48, 1, [](Market& m) { m.slots(70, "0.6", "greedy"); }, kCost,
       78.63857963218965, 2'000},
      {"last minute within 70 h", 48, 1, [](Market& m) { m.slots(70, "0.6", "last_minute"); }, kCost,
       59.48071185287586, 2'000},
      {"greedy where spot is nearly always there", 48, 1,
       [](Market& m) { m.slots(70, "0.9", "greedy"); }, kCost, 46.708804262421204, 2'000},
      {"greedy where spot is rare", 24, 1, [](Market& m) { m.slots(48, "0.3", "greedy"); }, kCost,
       51.97991567338377, 2'000},
      {"last minute where spot is rare", 24, 1, [](Market& m) { m.slots(48, "0.3", "last_minute"); },
       kCost, 43.39226097136864, 2'000},
      {"spot alone misses", 48, 1, [](Market& m) { m.slots(52, "0.9", "spot"); }, kTooLate,
       0.6045590998334007, 2'000},
      {"greedy never misses", 48, 1, [](Market& m) { m.slots(52, "0.6", "greedy"); }, kTooLate, 0,
       2'000},
      // Published rates, over a day.
      {"20 % a month", 24, 1,
       [](Market& m) {
         m.job.reclaim_mean.reset();
         m.rules.spot.interruption_percent_month = dec("20");
       },
       kDisturbed, 0.007309381921787486, 20'000},
      {"5 % an hour", 24, 1,
       [](Market& m) {
         m.job.reclaim_mean.reset();
         m.rules.spot.interruption_percent_hour = dec("5");
       },
       kDisturbed, 0.7080109756621274},
      {"20 % an hour", 24, 1,
       [](Market& m) {
         m.job.reclaim_mean.reset();
         m.rules.spot.interruption_percent_hour = dec("20");
       },
       kDisturbed, 0.9952776335171304, 500},
  };
  return kCases;
}

}  // namespace

TEST_CASE("known answers about spot machines, by form and by trial", "[spot][cases]") {
  for (const Case& known : cases()) {
    Market m(known.work, known.life);
    known.rules(m);
    m.options.trials = known.trials;
    m.options.advice = true;
    const SpotBill bill = m.tried();
    INFO(known.name << ": " << known.asked.what);
    if (const auto form = known.asked.closed(bill.outlook.expected)) {
      INFO("closed form " << *form);
      CHECK(std::fabs(*form - known.expected) <= 1e-9 * std::fmax(std::fabs(known.expected), 1));
    } else {
      CHECK(known.asked.runs);
    }
    if (!known.asked.runs) continue;
    const FromRuns runs = known.asked.runs(bill);
    INFO("runs " << runs.value << " with an error of " << runs.error << ", expected "
                 << known.expected);
    CHECK(std::fabs(runs.value - known.expected) <= 4 * runs.error + 1e-8);
  }
}

TEST_CASE("where a form should hold, there is one", "[spot][cases]") {
  Market m(10, 5);
  m.options.trials = 10;
  m.options.advice = true;
  const ClosedForm from_zero = m.tried().outlook.expected;
  CHECK((from_zero.wall && from_zero.billed && from_zero.reclaims && from_zero.wall_sd));
  CHECK((from_zero.run_through && from_zero.lost_if_reclaimed));
  standard(m);
  CHECK(m.tried().outlook.expected.useful_share);
  m.job.schedule = Schedule{.from_minute = 0, .to_minute = 600};
  CHECK_FALSE(m.tried().outlook.expected.wall);  // windows are beyond the forms
}

TEST_CASE("the interval between checkpoints, by four forms", "[spot][cases]") {
  struct Interval {
    double write, life;
    std::optional<double> exact, young, daly;
  };
  const Interval known[] = {
      {kTwoMinutes, 5, 0.5553451956082961, 0.5773502691896257, {}},
      {0.1, 1, {}, 0.4472135954999579, 0.383031448808291},
      {0.5, 2, 1.1024359470307508, 1.4142135623730951, 1.1005220840727212},
      {1.0 / 12, 24, 1.9448345554443502, {}, 1.94483024691358},
      {1.0 / 60, kClusterLife, 0.3100823243684066, 0.3210959752135323, {}},
  };
  const auto same = [](const std::optional<double>& value, const std::optional<double>& expected) {
    return !expected || (value && std::fabs(*value - *expected) <= 1e-9 * *expected);
  };
  for (const Interval& row : known) {
    Market m(10, row.life);
    m.checkpoints(1, row.write, kFiveMinutes);
    m.options.trials = 100;
    m.options.advice = true;
    const SpotBill bill = m.tried();
    REQUIRE(bill.checkpoint);
    CHECK(same(bill.checkpoint->exact, row.exact));
    CHECK(same(bill.checkpoint->young, row.young));
    CHECK(same(bill.checkpoint->daly, row.daly));
  }
  Market m(10, 3);
  m.checkpoints(1, 1.0 / 60, 1.0 / 15);
  m.options.trials = 100;
  m.options.advice = true;
  CHECK(same(m.tried().checkpoint->available_period, 0.3368228785383091));
}

TEST_CASE("machines that end after a fixed time take a time that can be told", "[spot][cases]") {
  struct Fixed {
    double work, life, restore, every, write;
    const char* survives;
    std::optional<double> hours;  // nothing: it never finishes
  };
  const Fixed known[] = {
      {40, 24, 0.25, 0, 0, "everything", 40.25},
      {40, 24, 0.25, 0, 0, "nothing", {}},
      {24, 24, 0.25, 0, 0, "nothing", 24},
      {10, 3, 0.1, 0.5, kTwoMinutes, "checkpoint", 11.733333333333333},
      {10, 3, 0.1, 3, kTwoMinutes, "checkpoint", {}},
      {72, 24, 0.5, 4, 0.1, "checkpoint", 84.7},
  };
  for (const Fixed& row : known) {
    Market m(row.work, 1);
    m.ends_after(row.life);
    m.checkpoints(row.every, row.write, row.restore);
    m.job.spot_model.survives = row.survives;
    const SpotBill bill = m.tried();
    INFO(row.work << " h of work, machines of " << row.life << " h");
    CHECK(bill.trials.n == 1);
    CHECK(bill.trials.finish_probability == (row.hours ? 1.0 : 0.0));
    CHECK(warns(bill.bill, "never_finishes") == !row.hours);
    if (row.hours) CHECK(std::fabs(in_hours(bill.trials.wall.mean) - *row.hours) <= 1e-9);
  }
}

TEST_CASE("from which load on demand is the cheaper way to rent", "[spot][cases]") {
  struct Even {
    const char *price, *spot;
    double load;
  };
  for (const Even& row : {Even{"2", "1", 1.2564312086261697}, Even{"3", "1", 1.9038136944403834},
                          Even{"3.06", "0.9731", 1.9759702363664493}}) {
    Market m(10, 5);
    m.offer.price.on_demand = dec(row.price);
    m.offer.price.spot = dec(row.spot);
    const auto even = spot_break_even(m.request());
    REQUIRE(even);
    CHECK(std::fabs(*even->load - row.load) <= 1e-9);
    CHECK(std::fabs(10 / *even->mean_life_hours - row.load) <= 1e-9);
    // With that life the runs cost what on demand costs.
    m.job.reclaim_mean = Market::hours(*even->mean_life_hours);
    m.options.trials = 10'000;
    check_cost(m.tried(), 10 * m.offer.price.on_demand->approximate());
  }
  Market dear(10, 5);
  dear.offer.price.spot = dec("4");
  CHECK_FALSE(spot_break_even(dear.request())->load);
  CHECK_FALSE(spot_break_even(dear.request())->mean_life_hours);
}

TEST_CASE("days, weeks and months that are paid in advance: the cheapest cover", "[spot][cases]") {
  struct Cover {
    int days;
    const char* cost;
  };
  for (const Cover& row : {Cover{5, "240"}, Cover{6, "240"}, Cover{20, "720"}, Cover{24, "820"},
                           Cover{25, "820"}, Cover{31, "868"}, Cover{45, "1348"}, Cover{59, "1640"}}) {
    World w;
    w.term("day", "24", "48");
    w.term("week", "168", "240");
    w.term("month", "720", "820");
    w.run = row.days * 24h;
    INFO(row.days << " days");
    CHECK(w.total("reserved") == row.cost);
  }
}
