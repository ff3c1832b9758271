#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpuplan/model_files.hpp"

// Small model files made in memory, and a disk that holds them.
namespace gpuplan::testing {

inline std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
  return text;
}

// A disk in memory that counts what is read of it.
class Disk {
 public:
  std::map<std::string, std::string> files;
  // Files of which only the beginning is there: the rest reads as zeros.
  std::map<std::string, std::int64_t> sizes;
  std::int64_t bytes_read = 0;

  FileAccess access() {
    return {.look = [this](const std::string& path) { return look(path); },
            .read_all = [this](const std::string& path) { return read_all(path); },
            .read_at = [this](const std::string& path, std::int64_t offset,
                              std::int64_t count) { return read_at(path, offset, count); },
            .list = [this](const std::string& folder) { return list(folder); }};
  }
  Result<ModelShape> read(const std::string& path) {
    warnings.clear();
    return read_model_path(path, access(), warnings);
  }
  Warnings warnings;

 private:
  std::int64_t size_of(const std::string& path) const {
    const auto stated = sizes.find(path);
    return stated != sizes.end() ? stated->second : std::ssize(files.at(path));
  }
  FileAccess::Look look(const std::string& path) const {
    if (path == "-") return {FileAccess::Kind::stream, 0};
    if (files.contains(path)) return {FileAccess::Kind::file, size_of(path)};
    const std::string folder = path.ends_with('/') ? path : path + "/";
    const auto inside = files.lower_bound(folder);
    const bool any = inside != files.end() && inside->first.starts_with(folder);
    return {any ? FileAccess::Kind::folder : FileAccess::Kind::absent, 0};
  }
  Result<std::string> read_all(const std::string& path) {
    const auto file = files.find(path);
    if (file == files.end())
      return Diagnostic{ErrorCode::unreadable, path, "",
                        "cannot be read: No such file or directory", ""};
    bytes_read += std::ssize(file->second);
    return file->second;
  }
  Result<std::string> read_at(const std::string& path, std::int64_t offset, std::int64_t count) {
    const std::string& text = files.at(path);
    const std::int64_t size = size_of(path);
    const std::int64_t end = std::min(offset + count, size);
    std::string bytes;
    for (std::int64_t i = offset; i < end; ++i)
      bytes += i < std::ssize(text) ? text[static_cast<std::size_t>(i)] : '\0';
    bytes_read += std::ssize(bytes);
    return bytes;
  }
  Result<std::vector<std::string>> list(const std::string& folder) {
    std::vector<std::string> names;
    const std::string stem = folder == "." ? "" : folder.ends_with('/') ? folder : folder + "/";
    for (const auto& [path, text] : files)
      if (path.starts_with(stem) && path.find('/', stem.size()) == std::string::npos)
        names.push_back(path.substr(stem.size()));
    return names;
  }
};

// ---- safetensors ----

inline std::int64_t bits_of(std::string_view type) {
  if (type == "F4") return 4;
  if (type == "F6_E2M3" || type == "F6_E3M2") return 6;
  if (type.ends_with("64")) return 64;
  if (type.ends_with("32")) return 32;
  if (type.ends_with("16")) return 16;
  return 8;
}

class SafetensorsWriter {
 public:
  SafetensorsWriter& add(const std::string& name, const std::string& type,
                         const std::vector<std::int64_t>& shape) {
    std::int64_t elements = 1;
    std::string sides;
    for (const std::int64_t side : shape) {
      elements *= side;
      sides += (sides.empty() ? "" : ",") + std::to_string(side);
    }
    const std::int64_t bytes = elements * bits_of(type) / 8;
    entry(name, "{\"dtype\":\"" + type + "\",\"shape\":[" + sides + "],\"data_offsets\":[" +
                    std::to_string(data_) + "," + std::to_string(data_ + bytes) + "]}");
    data_ += bytes;
    return *this;
  }
  SafetensorsWriter& entry(const std::string& name, const std::string& json) {
    header_ += (header_.empty() ? "{" : ",") + ("\"" + name + "\":" + json);
    return *this;
  }
  std::string header() const { return (header_.empty() ? "{" : header_) + "}"; }
  std::int64_t data() const { return data_; }
  // Without the bytes of the tensors, which no reader here looks at.
  std::string head() const {
    return little(static_cast<std::uint64_t>(header().size()), 8) + header();
  }
  std::string file() const { return head() + std::string(static_cast<std::size_t>(data_), '\0'); }
  // Puts it on the disk with its size, but without the tensors' bytes.
  void put(Disk& disk, const std::string& path) const {
    disk.files[path] = head();
    disk.sizes[path] = std::ssize(head()) + data_;
  }

