#pragma once

#include <array>
#include <string>
#include <string_view>

#include "gpuplan/memory.hpp"
#include "gpuplan/speed.hpp"
#include "render/json_writer.hpp"

namespace gpuplan {

// The parts of a GPU's memory, in the order in which every output shows them.
struct MemoryPart {
  std::string_view key;    // of JSON, without "_bytes"
  std::string_view label;  // for people
  Bytes MemoryBreakdown::*member;
};
inline constexpr std::array kMemoryParts{
    MemoryPart{"weights", "weights", &MemoryBreakdown::weights},
    MemoryPart{"gradients", "gradients", &MemoryBreakdown::gradients},
    MemoryPart{"optimizer", "optimizer states", &MemoryBreakdown::optimizer},
    MemoryPart{"adapter", "adapters and their states", &MemoryBreakdown::adapter},
    MemoryPart{"activations", "activations", &MemoryBreakdown::activations},
    MemoryPart{"logits", "logits and loss", &MemoryBreakdown::logits},
    MemoryPart{"kv_cache", "KV cache", &MemoryBreakdown::kv_cache},
    MemoryPart{"workspace", "workspace", &MemoryBreakdown::workspace},
    MemoryPart{"framework", "context, kernels", &MemoryBreakdown::framework},
    MemoryPart{"allocated", "allocated at the worst moment", &MemoryBreakdown::allocated},
    MemoryPart{"reserved", "with the allocator's cache", &MemoryBreakdown::reserved},
    MemoryPart{"total", "peak, as nvidia-smi shows it", &MemoryBreakdown::total}};

void write_speed(JsonWriter& json, const std::optional<SpeedEstimate>& speed,
                 const std::optional<Seconds>& work);
// A limit or value of a gate for people: "12 h", "8 USD", "30 days"; "not known" where there is none.
std::string gate_amount(std::string_view gate, const std::string& text, std::string_view currency);
void write_explained(JsonWriter& json, const std::vector<Explained>& lines);
// Lines of --explain for people.
std::string explain_text(const std::vector<Explained>& lines, int width);

}  // namespace gpuplan
