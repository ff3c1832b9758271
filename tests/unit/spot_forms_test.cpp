// What work on the spot market costs on average, held to values that were derived and checked by
// independent simulations or searches. Each row names where its form comes from.
#include <cmath>

#include "catch.hpp"
#include "gpuplan/spot_forms.hpp"
#include "spot/law.hpp"
#include "spot/numbers.hpp"

using namespace gpuplan;
using namespace gpuplan::spot;

namespace {

bool near(double value, double expected, double relative = 1e-9) {
  return std::fabs(value - expected) <= relative * std::fmax(std::fabs(expected), 1.0);
}

// Restarts after reclaims: a renewal argument as in Young, "A first order approximation to the
// optimum checkpoint interval", CACM 1974, and Daly, "A higher order estimate of the optimum
// checkpoint interval for restart dumps", FGCS 2006; every value confirmed by a simulation.
Sessions sessions(double work, double life, double restore = 0, double wait = 0, double every = 0,
                  double write = 0) {
  Sessions s;
  s.work = work;
  s.mean_life = life;
  s.restore = restore;
  s.wait = wait;
  s.every = every;
  s.write = write;
  return s;
}
constexpr double kFiveMinutes = 1.0 / 12, kTwoMinutes = 1.0 / 30;

}  // namespace

TEST_CASE("ten hours from zero on machines that live five hours take thirty-two", "[spot]") {
  CHECK(near(means_of(sessions(10, 5)).makespan, 31.94528049465325));
  CHECK(near(means_of(sessions(10, 5, kFiveMinutes)).makespan, 32.482163432928175));
  Sessions immune = sessions(10, 5, kFiveMinutes);
  immune.strikes_restore = false;
  CHECK(near(means_of(immune).makespan, 32.47770183623081));
  const Means waits = means_of(sessions(8, 24, 0.25, 0.5));
  CHECK(near(waits.makespan, 9.793995684920265));
  CHECK(near(waits.billed, 9.59411822196271));
  CHECK(near(waits.reclaims, 0.39975492591511286));
  CHECK(near(run_through(10, 5), 0.1353352832366127));
  CHECK(near(run_through(48.5, 1 / 0.15), 0.0006926401207068018, 1e-12));
  CHECK(near(lost_when_reclaimed(2, 5), 0.9335104365605273));
}

TEST_CASE("with a checkpoint every half hour they take eleven and a half", "[spot]") {
  const Sessions standard = sessions(10, 5, kFiveMinutes, 0, 0.5, kTwoMinutes);
  CHECK(near(means_of(standard).makespan, 11.407928188892523));
  SECTION("a read-back that no reclaim can strike") {
    Sessions s = standard;
    s.strikes_restore = false;
    CHECK(near(means_of(s).makespan, 11.406361249706451));
  }
  SECTION("a first start that reads back as well") {
    Sessions s = standard;
    s.first_start_restores = true;
    CHECK(near(means_of(s).makespan, 11.491959840823828));
  }
  SECTION("45 minutes of waiting for each next machine") {
    Sessions s = standard;
    s.wait = 0.75;
    const Means means = means_of(s);
    CHECK(near(means.makespan, 13.119117417226402));
    // 1.20 an hour of card time and 0.04 an hour of storage while it waits as well.
    CHECK(near(1.2 * means.billed + 0.04 * means.makespan, 14.214278523360083));
  }
  SECTION("a last piece that is shorter") {
    CHECK(near(means_of(sessions(10.25, 6, 0.2, 0, 1, 0.1)).makespan, 12.7460308003219));
  }
  SECTION("a cluster with the failures of Llama 3 405B: 419 in 54 days") {
    const double life = 54 * 24 / 419.0;
    CHECK(near(means_of(sessions(48, life, 1.0 / 15, 0, 1, 1.0 / 60)).makespan,
               59.011186396660214));
    CHECK(near(16384.0 / 1024 * life, 49.48926014319809));
  }
  SECTION("a long job") {
    CHECK(near(goodput(sessions(1, 6, 0.25, 0, 1, 0.05)), 0.8359114880804361));
  }
}

