// Many runs of a spot plan: their spread, as JSON and for people.
#include <fmt/format.h>

#include "core/text.hpp"
#include "render/documents.hpp"
#include "render/text_table.hpp"

namespace gpuplan {
namespace {

// `known`: false when no run finished, so that nothing can be said.
template <class Value>
void write_if(JsonWriter& json, std::string_view key, bool known, const Value& value) {
  json.key(key);
  known ? json.value(value) : json.null();
}

template <class Spread>
void write_values(JsonWriter& json, const Spread& spread, bool known) {
  write_if(json, "p5", known, spread.p5);
  write_if(json, "p10", known, spread.p10);
  write_if(json, "p50", known, spread.p50);
  write_if(json, "p90", known, spread.p90);
  write_if(json, "p95", known, spread.p95);
}

void write_hours(JsonWriter& json, std::string_view key, const std::optional<double>& hours) {
  json.key(key);
  hours ? json.value(*hours * 3600) : json.null();
}

// Closed forms: they hold on average, whatever the number of runs.
void write_closed_form(JsonWriter& json, const ClosedForm& form) {
  json.key("expected").begin_object();
  write_hours(json, "wall_s", form.wall);
  write_hours(json, "wall_sd_s", form.wall_sd);
  write_hours(json, "billed_s", form.billed);
  json.field("reclaims", form.reclaims).field("undisturbed_probability", form.run_through);
  json.field("deadline_probability", form.deadline);
  write_hours(json, "lost_s_if_reclaimed", form.lost_if_reclaimed);
  json.field("useful_share", form.useful_share).end_object();
}

std::string percent(double share) { return fmt::format("{:.4g} %", 100 * share); }

}  // namespace

void write_trials(JsonWriter& json, const std::optional<Trials>& trials) {
  json.key("trials");
  if (!trials) {
    json.null();
    return;
  }
  const Trials& t = *trials;
  const bool known = t.finished > 0;
  json.begin_object().field("n", t.n).field("finished", t.finished);
  json.field("seed", static_cast<std::int64_t>(t.seed));
  write_if(json, "mean", known, t.cost.mean);
  write_if(json, "standard_error", known, t.cost.standard_error);
  write_if(json, "sd", known, t.cost.sd);
  write_values(json, t.cost, known);
  write_if(json, "reclaims_mean", known, t.reclaims_mean);
  write_if(json, "reclaims_standard_error", known, t.reclaims_error);
  write_if(json, "zone_reclaims_mean", known, t.zone_reclaims_mean);
  write_if(json, "billed_s_mean", known, t.billed_mean);
  write_if(json, "billed_s_standard_error", known, t.billed_error_s);
  write_if(json, "lost_s_mean", known, t.lost_mean);
  write_if(json, "lost_s_standard_error", known, t.lost_error_s);
  json.field("finish_probability", t.finish_probability)
      .field("undisturbed_probability",
             t.finish_probability ? std::optional(t.undisturbed) : std::nullopt)
      .field("deadline_probability", t.deadline_probability)
      .field("budget_probability", t.budget_probability);
  json.key("wall_s").begin_object();
  write_if(json, "mean", known, t.wall.mean);
  write_if(json, "standard_error", known, t.wall.standard_error_s);
  write_if(json, "sd", known, t.wall.sd_s);
  write_values(json, t.wall, known);
  json.end_object().end_object();
}

void write_checkpoint(JsonWriter& json, const std::optional<CheckpointAdvice>& advice) {
  json.key("checkpoint");
  if (!advice) {
    json.null();
    return;
  }
  json.begin_object()
      .field("every_s", advice->every)
      .field("best_every_s", advice->best_every)
      .field("cost_at_best", advice->cost_at_best);
  write_hours(json, "exact_s", advice->exact);
  write_hours(json, "young_s", advice->young);
  write_hours(json, "daly_s", advice->daly);
  write_hours(json, "available_period_s", advice->available_period);
  json.end_object();
}

void write_outlook(JsonWriter& json, const SpotOutlook& outlook) {
  json.key("outlook")
      .begin_object();
  write_closed_form(json, outlook.expected);
  json.field("break_even_life_s", outlook.break_even_life)
      .field("best_tasks", outlook.best_tasks)
      .field("best_tasks_machine_hours", outlook.split_hours)
      .end_object();
}

std::string outlook_text(const SpotOutlook& outlook, const RenderOptions& options) {
  if (!outlook.break_even_life) return {};
  return wrap(translated("spot costs less than on demand where a machine lives longer than " +
                             show_duration(*outlook.break_even_life) + " on average",
                         options.language),
              options.width - 2, 2) +
         "\n";
}

std::string trials_text(const Trials& t, const std::string& currency, const RenderOptions& options) {
  if (t.n == 1 && t.finished == 1) return {};  // no chance in it: the ledger says it all
  const auto say = [&](std::string_view text) { return translated(text, options.language); };
  if (t.finished == 0) return say("never finishes: no run of it is ever done") + "\n";
  const int digits = minor_digits(currency);
  const auto cash = [&](Money money) { return to_string(money, digits); };
  std::string out = wrap(say(fmt::format("{} runs (seed {}); the ledger is that of the median run",
                                         t.n, t.seed)),
                         options.width - 2, 2) +
                    "\n";
  const auto line = [&](std::string_view name, const std::string& text) {
    const std::string label = say(name);
    const std::size_t cells = std::min<std::size_t>(display_width(label), 9);
    out += "  " + label + std::string(10 - cells, ' ') + wrap(say(text), options.width - 14, 12) +
           "\n";
  };
  line("cost", fmt::format("mean {} {} (standard error {:.2g}), half below {}, nine in ten below {}",
                           cash(t.cost.mean), currency, t.cost.standard_error, cash(t.cost.p50),
                           cash(t.cost.p90)));
  line("done in", fmt::format("mean {}, half within {}, nine in ten within {}",
                              show_duration(t.wall.mean), show_duration(t.wall.p50),
                              show_duration(t.wall.p90)));
  line("reclaims", fmt::format("mean {:.3g}, {} of work done again", t.reclaims_mean,
                               show_duration(t.lost_mean)));
  if (t.finish_probability && *t.finish_probability < 1)
    line("finishes", percent(*t.finish_probability) + " of the runs");
  if (t.deadline_probability) line("deadline", "kept in " + percent(*t.deadline_probability) + " of the runs");
  if (t.budget_probability) line("budget", "kept in " + percent(*t.budget_probability) + " of the runs");
  return out;
}

std::string checkpoint_text(const CheckpointAdvice& advice, const std::string& currency,
                            const RenderOptions& options) {
  if (!advice.best_every) return {};
  std::string text = fmt::format("a checkpoint every {}; best is every {}",
                                 show_duration(advice.every), show_duration(*advice.best_every));
  if (advice.cost_at_best)
    text += fmt::format(": mean {} {}", to_string(*advice.cost_at_best, minor_digits(currency)),
                        currency);
  return wrap(translated(text, options.language), options.width - 2, 2) + "\n";
}

}  // namespace gpuplan
