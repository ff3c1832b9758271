#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpuplan/cards.hpp"
#include "gpuplan/compact.hpp"
#include "gpuplan/date.hpp"
#include "gpuplan/money.hpp"
#include "gpuplan/result.hpp"
#include "gpuplan/units.hpp"
#include "gpuplan/workload.hpp"

namespace gpuplan {

// Every rule below is as the document states it: an absent optional means "not stated", and the
// default that then holds is applied, with its warning, where the bill is made.

enum class State { running, held, released, hibernated, cardless, gone, not_offered };
std::string_view name_of(State state);

enum class Round { up, nearest, none };
enum class Align { start, clock };
enum class BilledFrom { request, provisioning, ready };

struct MeterRules {
  std::optional<std::int64_t> quantum_s, minimum_s;
  std::optional<Round> round;
  std::optional<Align> align;
  std::optional<BilledFrom> billed_from;
  std::optional<std::int64_t> month_hours;  // 720, 730, 744; 0 = calendar
  std::optional<Decimal> cap_month;
};

// Multipliers of the running rate in a state; `flat` is an hourly price instead of them.
struct StateFactor {
  std::optional<Decimal> compute, system, data, volume, ip, flat;
};

struct DiskOnStop {
  enum class Kind { keep, reset, wipe } kind = Kind::keep;
  Duration wipe_after{0};
};

struct StopRules {
  std::optional<State> guest_shutdown, stop, hibernate, cardless, terminate;
  std::map<State, StateFactor> factor;
  std::optional<bool> gpu_kept;
  std::optional<DiskOnStop> system_disk, data_disk;
  std::optional<Duration> release_after;
};

enum class StorageKind { system, data, volume, image, object };
inline constexpr std::array kStorageKinds{StorageKind::system, StorageKind::data,
                                          StorageKind::volume, StorageKind::image,
                                          StorageKind::object};
std::string_view name_of(StorageKind kind);
enum class PricePer { hour, day, month };
enum class StorageBasis { provisioned, used_mean, used_max_day };
enum class StorageQuantum { second, hour, day };

struct StorageTier {
  std::optional<Decimal> up_to_gb;  // absent on the last
  Decimal price;
};

struct StorageRule {
  std::optional<Decimal> price;  // a GB (or GiB) and `per`; absent = not stated
  PricePer per = PricePer::month;
  bool gib = false;  // sizes and prices of this rule are in GiB
  Decimal included_gb;
  bool included_per_account = false;
  std::vector<StorageTier> tiers;
  StorageBasis basis = StorageBasis::provisioned;
  std::optional<StorageQuantum> quantum;  // absent: by the second
  std::optional<Align> align;             // absent: from the start
  std::optional<Decimal> cap_month;
  std::optional<bool> with_instance;  // absent: true for system, else false
  std::optional<Decimal> min_gb;
  std::vector<Decimal> sizes_gb;
  std::optional<Decimal> mb_per_s;
};

struct TrafficTier {
  std::optional<Decimal> up_to_gb;
  Decimal per_gb;
};

struct NetworkRules {
  bool gib = false;
  std::optional<Decimal> ingress_per_gb, egress_per_gb, internal_per_gb;
  std::vector<TrafficTier> egress_tiers;
  std::optional<Decimal> egress_included_gb_month;
  std::optional<Decimal> ip_per_hour, ip_per_month, ip_cap_month;
  std::optional<Decimal> up_mbps, down_mbps, internal_mbps;
};

struct Lifetime {
  enum class Kind { exponential, weibull, uniform, mixture, observed } kind = Kind::exponential;
  double shape = 1;
  double hours = 0;  // mean, scale or upper end
  struct Part {
    double weight = 1;
    double mean_hours = 0;
  };
  std::vector<Part> parts = {};
  // Lives that somebody has seen: from `hours` on the share `left` is still there.
  struct Step {
    double hours = 0, left = 0;
  };
  std::vector<Step> steps = {};  // in their order; none outlives the last
};

struct SpotRules {
  // The life of each session in turn, then none; an empty list states that there are no reclaims.
  std::optional<std::vector<std::int64_t>> reclaim_after_s;
  std::optional<std::string> availability_file;  // as it is opened: in the folder of its catalog
  std::int64_t availability_start = 0;
  // Instead of a file: there in this share of the ticks, each tick for itself.
  std::optional<Decimal> availability_share;
  std::optional<std::int64_t> availability_gap_s;
  std::optional<Lifetime> lifetime;
  std::optional<Decimal> mean_hours_between_reclaims;
  std::optional<Decimal> interruption_percent_hour, interruption_percent_month;
  std::optional<Decimal> zone_mean_hours_between_reclaims;  // of all machines at once, beside that
  std::optional<Lifetime> restart_delay_law;                // instead of restart_delay_s
  std::optional<std::int64_t> notice_s;
  std::optional<std::string> effect;  // terminate | stop | pause
  std::optional<bool> disk_kept;
  std::optional<std::int64_t> restart_delay_s, protect_s, free_if_reclaimed_within_s, max_run_s;
  std::optional<bool> free_last_quantum, can_stop;
  std::optional<std::string> price_model;  // fixed | market
};

struct Refund {
  enum class Kind { none, pro_rata, multiplier, clawback, service_credit } kind = Kind::none;
  Decimal value;  // multiplier, or percent of the clawback
};
enum class AtEnd { renew, on_demand, stop };

struct TermRules {
  std::optional<Refund> refund;
  std::optional<bool> covers_gpu_only;
  std::optional<AtEnd> at_end;
  std::optional<bool> stop_forfeits;
};

struct Credit {
  Decimal amount;
  bool monthly = false;
  std::optional<Decimal> expires_days;
  std::vector<std::string> plans;  // empty: all
  std::vector<std::string> who;    // empty: any
};

struct Discount {
  Decimal percent;
  std::vector<std::string> plans, items, who;  // empty: all, all, any
  std::optional<Decimal> above_spend;
};

struct AccountRules {
  std::optional<Decimal> fee_month;
  std::vector<Credit> credits;
  std::vector<Discount> discounts;
  std::optional<Decimal> minimum_topup, host_down_factor;
  std::optional<Decimal> sla_uptime_percent, sla_credit_percent;
};

struct ProvisionRules {
  std::optional<Decimal> queue_s, start_s;
  std::optional<Decimal> available;
  std::optional<Decimal> auto_stop_idle_s, auto_stop_wall_s;
  std::optional<bool> auto_stop_default_on;
};

struct EnvironmentRules {
  std::optional<std::string> driver;
  struct Image {
    std::string framework, version, cuda, python;
  };
  std::vector<Image> images;
  std::optional<bool> custom_images, containers, graphics, root;
};

struct ServiceRules {
  std::optional<bool> exclusive, data_wiped, itemised_bill, sub_accounts, quotas;
  std::optional<bool> resumable_transfer, object_storage, education;
  std::optional<Decimal> performance_factor;
  std::optional<std::string> isolation, support_hours;
  std::vector<std::string> compliance;
};

struct ServerlessRules {
  std::optional<Decimal> idle_s, start_s;  // the reader asks for both
};

struct QuotaRules {
  std::optional<Decimal> hours;
  std::string per;
  std::optional<Decimal> session_max_s;
};

struct Rules {
  MeterRules meter;
  StopRules stop;
  std::map<StorageKind, StorageRule> storage;
  NetworkRules network;
  SpotRules spot;
  TermRules terms;
  ProvisionRules provision;
  EnvironmentRules environment;
  ServiceRules service;
  std::optional<ServerlessRules> serverless;
  std::optional<QuotaRules> quota;
};

enum class PriceUnit { second, hour, day, month };
struct Component {
  std::string what;  // gpu | vcpu | ram_gb | fee
  std::optional<Decimal> price, spot;
  PriceUnit per = PriceUnit::hour;
};

struct Commitment {
  std::string name;  // "day", "week", "month", "year", or its own
  Decimal hours;
  Decimal price;
  std::optional<Decimal> hourly;
  bool hourly_used = false;  // `hourly` is paid for used hours only
  std::optional<Refund> refund;
  std::optional<bool> covers_gpu_only;
  std::optional<AtEnd> at_end;
};

// Spot prices over time, an hour of the whole instance: each holds until the next, the last one on.
struct PriceStep {
  Duration at{0};  // from the job's start; of a dated series from 1970 on, in UTC
  Decimal price;
};
struct PriceSeries {
  bool dated = false;
  std::vector<PriceStep> steps;  // in order of time
};
// CSV with the columns time and price: times are moments, or durations from the job's start.
Result<PriceSeries> read_price_series(std::string_view csv, const std::string& source);

// The file that an offer names for it, and what is in it once it has been read.
struct SpotSeries {
  std::string file;        // relative to the catalog
  std::int64_t times = 1;  // its prices are for one card: times this
  PriceSeries prices = {};  // no steps: not read yet
  std::string path = {};    // the file as it is opened: in the folder of the catalog that names it
};

struct Prices {
  MaybeDecimal on_demand, spot;
  Few<Commitment> commitments;  // day, week, month, year first, then the named ones
  std::shared_ptr<const SpotSeries> spot_series;  // null: none
};

// Rules as one level of a catalog states them, before they are merged. Only the reader looks inside.
struct RuleLayer;

// A key that starts with x_: the user's own, kept as JSON text.
struct OwnKey {
  std::string key, json;
};

struct Offer {
  std::string id;        // unique in its platform
  std::size_t platform = 0;  // index into Catalog::platforms
  SharedText card;       // as the catalog writes it
  std::int64_t gpus = 1;
  bool node_only = false;
  MaybeDecimal share;
  std::optional<Bytes> memory;  // of the part, or of a modified board
  std::optional<Wire> interconnect;
  MaybeDecimal nodes_gbps, vcpus, ram_gb, disk_gb;
  SharedText region, tier, zone, stock;
  bool free = false;
  bool quote = false;  // price_kind
  std::optional<Date> as_of;  // its own, else the platform's, else the catalog's
  SharedText source, note;
  Prices price;
  Few<Component> components;
  std::shared_ptr<const Rules> rules;  // merged: defaults < catalog < platform < offer; never null
  std::shared_ptr<const RuleLayer> layer;  // what the offer itself states; null: nothing
  Few<OwnKey> own;
};

struct Platform {
  std::string id, name, url, market, currency, source;
  std::optional<Date> as_of;
  std::optional<Decimal> tax_percent;
  bool account_stated = false;
  AccountRules account;
  std::shared_ptr<const Rules> rules;      // of an offer that states none; never null
  std::shared_ptr<const RuleLayer> layer;  // what the platform itself states; null: nothing
  std::vector<OwnKey> own;
};

// A line of one's own contract: what it names costs so much less or more, or is paid already.
struct ContractTerm {
  std::string platform, card, region;  // empty: any
  std::vector<std::string> plans;      // empty: all
  std::optional<Decimal> discount_percent, markup_percent;
  bool prepaid = false;  // its card time counts as 0
  std::string note;
};

struct Catalog {
  std::string name;
  std::optional<Date> as_of;
  std::string currency = "USD";
  std::map<std::string, Decimal> fx;  // value of one unit in `currency`
  std::vector<Card> cards;            // its own additions
  std::vector<OwnKey> card_texts;     // the same as they were written: name and JSON text
  std::vector<ContractTerm> contract;  // applied by apply_contract(), in this order
  std::vector<Platform> platforms;
  std::vector<Offer> offers;          // in file order
  std::shared_ptr<const RuleLayer> layer;  // its `defaults`; null: none
  std::vector<OwnKey> own;
  std::string sha256;                 // of the bytes read; of several files, of their hashes
  Warnings warnings;
};

// Reads `gpuplan.catalog/1` text. Every fault is reported with file, pointer, value found and
// values allowed, up to a cap with a count of the rest.
Result<Catalog> read_catalog(std::string_view text, const std::string& source);
// The same for texts that are too long to be held twice. `hash` gives the SHA-256 of the text and runs
// beside the reading; `passed` is told how many bytes from the begin will most likely not be looked at
// again.
struct LongText {
  std::string_view text;
  std::function<std::string()> hash;
  std::function<void(std::size_t)> passed;
};
Result<Catalog> read_catalog(const LongText& text, const std::string& source);
// Lays `upper` over `lower` as if both were one file: an offer of the same platform and id is
// replaced, platforms and rules merge key by key, and what `upper` states wins.
Catalog overlay(Catalog lower, Catalog upper);
// Applies the terms of the contract to the prices of compute, exactly, and says so in the notes of the
// offers and in one warning for each term. A term that meets no offer is a warning too.
void apply_contract(Catalog& catalog, const CardTable& cards);
// Gives every offer that names a series what is in its file; `read` opens each path once. An offer that
// states no spot price beside it is then listed with the first price of the series. Errors: those of
// `read`, and prices that have too many digits for so many cards.
Diagnostics lay_spot_series(
    Catalog& catalog, const std::function<Result<PriceSeries>(const std::string& path)>& read);
// The offers that an `ID` or `PLATFORM/ID` names.
std::vector<const Offer*> find_offers(const Catalog& catalog, std::string_view id);

}  // namespace gpuplan