TEST_CASE("the best piece of work between two checkpoints", "[spot]") {
  CHECK(near(best_interval(kTwoMinutes, 5), 0.5553451956082961));
  CHECK(near(best_interval(0.5, 2), 1.1024359470307508));
  CHECK(near(best_interval(1.0 / 12, 24), 1.9448345554443502));
  CHECK(near(best_interval(1.0 / 60, 54 * 24 / 419.0), 0.3100823243684066));
  CHECK(near(young_interval(kTwoMinutes, 5), 0.5773502691896257, 1e-12));
  CHECK(near(young_interval(0.1, 1), 0.4472135954999579, 1e-12));
  CHECK(near(young_interval(0.5, 2), 1.4142135623730951, 1e-12));
  CHECK(near(young_interval(1.0 / 60, 54 * 24 / 419.0), 0.3210959752135323, 1e-12));
  CHECK(near(daly_interval(0.1, 1), 0.383031448808291, 1e-12));
  CHECK(near(daly_interval(0.5, 2), 1.1005220840727212, 1e-12));
  CHECK(near(daly_interval(1.0 / 12, 24), 1.94483024691358, 1e-12));
  CHECK(daly_interval(4, 2) == 2);  // a write that is longer than two lives
  CHECK(near(available_period(1.0 / 60, 3, 1.0 / 15), 0.3368228785383091));
  // It is the best: a little more or less takes longer.
  const double best = best_interval(kTwoMinutes, 5);
  const auto time = [](double every) {
    return goodput(sessions(1, 5, kFiveMinutes, 0, every, kTwoMinutes));
  };
  CHECK(time(best) > time(best * 1.01));
  CHECK(time(best) > time(best * 0.99));
}

TEST_CASE("a notice that saves everything leaves only the restarts", "[spot]") {
  Sessions s = sessions(10, 5, kFiveMinutes);
  s.keeps_everything = true;
  CHECK(near(means_of(s).makespan, 10.16806330386261));
  CHECK(near(means_of(s).reclaims, 2.033612660772522));
  s.wait = 0.5;
  CHECK(near(means_of(s).makespan, 11.184869634248871));
  Sessions markov = sessions(48, 4, 0.2, 1.5);
  markov.keeps_everything = true;
  CHECK(near(means_of(markov).makespan, 69.38389236081758));
  CHECK(near(variance_kept(48, 4, 2 * 1.5 * 1.5), 54.0));
  // Ten hours, a reclaim every five, half an hour lost by each: within 11 h at most two of them.
  CHECK(near(done_by(10, 5, 0.5, 11), std::exp(-2.0) * 5));
  CHECK(done_by(10, 5, 0.5, 9.9) == 0);
  CHECK(near(done_by(10, 5, 0.1, 10.3), std::exp(-2.0) * (1 + 2 + 2 + 8 / 6.0)));  // on the dot
}

TEST_CASE("machines that are taken back after a fixed time", "[spot]") {
  const auto plan = [](double work, double life, double restore, double every, double write,
                       bool saves = false) {
    return makespan_of({.work = work,
                        .life = life,
                        .restore = restore,
                        .every = every,
                        .write = write,
                        .keeps_everything = saves});
  };
  CHECK(near(*plan(40, 24, 0.25, 0, 0, true), 40.25));
  CHECK_FALSE(plan(40, 24, 0.25, 0, 0));  // never finishes
  CHECK(near(*plan(24, 24, 0.25, 0, 0), 24));
  CHECK(near(*plan(10, 3, 0.1, 0.5, kTwoMinutes), 11.733333333333333));
  CHECK_FALSE(plan(10, 3, 0.1, 3, kTwoMinutes));
  CHECK(near(*plan(72, 24, 0.5, 4, 0.1), 84.7));
}

