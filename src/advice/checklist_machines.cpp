// The work on several machines: whether it needs them, ranges, what N machines cost.
#include <algorithm>
#include <array>

#include "advice/checklist.hpp"
#include "catalog/offer_name.hpp"

namespace gpuplan::detail {
namespace {

// Numbers of machines that people look at.
constexpr std::array<std::int64_t, 7> kCounts{1, 2, 4, 8, 16, 32, 64};

struct Amount {
  std::string_view unit;
  std::int64_t count = 0;
};
// What can be cut into ranges: whole tasks, requests, samples that do not depend on each other.
std::optional<Amount> divisible(const Job& job) {
  const Work& work = job.work;
  if (job.splits > 1) return Amount{"tasks", job.splits};
  if (job.workload.training()) return std::nullopt;
  if (work.requests) return Amount{"requests", *work.requests};
  if (work.samples) return Amount{"samples", *work.samples};
  return std::nullopt;
}

std::vector<Shard> ranges(std::int64_t count, std::int64_t machines) {
  std::vector<Shard> shards;
  std::int64_t from = 0;
  for (std::int64_t i = 0; i < machines; ++i) {
    const std::int64_t size = count / machines + (i < count % machines ? 1 : 0);
    if (size == 0) break;
    shards.push_back({.number = i + 1, .from = from, .to = from + size - 1});
    from += size;
  }
  return shards;
}

std::optional<MachineCost> cost_of(const ChecklistFacts& facts, std::int64_t machines) {
  const auto bill = facts.bill([&](ChecklistFacts::Variant& v) { v.job.machines = machines; });
  if (!bill) return std::nullopt;
  const auto& deadline = facts.job().deadline;
  return MachineCost{.machines = machines,
                     .wall = bill->time.wall,
                     .total = bill->total,
                     .complete = bill->complete,
                     .in_time = !deadline || bill->time.wall <= *deadline};
}

// The least number of machines that meets the deadline; more are never later.
std::optional<std::int64_t> least_in_time(const ChecklistFacts& facts, std::int64_t most) {
  if (!facts.job().deadline) return std::nullopt;
  const auto in_time = [&](std::int64_t machines) {
    const auto cost = cost_of(facts, machines);
    return cost && cost->in_time;
  };
  std::int64_t late = 0, enough = std::min(most, kCounts.back());
  if (!in_time(enough)) return std::nullopt;
  while (enough - late > 1) {
    const std::int64_t middle = late + (enough - late) / 2;
    (in_time(middle) ? enough : late) = middle;
  }
  return enough;
}

void add_costs(const ChecklistFacts& facts, std::int64_t most, MachinePlan& plan) {
  std::vector<std::int64_t> counts(kCounts.begin(), kCounts.end());
  counts.push_back(facts.job().machines);
  if (const auto least = least_in_time(facts, most)) counts.push_back(*least);
  std::ranges::sort(counts);
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  for (const std::int64_t count : counts) {
    if (count > most) break;
    if (const auto cost = cost_of(facts, count)) plan.costs.push_back(*cost);
    const bool enough = !plan.costs.empty() && plan.costs.back().in_time;
    if (count >= facts.job().machines && count >= 8 && enough) break;
  }
}

// One shard on a machine of its own: its share of the work and of the data.
void add_rerun(const ChecklistFacts& facts, MachinePlan& plan) {
  const auto n = static_cast<std::int64_t>(plan.shards.size());
  if (n < 2) return;
  const Shard& largest = plan.shards.front();
  const std::int64_t size = largest.to - largest.from + 1;
  const std::int64_t all = plan.shards.back().to + 1;
  const auto bill = facts.bill([&](ChecklistFacts::Variant& v) {
    const Wide micros = Wide{v.run.count()} * size / all;
    v.run = Duration{static_cast<std::int64_t>(micros)};
    v.job.machines = v.job.splits = 1;
    v.job.keep = Keep{};
    if (!v.job.data.shared) v.job.data.upload = Bytes::of(v.job.data.upload.count() / n);
    v.job.data.download = Bytes::of(v.job.data.download.count() / n);
  });
  if (!bill) return;
  plan.rerun_time = bill->time.wall;
  plan.rerun_cost = bill->total;
}

std::string why_needed(const ChecklistFacts& facts, MachinePlan& plan) {
  const auto& deadline = facts.job().deadline;
  const auto one = std::ranges::find(plan.costs, std::int64_t{1}, &MachineCost::machines);
  if (one == plan.costs.end()) return "what one machine costs is not known";
  const std::string alone = "one machine does it in " + show_duration(one->wall) + " for " +
                            facts.money(one->total);
  if (!deadline || one->in_time)
    return alone + (deadline ? ", in time" : "; there is no deadline") +
           ": several only finish earlier, and more has to be watched";
  plan.needed = true;
  const auto enough =
      std::ranges::find_if(plan.costs, [](const MachineCost& cost) { return cost.in_time; });
  return alone + ", too late for " + show_duration(*deadline) + ": " +
         (enough != plan.costs.end()
              ? "the least that do it in time are " + std::to_string(enough->machines)
              : "none of these numbers of machines does it in time");
}

std::vector<std::string> commands(const ChecklistFacts& facts, const MachinePlan& plan) {
  const std::string key = "~/.ssh/" + shell_word(facts.platform().id);
  std::vector<std::string> list{
      "ssh-keygen -t ed25519 -f " + key + " -N ''   # one key for all machines of this platform",
      "printf '%s\\n' HOST1 HOST2 > hosts.txt"};
  if (!plan.shards.empty())
    list.push_back("i=0; while read h; do i=$((i+1)); ssh -n -i " + key +
                   " $h \"cd work && SHARD=$i SHARDS=" + std::to_string(plan.shards.size()) +
                   " nohup ./run.sh > log 2>&1 &\"; done < hosts.txt");
  list.push_back(
      "while read h; do ssh -n -i " + key +
      " $h nvidia-smi --query-gpu=index,name,memory.used,memory.total,utilization.gpu --format=csv "
      "| sed \"s/^/$h, /\"; done < hosts.txt | gpuplan check --from - --offer " +
      shell_word(offer_name(facts.platform().id, facts.offer().id)));
  return list;
}

}  // namespace

std::optional<MachinePlan> machine_plan(const ChecklistFacts& facts) {
  const Job& job = facts.job();
  const bool late = job.deadline && facts.list().bill.time.wall > *job.deadline;
  if (job.machines <= 1 && job.splits <= 1 && !late) return std::nullopt;
  MachinePlan plan{.machines = job.machines};
  const auto amount = divisible(job);
  if (!amount) {
    plan.why =
        "this work is not cut into parts that know nothing of each other: more machines need a fast "
        "network between them; say --splits N when it is N tasks";
    if (const auto one = cost_of(facts, 1)) plan.costs.push_back(*one);
    plan.commands = commands(facts, plan);
    return plan;
  }
  plan.unit = amount->unit;
  add_costs(facts, amount->count, plan);
  plan.why = why_needed(facts, plan);
  const auto enough =
      std::ranges::find_if(plan.costs, [](const MachineCost& cost) { return cost.in_time; });
  if (job.machines <= 1 && plan.needed && enough != plan.costs.end())
    plan.machines = enough->machines;
  plan.shards = ranges(amount->count, plan.machines);
  add_rerun(facts, plan);
  plan.commands = commands(facts, plan);
  return plan;
}

}  // namespace gpuplan::detail
