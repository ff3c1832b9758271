#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "billing/calendar.hpp"
#include "billing/exact.hpp"
#include "gpuplan/billing.hpp"

namespace gpuplan::billing {

// What is said once and belongs to the whole bill.
class Notes {
 public:
  void warn(std::string_view code, std::string message, std::string where = {});
  void unpriced(std::string_view item, std::string quantity, std::string_view unit,
                std::string key);
  Warnings warnings;
  std::vector<Unpriced> missing;
};

// One text, so that all that is assumed about metering is one warning.
inline constexpr const char* kMeteringAssumed =
    "how time is metered is not stated in full: by the second from each start, rounded up, without a "
    "minimum, from provisioning on, disks by the second as well, and months of 730 h are assumed";

// Multipliers of the running rate in one state, every default filled in.
struct StateRate {
  Decimal compute, system, data, volume, ip;
  std::optional<Decimal> flat;  // an hour, instead of all of them
  friend bool operator==(const StateRate&, const StateRate&) = default;
};

// A price that holds from a moment of the job's time line on.
struct TimedPrice {
  Duration from{0};
  Decimal price;
};

// A part of the price of the running machine: price a `per`, for `count` of it.
struct Charge {
  Decimal price;
  PriceUnit per = PriceUnit::hour;
  std::string_view rule = {};  // where the price stands
  const std::vector<TimedPrice>* series = nullptr;  // where it changes; null: it does not
  friend bool operator==(const Charge& a, const Charge& b) {
    return a.price == b.price && a.per == b.per && a.series == b.series;
  }
};

enum class Home { none, data, volume, system };  // what holds the job's data

// What outlives a machine that the platform takes back: the progress up to then, up to the last
// checkpoint, or nothing.
enum class Survives { nothing, checkpoint, everything };

// What happens when the platform takes a machine back.
struct SpotTerms {
  Survives survives = Survives::nothing;
  bool disk_kept = false;  // the disks that belong to the machine
  bool address_kept = false;
  Duration restart_delay{0}, protect{0}, free_within{0};
  std::optional<Duration> max_run;
  bool free_last_quantum = false;
  std::optional<std::int64_t> tries;  // after so many reclaims on demand
  bool strikes_restore = true, first_restores = false, checkpoint_after_last = false;
};

// A job on an offer with every default filled in: what one of its machines does and what rules
// hold. Amounts are shares of one machine.
struct Setup {
  const BillRequest* request = nullptr;
  const Offer* offer = nullptr;
  const Platform* platform = nullptr;
  const Rules* rules = nullptr;
  const Job* job = nullptr;
  Calendar calendar{std::nullopt};
  bool spot = false, reserved = false;

  std::int64_t machines = 1;
  Duration work{0}, down{0};
  Duration queue{0}, start{0}, idle{0}, keep{0};
  std::optional<Duration> auto_stop, wall_limit;
  Bytes uploaded, downloaded;  // by all machines once, as it goes over the public line
  Duration stage_time{0};      // upload to the object store, before any machine
  Duration upload_time{0}, download_time{0};  // of one machine; from the object store when staged
  bool staged = false, upload_cardless = false;
  Bytes staged_object;      // what lies in the object store meanwhile
  bool for_the_job = true;  // these machines carry what the job has once: images, objects
  Duration checkpoint_every{0}, checkpoint_write{0}, restore{0};
  SpotTerms spot_terms;

  std::array<StateRate, 7> rates;  // by State
  Verb end = Verb::terminate;
  std::optional<Duration> release_after;
  std::optional<Duration> wiped_after;  // what the data lies on loses it after such a stop
  BilledFrom billed_from = BilledFrom::provisioning;

  Home home = Home::none;  // of the job's data
  bool home_ends = false;  // that disk ends with the machine
  Bytes data_disk;         // size of it; 0 when it lies inside the system disk
  Bytes system_extra;      // asked above what is in the price
  bool disk_kept = false;

  std::vector<TimedPrice> spot_prices;  // where they are a series
  std::vector<Charge> running;  // of the plan: nothing when all of it is prepaid
  std::vector<Charge> on_demand;  // of a spot plan, while it rents on demand
  Duration month_length(std::int64_t month) const;  // that a price a month is divided by

  const StateRate& rate(State state) const { return rates[static_cast<std::size_t>(state)]; }
  const StorageRule* storage(StorageKind kind) const;
  bool with_instance(StorageKind kind) const;
};

// A price for this kind of disk is stated.
bool priced(const StorageRule* rule);
std::string_view label(State state);
std::string_view label(StorageKind kind);

// The multipliers that hold in a state, every default filled in.
StateRate state_rate(const Rules& rules, State state);

Setup set_up(const BillRequest& request, Notes& notes);
void resolve_disks(Setup& setup, Notes& notes);
void resolve_transfers(Setup& setup, Notes& notes);
void resolve_spot(Setup& setup);
// What an hour of the running machine costs under the plan of the request.
void resolve_prices(Setup& setup, Notes& notes);
// Where a verb leads; what is not offered leaves the machine running, with a warning. `on_demand`: of a
// spot plan's machine that is rented on demand, which the rules of spot machines do not hold for.
State after(Verb verb, const Setup& setup, Notes& notes, bool on_demand = false);

// What holds at a moment: before the first the first, after the last the last.
const Decimal& price_at(const std::vector<TimedPrice>& prices, Duration time);

// The charges of the running machine on demand or on the spot market, or why there are none.
struct Refusal {
  std::string code, message, pointer;
};
struct Pricing {
  std::vector<Charge> charges;
  std::optional<Refusal> refusal;
};
Pricing price_running(const Offer& offer, bool spot);
// The parts that a prepaid term for the cards alone leaves to be paid on demand.
std::vector<Charge> beside_cards(const Offer& offer);

}  // namespace gpuplan::billing
