#include "billing/disks.hpp"

#include <algorithm>
#include <map>

namespace gpuplan::billing {
namespace {

constexpr std::int64_t kGb = 1'000'000'000, kGib = std::int64_t{1} << 30;

constexpr std::array<std::string_view, 3> kPers{"hour", "day", "month"};  // by PricePer

// A stretch of a disk's life at one rate.
struct Span {
  Duration from{0}, to{0};
  Decimal factor = {};
  std::string_view state = {};
};

struct Disk {
  StorageKind kind = StorageKind::data;
  Bytes size = {};
  std::int64_t first = 0, count = 1;  // of which machines; each has one
  std::vector<Span> spans = {};
};

std::string_view price_rule(StorageKind kind) {
  constexpr std::array<std::string_view, 5> kRules{
      "storage.system", "storage.data", "storage.volume", "storage.image", "storage.object"};
  return kRules[static_cast<std::size_t>(kind)];
}

const Decimal& factor_of(const StateRate& rate, StorageKind kind) {
  return kind == StorageKind::system ? rate.system
         : kind == StorageKind::data ? rate.data
                                     : rate.volume;
}

// The life of a disk of one machine: from provisioning to the end verb, or to the end of retention;
// one that belongs to the machine is not there while the machine is gone.
std::vector<Span> life_of(const Setup& setup, const Line& line, StorageKind kind, bool kept) {
  std::vector<Span> spans;
  const bool ends = setup.with_instance(kind);
  const Duration death = kept ? line.keep_end : line.end;
  for (const Segment& segment : line.segments) {
    const Duration from = std::max(segment.from, line.provisioned);
    const Duration to = std::min(segment.to, death);
    const bool lost = segment.state == State::gone ||
                      (segment.activity == Activity::waiting && !setup.spot_terms.disk_kept);
    if (from >= to || (ends && lost)) continue;
    const Decimal& factor = factor_of(setup.rate(segment.state), kind);
    if (!spans.empty() && spans.back().to == from && spans.back().factor == factor) {
      spans.back().to = to;
    } else {
      spans.push_back(
          {.from = from,
           .to = to,
           .factor = factor,
           .state = segment.activity == Activity::waiting ? "waiting" : label(segment.state)});
    }
  }
  return spans;
}

std::vector<Span> whole_life(Duration from, Duration to) {
  if (from >= to) return {};
  return {{.from = from, .to = to, .factor = Decimal::of(1), .state = "running"}};
}

// Whole seconds, hours or days, one begun counting in full; by the clock every one touched.
Duration counted(const StorageRule& rule, const Calendar& calendar, Duration from, Duration to) {
  const Duration tick = rule.quantum == StorageQuantum::hour  ? kHour
                        : rule.quantum == StorageQuantum::day ? kDay
                                                              : kSecond;
  if (rule.align.value_or(Align::start) == Align::start) return ceil_div((to - from).count(), tick.count()) * tick;
  const Duration begin = calendar.clock(from), end = calendar.clock(to);
  return ceil_div(end.count(), tick.count()) * tick - floor_div(begin.count(), tick.count()) * tick;
}

// A quantum that nobody states, or from where it counts, and with whose other common value this disk
// would cost something else.
void assume_quantum(const Setup& setup, const StorageRule& rule, const Disk& disk, Notes& notes) {
  StorageRule other = rule;
  if (!rule.quantum) other.quantum = rule.per == PricePer::day ? StorageQuantum::day : StorageQuantum::hour;
  else if (*rule.quantum != StorageQuantum::second && !rule.align) other.align = Align::clock;
  for (const Span& span : disk.spans)
    if (!span.factor.is_zero() && counted(rule, setup.calendar, span.from, span.to) !=
                                      counted(other, setup.calendar, span.from, span.to))
      return notes.warn("metering_assumed", kMeteringAssumed, "meter");
}

// What a size of this kind is sold as: at least `min_gb`, or the next size of the list.
Bytes sold_size(const StorageRule& rule, Bytes wanted, Notes& notes, StorageKind kind) {
  const std::int64_t unit = rule.gib ? kGib : kGb;
  Bytes size = wanted;
  if (rule.min_gb) size = std::max(size, Bytes::of(rule.min_gb->times(unit).value_or(INT64_MAX)));
  if (rule.sizes_gb.empty()) return size;
  std::optional<Bytes> best;
  for (const Decimal& option : rule.sizes_gb) {
    const Bytes bytes = Bytes::of(option.times(unit).value_or(INT64_MAX));
    if (bytes >= size && (!best || bytes < *best)) best = bytes;
  }
  if (!best)
    notes.warn("disk_size_not_sold", "no disk of this size is sold: it is billed as if it were",
               "storage." + std::string(label(kind)));
  return best.value_or(size);
}

// A stretch of sizes, in bytes from the first that is not included, at one price.
struct Step {
  std::int64_t from = 0, to = INT64_MAX;
  Decimal price = {};
};

std::vector<Step> steps_of(const StorageRule& rule) {
  const std::int64_t unit = rule.gib ? kGib : kGb;
  if (rule.tiers.empty()) return {{.price = rule.price.value_or(Decimal{})}};
  std::vector<Step> steps;
  std::int64_t from = 0;
  for (const StorageTier& tier : rule.tiers) {
    const std::int64_t to =
        tier.up_to_gb ? tier.up_to_gb->times(unit).value_or(INT64_MAX) : INT64_MAX;
    steps.push_back({.from = from, .to = to, .price = tier.price});
    from = to;
  }
  steps.back().to = INT64_MAX;  // above the last step its price holds on
  return steps;
}

// What lies in a store from a moment on; it takes up what is included, and the lower
// steps, before all that comes later in the list.
using Profile = std::map<Duration, std::int64_t>;

void add(Profile& profile, Duration from, Duration to, std::int64_t bytes) {
  const auto begin_at = [&](Duration time) {
    const auto next = profile.upper_bound(time);
    const std::int64_t before = next == profile.begin() ? 0 : std::prev(next)->second;
    return profile.try_emplace(time, before).first;
  };
  const auto end = begin_at(to);
  for (auto at = begin_at(from); at != end; ++at) at->second += bytes;
}

// A stretch during which as much lies below a disk.
struct Level {
  Duration from{0}, to{0};
  std::int64_t below = 0;
};

// Where a time line begins among those of an account's jobs: they may go by different clocks.
Duration origin_of(const Job& job) {
  return job.start ? std::chrono::duration_cast<Duration>(job.start->utc.time_since_epoch()) : Duration{0};
}

// `origin`: of the time line that the span is on.
std::vector<Level> levels_of(const Profile& profile, Duration origin, const Span& span) {
  std::vector<Level> levels{{.from = span.from, .to = span.to}};
  auto next = profile.upper_bound(origin + span.from);
  if (next != profile.begin()) levels.back().below = std::prev(next)->second;
  for (; next != profile.end() && next->first < origin + span.to; ++next) {
    if (next->second == levels.back().below) continue;
    const Duration cut = next->first - origin;
    levels.back().to = cut;
    levels.push_back({.from = cut, .to = span.to, .below = next->second});
  }
  return levels;
}

class Biller {
 public:
  Biller(const Setup& setup, const Cuts& cuts, Drafts& out)
      : setup_(setup), cuts_(cuts), out_(out) {}

