// An accepted catalog can be billed: every offer, every plan, whatever its rules say.
#include <chrono>

#include "../shared.hpp"
#include "gpuplan/rank.hpp"
#include "gpuplan/render.hpp"

namespace gpuplan::fuzz {
namespace {

Job standard_job() {
  using namespace std::chrono_literals;
  Job job;
  job.workload.mode = Mode::qlora;
  job.work.run_hours = 10h;
  job.data.upload = Bytes::gb(20);
  job.data.download = Bytes::gb(5);
  job.data.disk = Bytes::gb(100);
  job.keep.days = 72h;
  job.start = parse_moment("2026-02-27T08:00:00Z");
  job.schedule = Schedule{.from_minute = 9 * 60, .to_minute = 17 * 60, .days = 0x1f};
  return job;
}

void look_at_bill(const RankedOffer& row) {
  Money sum;
  for (const LedgerLine& line : row.bill.ledger) sum += line.amount;
  if (!row.trials) demand(sum == row.bill.total, "a bill that does not add up");
  demand(row.bill.total >= Money{}, "a bill below nothing");
  demand(row.bill.time.wall >= row.bill.time.run || !row.bill.finished, "ends before it has run");
}

}  // namespace

void feed_bills(std::string_view bytes) {
  auto catalog = gpuplan::read_catalog(bytes, "fuzz.json");
  if (!catalog || catalog->offers.size() > 40) return;
  static const Job job = standard_job();
  static const ModelShape model = *models().find("7b");
  std::optional<CardTable> own;
  const CardTable& all = cards_for(*catalog, own);
  RankOptions options;
  options.trials.trials = 5;
  // What would make another offer the first: as many bills again for each change that is tried.
  options.flips = one_of_eight(bytes);
  auto ranking = rank_offers(job, model, *catalog, {.cards = &all, .models = &models()}, options);
  if (!ranking) return look_at(ranking.errors());
  for (const RankedOffer& row : ranking->ranked) look_at_bill(row);
  for (const Format format : {Format::table, Format::json, Format::csv, Format::markdown, Format::html}) {
    RenderOptions how;
    how.format = format;
    how.rejected = how.explain = true;
    const std::string text = render(*ranking, how);
    demand(!text.empty(), "nothing is shown");
    for (const char c : text)
      demand(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f), "a control character is shown");
  }
}

}  // namespace gpuplan::fuzz