 private:
  std::string header_;
  std::int64_t data_ = 0;
};

// ---- GGUF ----

class GgufWriter {
 public:
  std::uint32_t version = 3;
  std::int64_t alignment = 32;

  static std::string text(std::string_view value) {
    return little(value.size(), 8) + std::string(value);
  }
  // `type` and the bytes of the value as they are.
  GgufWriter& raw(std::string_view key, std::uint32_t type, const std::string& bytes) {
    metadata_ += text(key) + little(type, 4) + bytes;
    ++entries_;
    return *this;
  }
  GgufWriter& number(std::string_view key, std::uint64_t value) {
    return raw(key, 4, little(value, 4));
  }
  GgufWriter& string(std::string_view key, std::string_view value) {
    return raw(key, 8, text(value));
  }
  GgufWriter& numbers(std::string_view key, const std::vector<std::uint64_t>& values) {
    std::string bytes = little(4, 4) + little(values.size(), 8);
    for (const std::uint64_t value : values) bytes += little(value, 4);
    return raw(key, 9, bytes);
  }
  GgufWriter& truths(std::string_view key, const std::vector<bool>& values) {
    std::string bytes = little(7, 4) + little(values.size(), 8);
    for (const bool value : values) bytes += value ? '\1' : '\0';
    return raw(key, 9, bytes);
  }
  GgufWriter& strings(std::string_view key, std::size_t count) {
    std::string bytes = little(8, 4) + little(count, 8);
    for (std::size_t i = 0; i < count; ++i) bytes += text("t" + std::to_string(i));
    return raw(key, 9, bytes);
  }
  // `shape` in the order of the file: the length of a row first.
  GgufWriter& tensor(std::string_view name, std::uint32_t type,
                     const std::vector<std::uint64_t>& shape, std::int64_t bytes) {
    tensor_at(name, type, shape, static_cast<std::uint64_t>(data_));
    data_ = (data_ + bytes + alignment - 1) / alignment * alignment;
    return *this;
  }
  GgufWriter& tensor_at(std::string_view name, std::uint32_t type,
                        const std::vector<std::uint64_t>& shape, std::uint64_t offset) {
    infos_ += text(name) + little(shape.size(), 4);
    for (const std::uint64_t side : shape) infos_ += little(side, 8);
    infos_ += little(type, 4) + little(offset, 8);
    ++tensors_;
    return *this;
  }
  GgufWriter& f32(std::string_view name, const std::vector<std::uint64_t>& shape) {
    return plain(name, 0, 4, shape);
  }
  GgufWriter& f16(std::string_view name, const std::vector<std::uint64_t>& shape) {
    return plain(name, 1, 2, shape);
  }
  std::string head() const {
    return "GGUF" + little(version, 4) + little(tensors_, 8) + little(entries_, 8) + metadata_ +
           infos_;
  }
  std::int64_t size() const {
    return (std::ssize(head()) + alignment - 1) / alignment * alignment + data_;
  }
  std::string file() const {
    std::string bytes = head();
    bytes.resize(static_cast<std::size_t>(size()), '\0');
    return bytes;
  }
  void put(Disk& disk, const std::string& path) const {
    disk.files[path] = head();
    disk.sizes[path] = size();
  }

