// Where the data of the job lies, and how long it is on its way.
#include <algorithm>

#include "billing/setup.hpp"

namespace gpuplan::billing {
namespace {

constexpr std::int64_t kGb = 1'000'000'000;

Bytes included_disk(const Offer& offer) {
  if (!offer.disk_gb) return {};
  return Bytes::of(offer.disk_gb->times(kGb).value_or(INT64_MAX));
}

StorageKind kind_of(Home home) {
  return home == Home::data     ? StorageKind::data
         : home == Home::volume ? StorageKind::volume
                                : StorageKind::system;
}

Home choose_home(const Setup& setup) {
  const DataPlan& data = setup.job->data;
  switch (data.kind) {
    case DiskKind::data:
      return Home::data;
    case DiskKind::volume:
      return Home::volume;
    case DiskKind::included:
      return Home::system;
    case DiskKind::automatic:
      break;
  }
  if (priced(setup.storage(StorageKind::data))) return Home::data;
  if (priced(setup.storage(StorageKind::volume))) return Home::volume;
  const Bytes wanted = *data.disk + data.system_disk.value_or(Bytes{});
  if (wanted <= included_disk(*setup.offer) && !setup.disk_kept) return Home::system;
  return Home::data;  // nobody states what it costs
}

// A disk that must outlive the work and ends with its machine: the machine is stopped, not
// terminated; else the data goes to a network disk; else the machine has to run on.
void keep_disk(Setup& setup, Notes& notes) {
  if (!setup.disk_kept || !setup.home_ends) return;
  if (setup.job->end) {
    if (after(*setup.job->end, setup, notes) == State::gone)
      notes.warn("kept_disk_lost",
                 "the disk to be kept ends with its machine, and the job ends the machine", "end");
    return;
  }
  const bool offered = setup.rules->stop.stop != State::not_offered &&
                       (!setup.spot || setup.rules->spot.can_stop.value_or(false));
  if (offered && setup.rules->stop.stop != State::gone) {
    setup.end = Verb::stop;
  } else if (priced(setup.storage(StorageKind::volume)) &&
             !setup.with_instance(StorageKind::volume)) {
    setup.home = Home::volume;
    setup.home_ends = false;
  } else {
    setup.end = Verb::run;
    notes.warn(
        "cannot_keep_disk",
        "no disk of this offer outlives its machine: the machine is billed on for as long as the "
        "data is kept",
        "keep.days");
  }
}

void resolve_wipe(Setup& setup) {
  const auto& rule =
      setup.home == Home::data ? setup.rules->stop.data_disk : setup.rules->stop.system_disk;
  if (setup.home == Home::volume || !rule || rule->kind == DiskOnStop::Kind::keep) return;
  setup.wiped_after = rule->kind == DiskOnStop::Kind::reset ? Duration{0} : rule->wipe_after;
}

// Bits a second: the slower of the two that are stated, or nothing.
std::optional<Decimal> line(const std::optional<Bandwidth>& job,
                            const std::optional<Decimal>& platform_mbps) {
  std::optional<Decimal> speed;
  if (job && bits_per_second(*job) > 0) speed = Decimal::of(bits_per_second(*job));
  if (!platform_mbps || platform_mbps->is_zero()) return speed;
  const auto platform = product(*platform_mbps, Decimal::of(kMicro));
  if (platform && (!speed || *platform < *speed)) speed = platform;
  return speed;
}

Duration time_on(const std::optional<Decimal>& speed, Bytes bytes, std::string_view what,
                 Notes& notes) {
  if (bytes.count() == 0) return Duration{0};
  if (speed) return transfer_time(bytes, *speed);
  notes.warn("line_speed_unknown",
             "nobody states how fast the " + std::string(what) + " is: it is taken to need no time",
             std::string(what));
  return Duration{0};
}

Bytes compressed(Bytes bytes, const Decimal& factor) {
  return Bytes::of(factor.times(bytes.count()).value_or(INT64_MAX));
}

Bytes times(Bytes bytes, std::int64_t by) {
  return Bytes::of(Decimal::of(by).times(bytes.count()).value_or(INT64_MAX));
}

Bytes divided(Bytes bytes, std::int64_t by) { return Bytes::of((bytes.count() + by / 2) / by); }

}  // namespace

void resolve_disks(Setup& setup, Notes& notes) {
  const DataPlan& data = setup.job->data;
  setup.disk_kept = data.disk && setup.job->keep.disk.value_or(setup.keep.count() > 0);
  Bytes system = data.system_disk.value_or(Bytes{});
  setup.home = data.disk ? choose_home(setup) : Home::system;
  setup.home_ends = setup.with_instance(kind_of(setup.home));
  setup.end = setup.job->end.value_or(Verb::terminate);
  keep_disk(setup, notes);
  if (data.disk && setup.home == Home::system) system += *data.disk;
  if (data.disk && setup.home != Home::system) setup.data_disk = *data.disk;
  setup.system_extra = std::max(Bytes{}, system - included_disk(*setup.offer));
  resolve_wipe(setup);
}

void resolve_transfers(Setup& setup, Notes& notes) {
  const DataPlan& data = setup.job->data;
  const NetworkRules& network = setup.rules->network;
  const std::int64_t sharers = data.shared ? 1 : setup.machines;
  setup.staged = data.stage == Stage::object && data.upload.count() > 0;
  const Bytes sent = compressed(data.upload, data.compression);
  setup.uploaded = setup.staged || !data.shared ? sent : times(sent, setup.machines);
  setup.downloaded = compressed(data.download, data.compression);

  const auto up = line(data.line_up, network.up_mbps);
  if (setup.staged) {
    setup.staged_object = data.upload;
    setup.stage_time = time_on(up, sent, "upload", notes);
    setup.upload_time = time_on(line({}, network.internal_mbps), divided(data.upload, sharers),
                                "copy from the object store", notes);
  } else {
    setup.upload_time = time_on(up, divided(sent, sharers), "upload", notes);
  }
  setup.download_time = time_on(line(data.line_down, network.down_mbps),
                                divided(setup.downloaded, setup.machines), "download", notes);
  if (data.stage == Stage::cardless && data.upload.count() > 0) {
    setup.upload_cardless = after(Verb::cardless, setup, notes) == State::cardless;
    const auto stated = setup.rules->stop.factor.find(State::cardless);
    if (setup.upload_cardless && (stated == setup.rules->stop.factor.end() ||
                                  (!stated->second.compute && !stated->second.flat)))
      notes.warn("cardless_rate_unknown",
                 "what the machine costs without its card is not stated: taken as the running rate",
                 "stop.factor.cardless");
  }
}

}  // namespace gpuplan::billing