  void bill(const Disk& disk, const StorageRule& rule, Bytes size, const Profile& below);

 private:
  void bill_level(const Disk& disk, const StorageRule& rule, const Span& span, const Level& level,
                  Bytes size, MonthCap& cap);
  void bill_step(const Disk& disk, const StorageRule& rule, const Span& span, const Level& level,
                 const Step& step, std::int64_t bytes, MonthCap& cap);

  const Setup& setup_;
  const Cuts& cuts_;
  Drafts& out_;
};

void Biller::bill(const Disk& disk, const StorageRule& rule, Bytes size, const Profile& below) {
  MonthCap cap(rule.cap_month);
  for (const Span& span : disk.spans) {
    if (span.factor.is_zero()) continue;
    for (const Level& level : levels_of(below, origin_of(*setup_.job), span))
      bill_level(disk, rule, span, level, size, cap);
  }
}

void Biller::bill_level(const Disk& disk, const StorageRule& rule, const Span& span,
                        const Level& level, Bytes size, MonthCap& cap) {
  const std::int64_t unit = rule.gib ? kGib : kGb;
  const std::int64_t included = rule.included_gb.times(unit).value_or(INT64_MAX);
  const std::int64_t begin = std::max<std::int64_t>(level.below - included, 0);
  const std::int64_t end = std::max<std::int64_t>(level.below + size.count() - included, 0);
  if (end == 0)
    out_.push_back({.from = level.from,
                    .to = level.to,
                    .first = disk.first,
                    .count = disk.count,
                    .item = Item::storage,
                    .state = span.state,
                    .unit = rule.gib ? Unit::gib : Unit::gb,
                    .quantity = static_cast<std::uint64_t>(size.count()),
                    .price = Decimal{},
                    .note = "included",
                    .rule = price_rule(disk.kind)});
  for (const Step& step : steps_of(rule)) {
    const std::int64_t bytes = std::min(end, step.to) - std::max(begin, step.from);
    if (bytes > 0) bill_step(disk, rule, span, level, step, bytes, cap);
  }
}

void Biller::bill_step(const Disk& disk, const StorageRule& rule, const Span& span,
                       const Level& level, const Step& step, std::int64_t bytes, MonthCap& cap) {
  const Duration whole = counted(rule, setup_.calendar, span.from, span.to);
  // The last part of a span carries what the begun quantum adds.
  const Duration added = level.to == span.to ? whole - (span.to - span.from) : Duration{0};
  const bool by_month = rule.per == PricePer::month || cap.stated();
  Duration period{0}, time{0};
  Money before;
  for (Duration from = level.from; from < level.to;) {  // cut where months are
    const Duration to = std::min(level.to, cuts_.next(from));
    const std::int64_t month = by_month ? setup_.calendar.month_of(from) : 0;
    const Duration per = rule.per == PricePer::hour  ? kHour
                         : rule.per == PricePer::day ? kDay
                                                     : setup_.month_length(month);
    if (per != period) period = per, time = Duration{0}, before = Money{};
    const Duration counted_time = to - from + (to == level.to ? added : Duration{0});
    time += counted_time;
    const Money after = Ratio{step.price}
                            .times(span.factor)
                            .times(bytes)
                            .times(time)
                            .over(rule.gib ? kGib : kGb)
                            .over(period)
                            .money();
    const Money amount = cap.take(after - before, month);
    out_.push_back({.from = from,
                    .to = to,
                    .first = disk.first,
                    .count = disk.count,
                    .item = Item::storage,
                    .state = span.state,
                    .amount = amount,
                    .unit = rule.gib ? Unit::gib : Unit::gb,
                    .quantity = static_cast<std::uint64_t>(bytes),
                    .price = product(step.price, span.factor).value_or(step.price),
                    .note = amount != after - before ? "cap_month" : label(disk.kind),
                    .rule = price_rule(disk.kind),
                    .per = kPers[static_cast<std::size_t>(rule.per)],
                    .billed = counted_time,
                    .period = per});
    before = after;
    from = to;
  }
}

std::vector<Disk> disks_of(const Setup& setup, const Line& line) {
  const Job& job = *setup.job;
  std::vector<Disk> disks;
  const auto add = [&](StorageKind kind, Bytes size, std::int64_t count, std::vector<Span> spans) {
    if (size.count() > 0 && !spans.empty())
      disks.push_back(
          {.kind = kind, .size = size, .first = 0, .count = count, .spans = std::move(spans)});
  };
  if (setup.system_extra.count() > 0)
    add(StorageKind::system, setup.system_extra, setup.machines,
        life_of(setup, line, StorageKind::system, true));
  const StorageKind kind = setup.home == Home::volume ? StorageKind::volume : StorageKind::data;
  if (setup.data_disk.count() > 0)
    add(kind, setup.data_disk, setup.machines, life_of(setup, line, kind, setup.disk_kept));
  if (!setup.for_the_job) return disks;
  for (const Bytes image : job.keep.images)
    add(StorageKind::image, image, 1, whole_life(line.end, line.keep_end));
  if (job.keep.object)
    add(StorageKind::object, *job.keep.object, 1, whole_life(line.end, line.keep_end));
  if (setup.staged)
    add(StorageKind::object, setup.staged_object, 1, whole_life(line.from, line.end));
  if (job.checkpoint && job.checkpoint->to == CheckpointTo::object && line.first_write)
    add(StorageKind::object,
        Bytes::of(Decimal::of(job.checkpoint->keep)
                      .times(job.checkpoint->size.count())
                      .value_or(INT64_MAX)),
        1, whole_life(*line.first_write, line.keep_end));
  return disks;
}

}  // namespace

void bill_disks(const Setup& setup, const Line& line, const Cuts& cuts, Notes& notes, Drafts& out) {
  Biller biller(setup, cuts, out);
  std::map<StorageKind, Profile> own;
  AccountUse* account = setup.request->account;
  std::map<StorageKind, Profile>& stored = account == nullptr ? own : account->stored;
  const Duration origin = origin_of(*setup.job);
  for (Disk& disk : disks_of(setup, line)) {
    const StorageRule* rule = setup.storage(disk.kind);
    if (!priced(rule)) {
      notes.unpriced("storage",
                     show_quantity(static_cast<std::uint64_t>(disk.size.count()), Unit::gb), "GB",
                     "storage." + std::string(label(disk.kind)));
      continue;
    }
    assume_quantum(setup, *rule, disk, notes);
    const Bytes size = sold_size(*rule, disk.size, notes, disk.kind);
    const bool shared = rule->included_per_account || disk.kind == StorageKind::image ||
                        disk.kind == StorageKind::object;
    const bool level_counts = !rule->tiers.empty() || !rule->included_gb.is_zero();
    if (!shared || !level_counts) {
      biller.bill(disk, *rule, size, {});
      continue;
    }
    Profile& profile = stored[disk.kind];
    const std::int64_t machines = disk.count;
    disk.count = 1;
    for (disk.first = 0; disk.first < machines; ++disk.first) {
      biller.bill(disk, *rule, size, profile);
      for (const Span& span : disk.spans)
        add(profile, origin + span.from, origin + span.to, size.count());
    }
  }
}

}  // namespace gpuplan::billing
