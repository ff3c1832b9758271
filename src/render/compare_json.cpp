#include "gpuplan/render.hpp"
#include "render/documents.hpp"
#include "render/inputs_json.hpp"
#include "render/json_writer.hpp"
#include "render/parts.hpp"

namespace gpuplan {

void write_unpriced(JsonWriter& json, std::span<const Unpriced> unpriced) {
  json.key("unpriced").begin_array();
  for (const Unpriced& u : unpriced) {
    json.begin_object().field("item", u.item);
    json.key("quantity");
    if (const auto quantity = Decimal::parse(u.quantity))
      json.value(*quantity);
    else
      json.value(u.quantity);
    json.field("unit", u.unit).field("key", u.key).end_object();
  }
  json.end_array();
}

namespace {

void write_cost(JsonWriter& json, const RankedOffer& offer) {
  json.key("cost").begin_object().field("total", offer.bill.total);
  for (const Item item : kItems) {
    const auto at = offer.bill.totals.find(item);
    json.field(name_of(item), at == offer.bill.totals.end() ? Money{} : at->second);
  }
  const bool chance = offer.trials && offer.trials->finish_probability;
  const auto percentile = [&](std::string_view key, Money MoneySpread::*value) {
    json.key(key);
    chance ? json.value(offer.trials->cost.*value) : json.null();
  };
  percentile("p10", &MoneySpread::p10);
  percentile("p50", &MoneySpread::p50);
  percentile("p90", &MoneySpread::p90);
  json.end_object();
}

void write_time(JsonWriter& json, const RankedOffer& offer) {
  const TimeLine& time = offer.bill.time;
  json.key("time").begin_object().field("wall_s", time.wall).field("queue_s", time.queue);
  json.field("startup_s", time.startup).field("transfer_s", time.transfer).field("run_s", time.run);
  const bool chance = offer.trials && offer.trials->finish_probability;
  json.key("p50_s");
  chance ? json.value(offer.trials->wall.p50) : json.null();
  json.key("p90_s");
  chance ? json.value(offer.trials->wall.p90) : json.null();
  json.field("deadline_probability",
             offer.trials ? offer.trials->deadline_probability : std::nullopt)
      .end_object();
}

std::string_view plan_kind(const std::string& plan) {
  return plan == "on_demand" || plan == "spot" ? std::string_view(plan)
                                               : std::string_view("reserved");
}

void write_offer(JsonWriter& json, const Ranking& ranking, const RankedOffer& r) {
  json.field("offer", r.offer->id).field("platform", r.platform->id);
  json.key("region");
  r.offer->region.empty() ? json.null() : json.value(r.offer->region);
  json.field("card", r.sizing->card->name)
      .field("card_as_written", r.offer->card)
      .field("gpus", r.offer->gpus);
  json.field("machines", r.machines).field("plan", plan_kind(r.plan));
  json.key("blocks").begin_array();
  for (const Block& block : r.bill.blocks)
    json.begin_object()
        .field("term", block.term)
        .field("count", block.count)
        .field("price", block.price)
        .end_object();
  json.end_array();
  write_cost(json, r);
  json.field("complete", r.bill.complete);
  write_unpriced(json, r.bill.unpriced);
  write_time(json, r);
  json.key("unit_cost");
  if (r.unit_cost)
    json.begin_object()
        .field("per", r.unit_cost->per)
        .field("amount", r.unit_cost->amount)
        .end_object();
  else
    json.null();
  if (r.affords) {
    json.key("affords").begin_object().field("run_s", r.affords->run);
    json.key("tokens");
    r.affords->tokens ? json.value(*r.affords->tokens) : json.null();
    json.key("samples");
    r.affords->samples ? json.value(*r.affords->samples) : json.null();
    json.key("units");
    r.affords->units ? json.value(*r.affords->units) : json.null();
    json.field("unit", r.affords->unit.empty() ? std::optional<std::string>{} : std::optional(r.affords->unit));
    json.end_object();
  }
  json.key("memory");
  if (r.sizing->layout)
    json.begin_object()
        .field("required_bytes",
               with_headroom(r.sizing->layout->memory.per_gpu.total, ranking.job.headroom))
        .field("available_bytes", r.sizing->available)
        .end_object();
  else
    json.null();
  json.key("speed");
  write_speed(json, r.sizing->speed,
              r.sizing->run ? std::optional<Seconds>(Seconds(*r.sizing->run)) : std::nullopt);
  json.field("score", r.score).key("scores").begin_object();
  for (const auto& [part, value] : r.scores) json.field(part, value);
  json.end_object();
  write_warnings(json, r.warnings);
}

void write_rejected(JsonWriter& json, const Ranking& ranking) {
  json.key("rejected").begin_array();
  for (const RejectedOffer& rejected : ranking.rejected) {
    json.begin_object().field("offer", rejected.offer->id).field("platform", rejected.platform->id);
    json.key("reasons").begin_array();
    for (const Reason& reason : rejected.reasons)
      json.begin_object().field("code", reason.code).field("message", reason.message).end_object();
    json.end_array();
    if (rejected.bill) {
      json.field("plan", plan_kind(rejected.bill->plan));
      write_cost(json, *rejected.bill);
      write_time(json, *rejected.bill);
    }
    json.end_object();
  }
  json.end_array().field("rejected_total", ranking.rejected_total);
  json.key("rejected_by_reason").begin_object();
  for (const auto& [code, count] : ranking.rejected_by_reason) json.field(code, count);
  json.end_object();
}

void write_choice(JsonWriter& json, std::string_view key, const Ranking& ranking,
                  const std::optional<std::size_t>& index) {
  json.key(key);
  if (!index) {
    json.null();
    return;
  }
  const RankedOffer& r = ranking.ranked[*index];
  json.begin_object()
      .field("offer", r.offer->id)
      .field("platform", r.platform->id)
      .field("plan", plan_kind(r.plan))
      .field("machines", r.machines)
      .field("total", r.bill.total)
      .end_object();
}

void write_flips(JsonWriter& json, const std::vector<Flip>& flips) {
  json.key("flips").begin_array();
  for (const Flip& flip : flips) {
    json.begin_object().field("when", flip.when).field("then", flip.then).field("knob", flip.knob);
    json.key("of");
    flip.of == nullptr ? json.null() : json.value(flip.of->id);
    json.field("value", flip.value)
        .field("offer", flip.winner->id)
        .field("platform", flip.platform->id)
        .field("plan", plan_kind(flip.plan))
        .end_object();
  }
  json.end_array();
}

void write_catalog(JsonWriter& json, const Catalog& catalog) {
  json.key("catalog").begin_object().field("name", catalog.name).field("as_of", catalog.as_of);
  json.field("sha256", catalog.sha256)
      .field("platforms", catalog.platforms.size())
      .field("offers", catalog.offers.size())
      .end_object();
}

// What the choice was narrowed to.
void write_choice_inputs(JsonWriter& json, const Ranking& ranking) {
  const RankOptions& asked = ranking.asked;
  json.texts("plans", asked.plans).texts("platforms", asked.platforms).texts("regions", asked.regions);
  json.texts("exclude", asked.exclude).texts("cards", ranking.job.cards);
  json.key("offer");
  asked.offer.empty() ? json.null() : json.value(asked.offer);
  json.field("as_of", asked.as_of).field("max_age_days", asked.max_age_days);
  json.key("max_hourly");
  if (asked.max_hourly.empty()) {
    json.null();
  } else {
    json.begin_object();
    for (const auto& [plan, cap] : asked.max_hourly) json.field(plan.empty() ? "all" : plan, cap);
    json.end_object();
  }
  json.field("trials", asked.trials.trials).field("seed", asked.trials.seed);
}

constexpr std::string_view kSorts[] = {"cost", "time", "unit_cost", "risk", "score"};

}  // namespace

std::string render_ranking_json(const Ranking& ranking, const RenderOptions& options) {
  JsonWriter json;
  json.begin_object()
      .field("schema", "gpuplan.compare/1")
      .field("version", options.program_version);
  json.key("inputs")
      .begin_object()
      .field("model", ranking.job.model)
      .field("mode", name_of(ranking.job.workload.mode));
  if (auto resolved = resolve(ranking.job.workload, ranking.model))
    write_workload_inputs(json.key("workload").begin_object(), *resolved), json.end_object();
  write_job_inputs(json, ranking.job);
  write_choice_inputs(json, ranking);
  json.field("sort", kSorts[static_cast<std::size_t>(ranking.sort)]).key("weights").begin_object();
  for (const auto& [part, weight] : ranking.weights) json.field(part, weight);
  json.end_object().end_object();
  json.field("currency", ranking.currency);
  write_catalog(json, *ranking.catalog);
  json.key("ranking").begin_array();
  for (std::size_t i = 0; i < ranking.listed; ++i) {
    if (options.top_stated && i == options.top) break;
    json.begin_object().field("rank", i + 1);
    write_offer(json, ranking, ranking.ranked[i]);
    json.end_object();
  }
  json.end_array().field("ranked_total", ranking.ranked_total);
  write_rejected(json, ranking);
  json.key("recommendation").begin_object();
  write_choice(json, "primary", ranking, ranking.primary);
  write_choice(json, "backup", ranking, ranking.backup);
  json.texts("why", ranking.why);
  write_flips(json, ranking.flips);
  json.end_object();
  write_gates(json, ranking.gates);
  if (options.against != nullptr) write_against(json, *options.against);
  if (options.explain && ranking.primary) {
    const RankedOffer& first = ranking.ranked[*ranking.primary];
    json.key("explain").begin_object().field("offer", first.offer->id).field("plan", first.plan);
    write_ledger(json, {.catalog = ranking.catalog, .offer = first.offer, .bills = {&first.bill}},
                 options);
    json.end_object();
  }
  write_warnings(json, ranking.warnings);
  return json.end_object().take();
}

}  // namespace gpuplan
