#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/text.hpp"
#include "gpuplan/render.hpp"
#include "render/documents.hpp"
#include "render/estimate_parts.hpp"
#include "render/parts.hpp"
#include "render/pictures.hpp"
#include "render/text_table.hpp"
#include "spec/modes.hpp"

namespace gpuplan {

std::string explain_text(const std::vector<Explained>& lines, int width) {
  std::string text;
  for (const Explained& line : lines) {
    text += "  " + line.part + "\n";
    text += "      " + wrap(line.formula, width - 6, 6) + "\n";
    if (!line.inputs.empty()) text += "    = " + wrap(line.inputs, width - 6, 6) + "\n";
    text += "      source: " + wrap(line.source, width - 14, 14) + "\n";
  }
  return text;
}

namespace {

std::string_view mode_title(const ResolvedWorkload& w) {
  switch (w.mode) {
    case Mode::inference:
      return "Inference with";
    case Mode::lora:
      return "LoRA fine-tuning of";
    case Mode::qlora:
      return "QLoRA fine-tuning of";
    case Mode::full:
      return "Full fine-tuning of";
    case Mode::pretrain:
      return "Pre-training of";
    case Mode::dpo:
      return "Preference tuning (DPO) of";
    case Mode::render:
      return "Rendering";
    case Mode::video:
      return "Video transcoding";
    case Mode::fp64:
      return "Computing in double precision";
    default:
      return w.training() ? "Training of" : "Inference with";
  }
}

// What one sample is: tokens, or pixels.
std::string samples(const ResolvedWorkload& w) {
  if (w.mode == Mode::vision || w.mode == Mode::diffusion)
    return fmt::format("{} x {} x {} pixels", w.batch, w.image_size, w.image_size);
  if (w.training() || w.mode == Mode::encoder)
    return fmt::format("{} x {} tokens", w.batch, w.sequence);
  return fmt::format("{} {} with a context of {}", w.batch, w.batch == 1 ? "user" : "users",
                     w.sequence);
}

}  // namespace

std::string settings_line(const ResolvedWorkload& w) {
  std::string text = std::string(name_of(w.precision));
  const auto add = [&](std::string part) { text += " · " + part; };
  add(samples(w));
  if (w.training()) {
    if (w.grad_accum > 1) add(fmt::format("accumulation {}", w.grad_accum));
    add(std::string(name_of(w.optimizer)));
    if (w.adapters()) add(fmt::format("rank {}", w.lora_rank));
    if (!w.adapters()) add(w.master_weights ? "32-bit master weights" : "no master weights");
    add(w.attention == Attention::flash ? "flash attention" : "eager attention");
    add(w.checkpointing == Checkpointing::none
            ? std::string("no recomputation")
            : fmt::format("recomputation {}", name_of(w.checkpointing)));
  } else if (w.mode == Mode::inference) {
    add(fmt::format("KV cache {}", name_of(w.kv_precision)));
  }
  const bool automatic = w.framework == Framework::automatic || !w.framework_chosen;
  add(w.framework == Framework::automatic
          ? std::string("no framework named: plain mixed precision")
          : fmt::format("framework {}{}", name_of(w.framework), automatic ? " (auto)" : ""));
  if (w.gpus > 1) {
    std::string layout = fmt::format("{} GPUs: dp {}", w.gpus, w.dp);
    if (w.tp > 1) layout += fmt::format(" tp {}", w.tp);
    if (w.pp > 1) layout += fmt::format(" pp {}", w.pp);
    if (w.cp > 1) layout += fmt::format(" cp {}", w.cp);
    if (w.zero > 0) layout += fmt::format(" ZeRO {}", w.zero);
    add(layout);
  }
  return text;
}

namespace {

std::string gib(Bytes bytes) { return fmt::format("{:.2f}", bytes.as_double() / (1 << 30)); }

// A label and what follows it, in columns that wide characters do not shift.
std::string labelled(std::string_view label, std::size_t cells, Language language) {
  std::string text = translated(label, language);
  const std::size_t own = display_width(text);
  return text + std::string(cells > own ? cells - own : 0, ' ');
}

std::string range_note(const MemoryRange& range, Language language) {
  if (range.rows == 0)
    return "  " + translated(fmt::format("{} to {}: a guess, no measurement is like it", gib(range.low), gib(range.high)),
                             language);
  const std::string rows = fmt::format("{} like measurements", range.rows);
  return "  " + translated(fmt::format("{} to {} for {:.0f} % of {}", gib(range.low),
                                       gib(range.high), 100 * range.coverage, rows),
                           language);
}

// Behind the line where there is room, else on lines of its own.
std::string noted(const std::string& line, const std::string& note, int width) {
  if (display_width(line + note) <= static_cast<std::size_t>(width)) return line + note;
  return line + "\n    " + wrap(note.substr(note.find_first_not_of(' ')), width - 6, 6);
}

std::string memory_block(const Estimate& estimate, const RenderOptions& options) {
  const Language language = options.language;
  // Labels, nine digits, and the bar where there is room for it.
  const auto cells = static_cast<std::size_t>(std::clamp(options.width - 11, 20, 30));
  const bool bars = options.width >= 58;
  const MemoryBreakdown& m = estimate.memory.per_gpu;
  std::string text =
      labelled(estimate.gpus == 1 ? "One GPU needs" : "Each GPU needs", cells + 8, language) + "GiB\n";
  Bytes largest;
  for (const MemoryPart& part : kMemoryParts)
    if (part.key != "allocated" && part.key != "reserved" && part.key != "total")
      largest = std::max(largest, m.*part.member);
  for (const MemoryPart& part : kMemoryParts) {
    const Bytes bytes = m.*part.member;
    if (bytes == Bytes{}) continue;
    const bool sum = part.key == "allocated" || part.key == "reserved" || part.key == "total";
    if (part.key == "reserved") continue;
    std::string line = "  " + labelled(part.label, cells, language) + fmt::format("{:>9}", gib(bytes));
    if (!sum && bars && largest.count() > 0)
      line += "  " + bar(bytes.as_double() / largest.as_double(), 15);
    if (part.key == "allocated")
      line = noted(line,
                   "  " + translated(fmt::format("(moment: {})", name_of(estimate.memory.moment)),
                                     language),
                   options.width);
    if (part.key == "total" && estimate.measured)
      line += "  " + translated("measured", language);
    else if (part.key == "total" && estimate.memory.range.high > Bytes{})
      line = noted(line, range_note(estimate.memory.range, language), options.width);
    text += line + "\n";
  }
  return text + "  " +
         labelled(fmt::format("with {}x headroom", estimate.job.headroom.to_string()), cells,
                  language) +
         fmt::format("{:>9}\n", gib(estimate.required));
}

std::string peak_log_block(const GpuLog& log, Language language) {
  std::string text = translated("Measured, from the log", language) + "\n";
  for (const LoggedGpu& gpu : log.gpus)
    text += fmt::format("  GPU {:<4}{:<30}{:>9} GiB{}  {} sample{}\n", gpu.index, gpu.name,
                        gpu.peak ? gib(*gpu.peak) : "unknown",
                        gpu.total ? " of " + gib(*gpu.total) : "", gpu.used.size(),
                        gpu.used.size() == 1 ? "" : "s");
  return text + "\n";
}

// What the model's files hold, and with --explain why that is not the count of the shape.
std::string stored_block(const Estimate& estimate, const RenderOptions& options) {
  const auto& stored = estimate.model.stored;
  if (!stored) return {};
  std::string line =
      fmt::format("Files: {} of {} in {} {}, {}", show_gib(stored->bytes, 2), stored->format,
                  stored->files, stored->files == 1 ? "file" : "files", name_of(stored->precision));
  if (stored->idle > Bytes{})
    line += fmt::format("; engines keep {}", show_gib(stored->loaded(), 2));
  std::string text = wrap(translated(line, options.language), options.width - 2, 2) + "\n";
  if (!options.explain) return text;
  for (const StoredType& type : stored->by_type)
    text += fmt::format("  {:<12}{:>9} GiB in {} {}\n", type.type, gib(type.bytes), type.tensors,
                        type.tensors == 1 ? "tensor" : "tensors");
  for (const StoredDifference& difference : stored->differences)
    text += "  " + wrap(difference.message, options.width - 2, 2) + "\n";
  return text;
}

// The smallest card that does it is what people look for: the fullest first, of each size of memory
// the newest, GPUs before other accelerators.
std::vector<const CardFit*> one_of_each_size(std::vector<const CardFit*> fits) {
  const auto other = [](const CardFit* fit) {
    return fit->card->card_class == CardClass::accelerator ||
           fit->card->card_class == CardClass::slice;
  };
  std::ranges::stable_sort(fits, [&](const CardFit* a, const CardFit* b) {
    if (other(a) != other(b)) return other(b);
    if (a->card->memory_nominal != b->card->memory_nominal)
      return a->card->memory_nominal < b->card->memory_nominal;
    return a->card->year > b->card->year;
  });
  const auto same = [&](const CardFit* a, const CardFit* b) {
    return a->card->memory_nominal == b->card->memory_nominal && other(a) == other(b);
  };
  fits.erase(std::unique(fits.begin(), fits.end(), same), fits.end());
  return fits;
}

std::string fits_block(const Estimate& estimate, const RenderOptions& options) {
  const auto line_of = [&](std::string_view label, const std::string& content) {
    return labelled(label, 13, options.language) +
           wrap(translated(content, options.language), options.width - 13, 13) + "\n";
  };
  std::vector<const CardFit*> fits, thin;
  for (const CardFit& fit : estimate.cards) {
    if (fit.fits)
      fits.push_back(&fit);
    else if (fit.total_fits)
      thin.push_back(&fit);
  }
  const std::size_t all = fits.size();
  fits = one_of_each_size(std::move(fits));
  std::ranges::stable_sort(
      thin, [](const CardFit* a, const CardFit* b) { return a->used_fraction < b->used_fraction; });
  std::string text;
  constexpr std::size_t kShown = 8;
  std::string line;
  for (std::size_t i = 0; i < std::min(fits.size(), kShown); ++i)
    line += fmt::format("{}{} ({:.0f} %)", i > 0 ? ", " : "", fits[i]->card->name,
                        std::floor(100 * fits[i]->used_fraction));
  const std::size_t shown = std::min(fits.size(), kShown);
  if (all > shown)
    line += " " + translated(fmt::format("... and {} more (all: --json)", all - shown),
                             options.language);
  const std::string on =
      estimate.gpus == 1 ? "Fits on one" : fmt::format("Fits on {}", estimate.gpus);
  text += line_of(on, fits.empty() ? "no card of the table" : line);
  if (!thin.empty()) {
    const CardFit& miss = *thin.front();
    text += line_of("Just misses",
                    fmt::format("{} ({}: the peak fits, the headroom does not: short by {})",
                                miss.card->name, show_gib(miss.available),
                                show_gib(estimate.required - miss.available)));
  }
  if (fits.empty()) {
    const CardFit* best = nullptr;
    for (const CardFit& fit : estimate.cards)
      if (fit.gpus_needed && (best == nullptr || *fit.gpus_needed < *best->gpus_needed))
        best = &fit;
    if (best != nullptr)
      text += line_of("Would do", fmt::format("{} x {} with the best layout", *best->gpus_needed,
                                              best->card->name));
  }
  return text;
}

std::string named_cards_block(const Estimate& estimate, const RenderOptions& options) {
  std::string text;
  for (const CardFit& fit : estimate.cards) {
    const auto add = [&](const std::string& sentence, int indent) {
      text += std::string(static_cast<std::size_t>(indent), ' ') +
              wrap(translated(sentence, options.language), options.width - 2, 2) + "\n";
    };
    add(verdict_line(estimate, fit), 0);
    if (fit.speed) add(speed_line(*fit.speed), 2);
    if (fit.speed)
      for (const std::string& note : speed_notes(*fit.speed)) add(note, 2);
    if (fit.work) add(work_line(estimate.job, *fit.work), 2);
    if (options.explain && fit.speed) text += explain_text(fit.speed->explain, options.width);
  }
  return text;
}

std::string advice_block(const Estimate& estimate, const RenderOptions& options) {
  constexpr std::size_t kShown = 4;
  std::string text;
  // What saves memory, and what there would be room for: the largest batch, the longest context.
  for (const bool saves : {true, false}) {
    std::size_t shown = 0;
    for (const Advice& advice : estimate.advice) {
      if ((advice.saves > Bytes{}) != saves || shown == kShown) continue;
      const std::string_view label = shown++ > 0 ? "" : saves ? "Less memory" : "Room for";
      text += labelled(label, 13, options.language) +
              wrap(translated(advice.message, options.language), options.width - 13, 13) + "\n";
    }
  }
  return text;
}

}  // namespace

TextTable estimate_rows(const Estimate& estimate) {
  TextTable table({{"part"}, {"bytes", true}, {"GiB", true}});
  for (const MemoryPart& part : kMemoryParts)
    table.add({std::string(part.key),
               std::to_string((estimate.memory.per_gpu.*part.member).count()),
               gib(estimate.memory.per_gpu.*part.member)});
  table.add({"required", std::to_string(estimate.required.count()), gib(estimate.required)});
  return table;
}

std::string estimate_heading(const Estimate& estimate) {
  const std::string title(mode_title(estimate.memory.workload));
  if (!runs_a_model(estimate.memory.workload.mode)) return title;
  return fmt::format("{} {} ({} parameters)", title, safe(estimate.model.name),
                     show_count(static_cast<double>(estimate.memory.parameters.total())));
}

namespace {

// The same job, asked of the catalog.
std::string next_command(const Estimate& estimate, const RenderOptions& options) {
  const ResolvedWorkload& workload = estimate.memory.workload;
  const std::string typed = safe(options.typed_job);
  std::string text = "gpuplan compare";
  const auto says = [&](std::string_view option) { return typed.find(option) != std::string::npos; };
  if (!says(" --job ") && !says(" --model ") && runs_a_model(workload.mode))
    text += " --model " + safe(estimate.job.model);
  if (!says(" --job ") && !says(" --mode ")) text += fmt::format(" --mode {}", name_of(workload.mode));
  return text + typed;
}

}  // namespace

std::string render_estimate_table(const Estimate& estimate, const RenderOptions& options) {
  if (options.format == Format::markdown) return render_estimate_markdown(estimate, options);
  if (options.format != Format::table) return estimate_rows(estimate).in(options);
  const bool with_model = runs_a_model(estimate.memory.workload.mode);
  std::string text =
      wrap(translated(estimate_heading(estimate), options.language), options.width - 2, 2);
  if (with_model) {
    text += "\n" + wrap(translated_parts(settings_line(estimate.memory.workload), " · ", options.language), options.width - 2, 2);
  } else {
    text += "\n" + translated(memory_known(estimate)
                                  ? "memory: from the trial run"
                                  : "memory: not known, it depends on the scene or the data; "
                                    "--measured-peak judges cards",
                              options.language);
  }
  text += "\n";
  text += stored_block(estimate, options) + "\n";
  if (estimate.peak_log) text += peak_log_block(*estimate.peak_log, options.language);
  const bool known = memory_known(estimate);
  if (known) text += memory_block(estimate, options) + "\n";
  if (options.explain) text += explain_text(estimate.memory.explain, options.width) + "\n";
  if (!estimate.job.cards.empty())
    text += named_cards_block(estimate, options);
  else if (known)
    text += fits_block(estimate, options);
  text += advice_block(estimate, options);
  text += labelled("Next", 13, options.language);
  text += wrap(next_command(estimate, options), options.width - 15, 15) + "\n";
  if (options.chart) text += pictures_text(pictures_of(estimate), options);
  return text;
}

std::string render(const Estimate& estimate, const RenderOptions& options) {
  if (options.format == Format::html) return render_estimate_html(estimate, options);
  return options.format == Format::json ? render_estimate_json(estimate, options)
                                        : render_estimate_table(estimate, options);
}

}  // namespace gpuplan
