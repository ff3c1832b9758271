#include "spec/packed.hpp"

#include <cstring>
#include <type_traits>
#include <vector>

namespace gpuplan {
namespace {

// Both directions go through one list of fields for each type, so that they cannot disagree.
template <class T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Writer {
 public:
  template <class... Fields>
  void operator()(const Fields&... fields) { (write(fields), ...); }
  std::string take() { return std::move(bytes_); }

 private:
  template <Number T>
  void write(const T& value) { append(&value, sizeof value); }
  void write(const std::string& text) {
    write(static_cast<std::uint32_t>(text.size()));
    append(text.data(), text.size());
  }
  void write(Bytes bytes) { write(bytes.count()); }
  template <class Tag>
  void write(Rate<Tag> rate) { write(rate.per_second()); }
  template <class T>
  void write(const std::optional<T>& value) {
    write(value.has_value());
    if (value) write(*value);
  }
  template <class T>
  void write(const std::vector<T>& values) {
    write(static_cast<std::uint32_t>(values.size()));
    for (const T& value : values) write(value);
  }
  template <class T>
    requires std::is_class_v<T>
  void write(const T& part) { fields_of(*this, const_cast<T&>(part)); }
  void append(const void* data, std::size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
  }

  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <class... Fields>
  void operator()(Fields&... fields) { (read(fields), ...); }
  bool whole() const { return good_ && bytes_.empty(); }

 private:
  template <Number T>
  void read(T& value) {
    if (const char* data = take(sizeof value)) std::memcpy(&value, data, sizeof value);
  }
  std::uint32_t length() {
    std::uint32_t size = 0;
    read(size);
    good_ = good_ && size <= bytes_.size();  // each entry takes a byte at least
    return good_ ? size : 0;
  }
  void read(std::string& text) {
    const std::uint32_t size = length();
    if (const char* data = take(size)) text.assign(data, size);
  }
  void read(Bytes& bytes) {
    std::int64_t count = 0;
    read(count);
    bytes = Bytes::of(count);
  }
  template <class Tag>
  void read(Rate<Tag>& rate) {
    double value = 0;
    read(value);
    rate = Rate<Tag>::per_second(value);
  }
  template <class T>
  void read(std::optional<T>& value) {
    bool there = false;
    read(there);
    if (good_ && there) read(value.emplace());
  }
  template <class T>
  void read(std::vector<T>& values) {
    values.resize(length());
    for (T& value : values) read(value);
  }
  template <class T>
    requires std::is_class_v<T>
  void read(T& part) { fields_of(*this, part); }
  const char* take(std::size_t size) {
    if (!good_ || size > bytes_.size()) {
      good_ = false;
      return nullptr;
    }
    const char* data = bytes_.data();
    bytes_.remove_prefix(size);
    return data;
  }

  std::string_view bytes_;
  bool good_ = true;
};

}  // namespace

// A type that grows a field stops here until the field is listed below.
static_assert(sizeof(CardRates) == 13 * sizeof(std::optional<FlopRate>));
static_assert(sizeof(LatentAttention) == 5 * 8 && sizeof(WindowAttention) == 6 * 8);
static_assert(sizeof(Indexer) == 2 * 8 && sizeof(Decoder) == 3 * 8 && sizeof(Recurrent) == 10 * 8);

template <class Archive>
void fields_of(Archive& archive, CardRates& r) {
  archive(r.fp64, r.fp64_tensor, r.fp32, r.tf32, r.fp16, r.fp16_acc16, r.bf16, r.fp8, r.fp8_acc16,
          r.fp6, r.fp4, r.int8, r.int4);
}

template <class Archive>
void fields_of(Archive& archive, Card& c) {
  archive(c.name, c.aliases, c.vendor, c.architecture, c.year, c.devices, c.card_class, c.memory,
          c.memory_nominal, c.memory_estimated, c.memory_estimated_from, c.memory_labels_gb,
          c.memory_type, c.ecc, c.bandwidth, c.rates, c.link, c.link_name, c.link_total,
          c.link_cards, c.bridge_total, c.bridge_cards, c.pcie_gen, c.pcie_lanes,
          c.compute_capability, c.watts, c.encoders, c.decoders, c.graphics, c.mig, c.native);
}

template <class Archive>
void fields_of(Archive& archive, LatentAttention& l) {
  archive(l.kv_lora_rank, l.q_lora_rank, l.qk_rope_head_dim, l.qk_nope_head_dim, l.v_head_dim);
}

template <class Archive>
void fields_of(Archive& archive, Experts& e) {
  archive(e.experts, e.active, e.active_stated, e.intermediate, e.shared, e.shared_intermediate,
          e.dense_layers, e.latent, e.shared_gate, e.router_bias, e.expert_bias);
}

template <class Archive>
void fields_of(Archive& archive, WindowAttention& w) {
  archive(w.heads, w.kv_heads, w.head_dim, w.v_head_dim, w.qk_norm, w.sinks);
}

template <class Archive>
void fields_of(Archive& archive, Indexer& i) { archive(i.heads, i.head_dim); }

template <class Archive>
void fields_of(Archive& archive, Recurrent& r) {
  archive(r.kind, r.inner, r.state, r.convolution, r.dt_rank, r.heads, r.groups, r.key_heads,
          r.key_head_dim, r.value_head_dim);
}

template <class Archive>
void fields_of(Archive& archive, Decoder& d) {
  archive(d.layers, d.positions, d.relative_buckets);
}

template <class Archive>
void fields_of(Archive& archive, UNet& u) {
  archive(u.in_channels, u.out_channels, u.layers_per_block, u.channels, u.transformers,
          u.middle_transformers, u.added_embedding);
}

template <class Archive>
void fields_of(Archive& archive, ModelShape& m) {
  archive(m.name, m.aliases, m.kind, m.family, m.layers, m.hidden, m.heads, m.kv_heads, m.head_dim,
          m.v_head_dim, m.intermediate, m.intermediate_sum, m.vocab, m.embedding_dim, m.gated_mlp,
          m.tied, m.positions, m.token_types, m.max_positions, m.qkv_bias, m.key_bias,
          m.attention_output_bias, m.attention_gate, m.attention_sinks, m.key_is_value, m.mlp_bias,
          m.head_bias, m.qk_norm, m.layer_norm, m.norm_bias, m.norms_per_layer, m.final_norm,
          m.embedding_norm);
  archive(m.sliding_window, m.sliding_layers, m.window, m.recurrent_layers, m.state_bytes,
          m.recurrent, m.attention_layers, m.mlp_layers, m.latent, m.indexer, m.moe, m.decoder,
          m.unet, m.vision_parameters, m.extra_parameters, m.extra_note, m.image_size,
          m.patch_size, m.patch_bias, m.class_token, m.context_dim, m.classes, m.projection,
          m.pooler, m.parameters_stated, m.source, m.filled_in);
}

namespace {

template <class T>
std::string packed(const std::vector<T>& rows) {
  Writer writer;
  writer(rows);
  return writer.take();
}

template <class T>
std::optional<std::vector<T>> unpacked(std::string_view bytes) {
  Reader reader(bytes);
  std::vector<T> rows;
  reader(rows);
  if (!reader.whole()) return std::nullopt;
  return rows;
}

}  // namespace

std::string pack(const CardTable& cards) { return packed(cards.all()); }
std::string pack(const ModelTable& models) { return packed(models.all()); }

std::optional<CardTable> unpack_cards(std::string_view bytes) {
  auto rows = unpacked<Card>(bytes);
  if (!rows) return std::nullopt;
  return CardTable(std::move(*rows));
}

std::optional<ModelTable> unpack_models(std::string_view bytes) {
  auto rows = unpacked<ModelShape>(bytes);
  if (!rows) return std::nullopt;
  return ModelTable(std::move(*rows));
}

}  // namespace gpuplan
