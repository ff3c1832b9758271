// Model files on a disk in memory. The first four bytes say how much stands behind what is there:
// of the weights themselves nothing is read.
#include "../../unit/model_writer.hpp"
#include "../shared.hpp"

namespace gpuplan::fuzz {
namespace {

using testing::Disk;

void read_file(std::string_view bytes, const std::string& path, bool with_config) {
  if (bytes.size() < 4) return;
  std::int64_t rest = 0;
  for (std::size_t i = 0; i < 4; ++i)
    rest |= static_cast<std::int64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  Disk disk;
  disk.files[path] = std::string(bytes.substr(4));
  disk.sizes[path] = std::ssize(bytes) - 4 + rest;
  if (with_config) disk.files["m/config.json"] = testing::kSmallConfig;
  const auto shape = disk.read(path);
  demand(disk.bytes_read < 100'000'000, "more was read than the headers");
  if (!shape) return look_at(shape.errors());
  look_at(*shape);
}

}  // namespace

void feed_config(std::string_view bytes) {
  const auto shape = read_hf_config(bytes, "config.json");
  if (!shape) return look_at(shape.errors());
  look_at(*shape);
}

void feed_safetensors(std::string_view bytes) {
  read_file(bytes, "m.safetensors", false);
  read_file(bytes, "m/model.safetensors", true);
}

void feed_gguf(std::string_view bytes) { read_file(bytes, "m.gguf", false); }

void feed_weight_index(std::string_view bytes) {
  Disk disk;
  disk.files["m/model.safetensors.index.json"] = std::string(bytes);
  disk.files["m/config.json"] = testing::kSmallConfig;
  testing::small_safetensors().put(disk, "m/a.safetensors");
  for (const char* path : {"m/model.safetensors.index.json", "m"}) {
    const auto shape = disk.read(path);
    if (!shape)
      look_at(shape.errors());
    else
      look_at(*shape);
  }
}

}  // namespace gpuplan::fuzz
