#include "speed/tasks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "speed/constants.hpp"
#include "speed/step.hpp"
#include "spec/modes.hpp"

namespace gpuplan::detail {
namespace {

constexpr std::string_view kEncoderSource = "NVIDIA: video encode and decode support matrix";

// Encoder engines of cards that have more or fewer than one.
struct Encoders {
  std::string_view name;  // begin of the card's name
  int engines;
};
constexpr std::array kEncoders{
    Encoders{"P100", 3},         Encoders{"V100", 3},         Encoders{"P40", 2},
    Encoders{"P4", 2},           Encoders{"GTX 1080 Ti", 2},  Encoders{"L40", 3},
    Encoders{"L4", 2},           Encoders{"RTX 6000 Ada", 3}, Encoders{"RTX 5880 Ada", 3},
    Encoders{"RTX 5000 Ada", 2}, Encoders{"RTX 4500 Ada", 2}, Encoders{"RTX 4000 Ada", 2},
    Encoders{"RTX 4000 SFF", 2}, Encoders{"RTX 4090", 2},     Encoders{"RTX 4080", 2},
    Encoders{"RTX 4070 Ti", 2},  Encoders{"RTX 5090", 3},     Encoders{"RTX 5080", 2},
    Encoders{"RTX 5070 Ti", 2},  Encoders{"RTX PRO 6000", 4}, Encoders{"RTX PRO 5000", 3},
    Encoders{"RTX PRO 4500", 2}, Encoders{"RTX PRO 4000", 2}};

double value(const std::optional<FlopRate>& rate) { return rate ? rate->per_second() : 0; }

Diagnostic cannot(const Card& card, std::string_view what, std::string_view instead) {
  return {ErrorCode::invalid, "--card", "", fmt::format("{} has {}", card.name, what),
          std::string(instead)};
}

SpeedEstimate estimate_of(double rate, std::string unit, const ResolvedWorkload& work,
                          Explained line) {
  SpeedEstimate estimate;
  const auto cards = static_cast<double>(std::max<std::int64_t>(1, work.gpus));
  estimate.rate = TaskRate{rate * cards, std::move(unit)};
  estimate.bound = Bound::compute;
  // No row tests these: a factor of two either way.
  estimate.range = {.low = 0.5, .high = 1.5, .coverage = 0.8};
  if (work.gpus > 1) line.inputs += fmt::format(" x {} cards", work.gpus);
  estimate.explain.push_back(std::move(line));
  return estimate;
}

Result<SpeedEstimate> double_precision(const ResolvedWorkload& work, const Card& card) {
  const double plain = value(card.rates.fp64), tensor = value(card.rates.fp64_tensor);
  const double peak = std::max(plain, tensor);
  if (peak <= 0)
    return cannot(card, "no double-precision rate in the card table",
                  "P100, V100, A100, H100 and the MI series are made for it");
  SpeedEstimate estimate = estimate_of(
      kDoubleShare.value * peak, "double-precision FLOP/s", work,
      {"fp64", "share x peak of double precision (matrix units where the card has them)",
       fmt::format("{} x {}", kDoubleShare.value, show_amount(peak, "FLOP/s")),
       std::string(kDoubleShare.source)});
  const double single = value(card.rates.fp32);
  if (single > 0 && peak < single / 8)
    estimate.warnings.push_back(
        {"fp64_slow",
         fmt::format("{} computes in double precision at 1/{:.0f} of its single-precision rate: "
                     "cards made for it (A100, H100, MI300X) are tens of times faster",
                     card.name, single / peak),
         card.name});
  return estimate;
}

Result<SpeedEstimate> rendering(const ResolvedWorkload& work, const Card& card) {
  if (card.graphics && !*card.graphics)
    return cannot(card, "no graphics units: it computes, it does not render",
                  "a GeForce, RTX or L card does");
  const double peak = value(card.rates.fp32);
  if (peak <= 0) return cannot(card, "no 32-bit rate in the card table", "name another card");
  return estimate_of(peak, "32-bit FLOP/s", work,
                     {"render", "32-bit peak: a measure to rank cards by, not frames a second",
                      show_amount(peak, "FLOP/s"),
                      "renderers compute in 32 bit; --measured-run turns it into hours"});
}

Result<SpeedEstimate> transcoding(const ResolvedWorkload& work, const Card& card) {
  const auto row = std::ranges::find_if(
      kEncoders, [&](const Encoders& e) { return card.name.starts_with(e.name); });
  const bool none = card.graphics && !*card.graphics;
  if (row == kEncoders.end() && (none || card.vendor != "NVIDIA"))
    return cannot(card, none ? "no video encoder" : "no encoder that the card table knows",
                  "T4, L4, L40S and the RTX cards encode in hardware");
  const double engines = card.encoders ? *card.encoders : row != kEncoders.end() ? row->engines : 1;
  const bool old = card.year > 0 && card.year < 2018;
  const double rate = engines * (old ? kOldEncoder.value : 1);
  return estimate_of(rate, "encoder engines", work,
                     {"video", "encoder engines x generation: streams are shared out among them",
                      fmt::format("{} x {}", engines, old ? kOldEncoder.value : 1),
                      fmt::format("{}; {}", kEncoderSource, kOldEncoder.source)});
}

}  // namespace

bool is_plain_task(Mode mode) {
  return !runs_a_model(mode);
}

Result<SpeedEstimate> task_speed(const ResolvedWorkload& work, const Card& card) {
  if (work.mode == Mode::fp64) return double_precision(work, card);
  return work.mode == Mode::render ? rendering(work, card) : transcoding(work, card);
}

std::string show_task(double amount, std::string_view unit) {
  const auto flop = unit.find(" FLOP");
  if (flop != std::string_view::npos)
    return fmt::format("{} ({})", show_amount(amount, unit.substr(flop + 1)), unit.substr(0, flop));
  // What is counted has no prefix: "1 encoder engine", "12.5 encoder engines x hours".
  const bool one = amount == 1 && unit.ends_with('s');
  return fmt::format("{:.4g} {}", amount, one ? unit.substr(0, unit.size() - 1) : unit);
}

}  // namespace gpuplan::detail