 private:
  GgufWriter& plain(std::string_view name, std::uint32_t type, std::int64_t bytes,
                    const std::vector<std::uint64_t>& shape) {
    for (const std::uint64_t side : shape) bytes *= static_cast<std::int64_t>(side);
    return tensor(name, type, shape, bytes);
  }
  std::string metadata_, infos_;
  std::uint64_t entries_ = 0, tensors_ = 0;
  std::int64_t data_ = 0;
};

// ---- one small model in both forms: width 64, 4 heads of 16, 2 for keys, 2 layers, 100 tokens
// ----

inline const std::string kSmallConfig =
    R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4,
        "num_key_value_heads": 2, "head_dim": 16, "num_hidden_layers": 2,
        "intermediate_size": 128, "vocab_size": 100, "max_position_embeddings": 4096})";
// Two tables of 6,400; a layer: q and o 4,096 each, k and v 2,048 each, three matrices of 8,192,
// two norms of 64; a last norm.
constexpr std::int64_t kSmallCount = 2 * 6'400 + 2 * (2 * 4'096 + 2 * 2'048 + 3 * 8'192 + 128) + 64;

inline SafetensorsWriter small_safetensors(const std::string& type = "BF16", bool head = true) {
  SafetensorsWriter writer;
  writer.add("model.embed_tokens.weight", type, {100, 64});
  for (const std::string layer : {"model.layers.0.", "model.layers.1."}) {
    writer.add(layer + "self_attn.q_proj.weight", type, {64, 64})
        .add(layer + "self_attn.k_proj.weight", type, {32, 64})
        .add(layer + "self_attn.v_proj.weight", type, {32, 64})
        .add(layer + "self_attn.o_proj.weight", type, {64, 64})
        .add(layer + "mlp.gate_proj.weight", type, {128, 64})
        .add(layer + "mlp.up_proj.weight", type, {128, 64})
        .add(layer + "mlp.down_proj.weight", type, {64, 128})
        .add(layer + "input_layernorm.weight", type, {64})
        .add(layer + "post_attention_layernorm.weight", type, {64});
  }
  writer.add("model.norm.weight", type, {64});
  if (head) writer.add("lm_head.weight", type, {100, 64});
  return writer;
}

inline GgufWriter small_gguf_metadata() {
  GgufWriter writer;
  writer.string("general.architecture", "llama")
      .string("general.name", "Small")
      .number("general.file_type", 1)
      .number("llama.block_count", 2)
      .number("llama.context_length", 4096)
      .number("llama.embedding_length", 64)
      .number("llama.feed_forward_length", 128)
      .number("llama.attention.head_count", 4)
      .number("llama.attention.head_count_kv", 2)
      .strings("tokenizer.ggml.tokens", 100);
  return writer;
}

inline GgufWriter& add_small_layers(GgufWriter& writer) {
  for (const std::string layer : {"blk.0.", "blk.1."}) {
    writer.f16(layer + "attn_q.weight", {64, 64})
        .f16(layer + "attn_k.weight", {64, 32})
        .f16(layer + "attn_v.weight", {64, 32})
        .f16(layer + "attn_output.weight", {64, 64})
        .f16(layer + "ffn_gate.weight", {64, 128})
        .f16(layer + "ffn_up.weight", {64, 128})
        .f16(layer + "ffn_down.weight", {128, 64})
        .f32(layer + "attn_norm.weight", {64})
        .f32(layer + "ffn_norm.weight", {64});
  }
  return writer;
}

inline GgufWriter small_gguf() {
  GgufWriter writer = small_gguf_metadata();
  writer.f16("token_embd.weight", {64, 100});
  add_small_layers(writer);
  writer.f32("output_norm.weight", {64}).f16("output.weight", {64, 100});
  return writer;
}

inline std::string messages(const Diagnostics& errors) {
  std::string text;
  for (const Diagnostic& error : errors) text += to_text(error) + "\n";
  return text;
}

}  // namespace gpuplan::testing