TEST_CASE("lives that are not exponential", "[spot]") {
  // E[min(X,W)] + F(W) E[min(X,R+W)] / (1 - F(R+W)): from zero, the first start without R.
  const auto from_zero = [](const Law& law, double work, double restore) {
    return law.mean_up_to(work) + law.ended_by(work) * law.mean_up_to(restore + work) /
                                      (1 - law.ended_by(restore + work));
  };
  const Law even({.kind = Lifetime::Kind::uniform, .shape = 1, .hours = 24, .parts = {}});
  CHECK(near(from_zero(even, 6, 0.25), 7.087588028169014));
  CHECK(near(from_zero(even, 6, 0), 7.0));  // W + (W/L)/(1 - W/L) W/2
  const Law weibull({.kind = Lifetime::Kind::weibull, .shape = 0.6, .hours = 8, .parts = {}});
  CHECK(near(from_zero(weibull, 4, 0.1), 5.269498354086149));
  CHECK(near(weibull.mean(), 8 * std::tgamma(1 + 1 / 0.6), 1e-8));
  CHECK(near(from_zero(Law::exponential_law(5), 10, 0), 31.94528049465325));
  const Law mixed({.kind = Lifetime::Kind::mixture,
                   .shape = 1,
                   .hours = 0,
                   .parts = {{.weight = 3, .mean_hours = 1}, {.weight = 1, .mean_hours = 9}}});
  CHECK(near(mixed.mean(), 3.0));
  CHECK(near(mixed.ended_by(1), 1 - 0.75 * std::exp(-1.0) - 0.25 * std::exp(-1.0 / 9)));
  CHECK(near(session_capped(20, 24), 13.97611576175596));
  CHECK(near(run_through(24, 20), 0.301194211912202));
}

TEST_CASE("what rounding and free hours make of a session", "[spot]") {
  CHECK(near(session_by_quantum(5, 1), 5.516655566126993));
  CHECK(near(session_by_quantum(5, 1.0 / 60), 5.008337962962035));
  CHECK(near(session_with_minimum(5, 1), 1 + 5 * std::exp(-0.2)));
  CHECK(near(session_free_first(5, 1), 4.912384518467891));
  CHECK(near(billed_by_quantum(10, 5, 1), 35.2462218904634));
  CHECK(near(billed_free_first(10, 5, 1), 31.297884786477677));
}

TEST_CASE("several machines and zones", "[spot]") {
  CHECK(near(life_with_spares(64, 2, 400), 18.464452214452216));
  CHECK(near(joint_life(8, 100, 20), 7.692307692307692));
  CHECK(near(joint_life(8, 100), 12.5));
  CHECK(near(zone_share(8, 100, 20), 0.38461538461538464));
  CHECK(near(enough_up(8, 10, 0.85), 0.820196480367578));
  CHECK(near(run_through(12, 40), 0.7408182206817179));  // twelve single tasks of an hour
}

TEST_CASE("small tasks are a defence", "[spot]") {
  CHECK(near(split_hours(10, 5, 0.1, 1), 32.691624668309615));
  CHECK(near(split_hours(10, 5, 0.1, 2), 17.73194763964298));
  CHECK(near(split_hours(10, 5, 0.1, 10), 12.303836529369043));
  CHECK(near(split_hours(10, 5, 0.1, 40), 14.501636250843294));
  const std::int64_t best = best_splits(10, 5, 0.1);
  for (std::int64_t k = 1; k <= 60; ++k)
    CHECK(split_hours(10, 5, 0.1, best) <= split_hours(10, 5, 0.1, k));
}

