// Feeds changed model files to their readers until the executions are used up: none may crash, take
// long, or give a model that later formulas cannot compute with. `fuzz_models [N] [SEED]`.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>

#include "gpuplan/memory.hpp"
#include "model_writer.hpp"

using namespace gpuplan;
using namespace gpuplan::testing;

namespace {

struct Seed {
  const char* path;  // what is read, and changed
  Disk disk;
};

std::vector<Seed> seeds() {
  std::vector<Seed> all;
  const auto add = [&](const char* path) -> Disk& { return all.emplace_back(Seed{path, {}}).disk; };
  small_gguf().put(add("m.gguf"), "m.gguf");
  GgufWriter rich = small_gguf_metadata();
  rich.numbers("llama.attention.head_count_kv_list", {2, 2}).truths("llama.pattern", {true, false});
  rich.raw("x.real", 6, little(0x3fc00000, 4)).raw("x.wide", 12, little(0x3ff8000000000000, 8));
  rich.number("llama.expert_count", 4).number("llama.attention.sliding_window", 64);
  add_small_layers(rich.f16("token_embd.weight", {64, 100})).put(add("r.gguf"), "r.gguf");
  small_safetensors().put(add("m.safetensors"), "m.safetensors");
  Disk& folder = add("m/model.safetensors");
  folder.files["m/config.json"] = kSmallConfig;
  small_safetensors("F16").put(folder, "m/model.safetensors");
  add("m/config.json").files["m/config.json"] = kSmallConfig;
  Disk& index = add("m/model.safetensors.index.json");
  index.files["m/model.safetensors.index.json"] =
      R"({"metadata": {"total_size": 25600}, "weight_map": {"lm_head.weight": "a.safetensors"}})";
  index.files["m/config.json"] = kSmallConfig;
  return all;
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}
  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }

  void change(std::string& bytes) {
    for (auto times = below(6) + 1; times-- > 0;) one(bytes);
  }

 private:
  void one(std::string& bytes) {
    if (bytes.empty()) return;
    const std::size_t at = below(bytes.size());
    switch (below(7)) {
      case 0:
        bytes[at] = static_cast<char>(random_());
        break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 2:
        bytes[at] = "0123456789-e[]{},:\""[below(19)];
        break;
      case 3:
        bytes.resize(at);
        break;
      case 4:
        bytes.insert(at, bytes.substr(below(bytes.size()), below(64)));
        break;
      case 5:
        bytes.erase(at, below(16));
        break;
      default:
        extreme(bytes, at);
    }
  }
  // A length, count or offset at the ends of its type.
  void extreme(std::string& bytes, std::size_t at) {
    constexpr std::uint64_t kEnds[] = {0,
                                       1,
                                       0x7fffffff,
                                       0xffffffff,
                                       0x7fffffffffffffff,
                                       0xffffffffffffffff,
                                       std::uint64_t{1} << 40};
    const std::string end = little(kEnds[below(7)], below(2) == 0 ? 4 : 8);
    if (at + end.size() <= bytes.size()) bytes.replace(at, end.size(), end);
  }
  std::mt19937_64 random_;
};

// True when the model can be computed with.
bool sound(const ModelShape& shape) {
  const ParameterCount count = count_parameters(shape);
  if (count.total() <= 0 || count.active() > count.total()) return false;
  if (shape.stored && shape.stored->loaded() > shape.stored->bytes) return false;
  for (const Mode mode : {Mode::inference, Mode::lora}) {
    Workload workload;
    workload.mode = mode;
    const auto resolved = resolve(workload, shape);
    if (!resolved) continue;
    if (estimate_memory(shape, *resolved).per_gpu.total <= Bytes{}) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const long executions = argc > 1 ? std::atol(argv[1]) : 100'000;
  const auto seed = static_cast<std::uint64_t>(argc > 2 ? std::atoll(argv[2]) : 1);
  const std::vector<Seed> all = seeds();
  Mutator mutator(seed);
  long accepted = 0;
  double slowest = 0;
  for (long i = 0; i < executions; ++i) {
    Seed trial = all[mutator.below(all.size())];
    mutator.change(trial.disk.files.at(trial.path));
    const std::clock_t start = std::clock();  // of the processor: others may be busy
    const auto shape = trial.disk.read(trial.path);
    const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    slowest = std::max(slowest, took);
    const bool good = shape ? sound(*shape) : !shape.errors().empty();
    accepted += shape ? 1 : 0;
    if (good && took < 1) continue;
    std::fprintf(stderr, "execution %ld of seed %llu: %s (%.3f s)\n", i,
                 static_cast<unsigned long long>(seed), good ? "slow" : "not sound", took);
    return 1;
  }
  std::printf("%ld executions, %ld accepted, slowest %.1f ms\n", executions, accepted,
              1e3 * slowest);
  return 0;
}
