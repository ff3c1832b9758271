#pragma once

#include <span>
#include <string>
#include <vector>

#include "gpuplan/render.hpp"
#include "render/json_writer.hpp"

namespace gpuplan {

// Whether anything is known of the memory: of work without a model only a trial run tells it.
bool memory_known(const Estimate& estimate);
std::string render_estimate_json(const Estimate& estimate, const RenderOptions& options);
std::string render_estimate_table(const Estimate& estimate, const RenderOptions& options);
std::string render_ranking_json(const Ranking& ranking, const RenderOptions& options);
std::string render_ranking_table(const Ranking& ranking, const RenderOptions& options);
std::string render_estimate_markdown(const Estimate& estimate, const RenderOptions& options);
std::string render_ranking_markdown(const Ranking& ranking, const RenderOptions& options);
std::string render_estimate_html(const Estimate& estimate, const RenderOptions& options);
std::string render_ranking_html(const Ranking& ranking, const RenderOptions& options);
std::string render_simulate_html(const SimulateResult& result, const RenderOptions& options);
// What a page or comment about a bill says first, and whom it warns of.
std::string bill_title(const SimulateResult& result);
std::string bill_decision(const SimulateResult& result);
Warnings bill_warnings(const SimulateResult& result);
// A gate of --fail-on and what became of it.
std::string judged_line(const DiffGate& gate);
void write_against(JsonWriter& json, const Against& against);
std::string against_text(const Against& against, const std::string& currency,
                         const RenderOptions& options);
void write_unpriced(JsonWriter& json, std::span<const Unpriced> unpriced);
// An array of who pays what; members have quotas of card hours, projects have none.
void write_shares(JsonWriter& json, std::string_view key, std::string_view name,
                  const std::vector<BillShare>& shares, bool quota);
// One table for projects or members; nothing when no job names any.
std::string shares_text(const std::string& kind, const std::vector<BillShare>& shares,
                        const std::string& currency, const RenderOptions& options);
std::string gates_text(std::span<const Gate> gates, std::string_view currency, Language language);  // those that are not met
void write_gates(JsonWriter& json, std::span<const Gate> gates);

// What many runs of a spot plan came to; null and nothing for other plans.
void write_trials(JsonWriter& json, const std::optional<Trials>& trials);
void write_checkpoint(JsonWriter& json, const std::optional<CheckpointAdvice>& advice);
void write_outlook(JsonWriter& json, const SpotOutlook& outlook);
std::string outlook_text(const SpotOutlook& outlook, const RenderOptions& options);
std::string trials_text(const Trials& trials, const std::string& currency,
                        const RenderOptions& options);
std::string checkpoint_text(const CheckpointAdvice& advice, const std::string& currency,
                            const RenderOptions& options);

// The lines of one offer's bills, one bill for each job.
struct LedgerView {
  const Catalog* catalog = nullptr;
  const Offer* offer = nullptr;
  std::vector<const Bill*> bills = {};
};
void write_ledger(JsonWriter& json, const LedgerView& view, const RenderOptions& options);
std::string ledger_table(const LedgerView& view, const RenderOptions& options);
// Formula and rules of every line, for people.
std::string ledger_explained(const LedgerView& view, const RenderOptions& options);
std::string render_simulate_json(const SimulateResult& result, const RenderOptions& options);

}  // namespace gpuplan