TEST_CASE("spot tries, then on demand", "[spot]") {
  CHECK(near(bill_hot_standby(4, 5, 1, 3), 14.753355179413893));
  CHECK(near(bill_with_retries(4, 5, 1, 1, 3), 9.361407610007234));
  CHECK(near(bill_with_retries(4, 5, 3, 1, 3), 7.108288170044065));
  CHECK(near(break_even_load(2), 1.2564312086261697));
  CHECK(near(break_even_load(3), 1.9038136944403834));
  CHECK(near(break_even_load(3.06 / 0.9731), 1.9759702363664493));
  CHECK(break_even_load(0.9) == 0);  // spot is dearer: from the first minute
}

TEST_CASE("waiting for spot until the slack is gone", "[spot]") {
  const auto bill = [](const Slots& s, double slots) {
    return 0.9731 * slots + 3.06 * (static_cast<double>(s.work) - slots);
  };
  const Slots tight{48, 52, 0.6}, loose{48, 70, 0.6}, often{48, 70, 0.9}, rare{24, 48, 0.3};
  CHECK(near(bill(tight, spot_slots(tight)), 134.35860011894204));
  CHECK(near(bill(loose, spot_slots(loose)), 78.63857963218965));
  CHECK(near(bill(loose, spot_slots_always(loose)), 59.48071185287586));
  CHECK(near(bill(often, spot_slots(often)), 46.708804262421204));
  CHECK(near(bill(rare, spot_slots(rare)), 51.97991567338377));
  CHECK(near(bill(rare, spot_slots_always(rare)), 43.39226097136864));
  CHECK(near(missed_on_spot_alone({48, 52, 0.9}), 0.6045590998334007));
}

TEST_CASE("published rates become mean lives with their period", "[spot]") {
  const auto day = [](double share, double period) {
    return 1 - run_through(24, mean_life_of(share, period));
  };
  CHECK(near(day(0.2, 730), 0.007309381921787486));  // one cloud counts a month
  CHECK(near(day(0.05, 1), 0.7080109756612274));     // another an hour
  CHECK(near(day(0.2, 1), 0.9952776335171304));
}

TEST_CASE("our logarithm and exponential are those of the C library to the last digits", "[spot]") {
  const Stream stream(7, 1);
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const double u = stream.uniform(i), x = 700 * (2 * stream.uniform(i, 1) - 1);
    REQUIRE(std::fabs(natural_log(u) - std::log(u)) <= 4e-16 * std::fabs(std::log(u)));
    REQUIRE(std::fabs(exponential(x) - std::exp(x)) <= 4e-16 * std::exp(x));
    REQUIRE(std::fabs(exponential_minus_1(u) - std::expm1(u)) <= 6e-16 * std::expm1(u));
  }
  CHECK(natural_log(1) == 0);
  CHECK(natural_log(5e-324) == Approx(std::log(5e-324)).epsilon(1e-15));
}

TEST_CASE("a number of a run depends on seed, run and place alone", "[spot]") {
  for (std::uint64_t run = 0; run < 500; ++run) {
    const auto together = Stream(7, run).logs(3 * run, run % 5);
    for (std::size_t i = 0; i < together.size(); ++i)
      REQUIRE(together[i] == natural_log(Stream(7, run).uniform(3 * run + i, run % 5)));
  }
  CHECK(Stream(1, 0).uniform(0) == Stream(1, 0).uniform(0));
  CHECK(Stream(1, 0).uniform(0) != Stream(2, 0).uniform(0));
  CHECK(Stream(1, 0).uniform(0) != Stream(1, 1).uniform(0));
  CHECK(Stream(1, 0).uniform(0) != Stream(1, 0).uniform(1));
  // Even: each tenth has its share of 100,000 numbers within five standard errors.
  int tenths[10] = {};
  for (std::uint64_t run = 0; run < 1000; ++run)
    for (std::uint64_t place = 0; place < 100; ++place)
      ++tenths[static_cast<int>(10 * Stream(1, run).uniform(place))];
  for (const int count : tenths) CHECK(std::abs(count - 10'000) < 475);
}
