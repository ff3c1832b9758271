#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpuplan/money.hpp"

// Small forms of optional, text and list, for what stands in a million offers and is mostly absent.
namespace gpuplan {

// A text that most offers do not have or share with thousands: one pointer, and copies are one text.
class SharedText {
 public:
  SharedText() = default;
  SharedText(std::string text)  // NOLINT: it is a text like any other
      : kept_(text.empty() ? nullptr : new Kept{std::move(text), 1}) {}
  SharedText(const char* text) : SharedText(std::string(text)) {}       // NOLINT
  SharedText(std::string_view text) : SharedText(std::string(text)) {}  // NOLINT
  SharedText(const SharedText& other) : kept_(other.kept_) {
    if (kept_ != nullptr) kept_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  SharedText(SharedText&& other) noexcept : kept_(std::exchange(other.kept_, nullptr)) {}
  SharedText& operator=(SharedText other) noexcept {
    std::swap(kept_, other.kept_);
    return *this;
  }
  ~SharedText() {
    if (kept_ != nullptr && kept_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete kept_;
  }

  const std::string& str() const {
    static const std::string kNone;
    return kept_ != nullptr ? kept_->text : kNone;
  }
  operator const std::string&() const { return str(); }  // NOLINT
  operator std::string_view() const { return str(); }    // NOLINT
  bool empty() const { return kept_ == nullptr; }
  // The same for texts that are one in memory, so equal without being looked at; null: empty.
  const void* identity() const { return kept_; }
  friend bool operator==(const SharedText& a, const SharedText& b) {
    return a.kept_ == b.kept_ || a.str() == b.str();
  }
  friend bool operator==(const SharedText& a, const char* b) { return a.str() == b; }
  friend bool operator==(const SharedText& a, std::string_view b) { return a.str() == b; }
  friend bool operator==(const SharedText& a, const std::string& b) { return a.str() == b; }
  friend std::string operator+(const std::string& a, const SharedText& b) { return a + b.str(); }
  friend std::string operator+(const SharedText& a, const std::string& b) { return a.str() + b; }
  friend std::string operator+(const char* a, const SharedText& b) { return a + b.str(); }
  friend std::string operator+(const SharedText& a, const char* b) { return a.str() + b; }
  SharedText& operator+=(const std::string& more) { return *this = SharedText(str() + more); }

 private:
  struct Kept {
    std::string text;
    std::atomic<std::size_t> owners;
  };
  Kept* kept_ = nullptr;
};

// std::optional<Decimal> in two thirds of its size.
class MaybeDecimal {
 public:
  constexpr MaybeDecimal() = default;
  constexpr MaybeDecimal(std::nullopt_t) {}                  // NOLINT: an optional like any other
  constexpr MaybeDecimal(const Decimal& value) : value_(value) {}  // NOLINT
  constexpr MaybeDecimal(const std::optional<Decimal>& value)      // NOLINT
      : value_(value ? *value : kAbsent) {}
  constexpr operator std::optional<Decimal>() const {  // NOLINT
    return has_value() ? std::optional<Decimal>(value_) : std::nullopt;
  }

  constexpr bool has_value() const { return value_.scale() >= 0; }
  constexpr explicit operator bool() const { return has_value(); }
  constexpr const Decimal& operator*() const { return value_; }
  constexpr Decimal& operator*() { return value_; }
  constexpr const Decimal* operator->() const { return &value_; }
  constexpr Decimal value_or(const Decimal& other) const { return has_value() ? value_ : other; }
  constexpr void reset() { value_ = kAbsent; }
  friend bool operator==(const MaybeDecimal& a, const MaybeDecimal& b) {
    return a.has_value() == b.has_value() && (!a.has_value() || a.value_ == b.value_);
  }
  friend bool operator==(const MaybeDecimal& a, const Decimal& b) { return a.has_value() && a.value_ == b; }

 private:
  static constexpr Decimal kAbsent = Decimal::of(0, -1);  // no number has such a scale
  Decimal value_ = kAbsent;
};

// A list that is empty nearly always: one pointer then.
template <class T>
class Few {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  Few() = default;
  Few(std::initializer_list<T> values) : Few(std::vector<T>(values)) {}
  Few(std::vector<T> values)  // NOLINT: a list like any other
      : list_(values.empty() ? nullptr : std::make_unique<std::vector<T>>(std::move(values))) {}
  Few(const Few& other) : list_(other.list_ ? std::make_unique<std::vector<T>>(*other.list_) : nullptr) {}
  Few(Few&&) noexcept = default;
  Few& operator=(const Few& other) { return *this = Few(other); }
  Few& operator=(Few&&) noexcept = default;
  ~Few() = default;

  bool empty() const { return size() == 0; }
  std::size_t size() const { return list_ ? list_->size() : 0; }
  T* begin() { return list_ ? list_->data() : nullptr; }
  T* end() { return begin() + size(); }
  const T* begin() const { return list_ ? list_->data() : nullptr; }
  const T* end() const { return begin() + size(); }
  T& operator[](std::size_t at) { return (*list_)[at]; }
  const T& operator[](std::size_t at) const { return (*list_)[at]; }
  T& front() { return list_->front(); }
  const T& front() const { return list_->front(); }
  T& back() { return list_->back(); }
  const T& back() const { return list_->back(); }
  void push_back(T value) { list().push_back(std::move(value)); }
  template <class... Parts>
  T& emplace_back(Parts&&... parts) {
    return list().emplace_back(std::forward<Parts>(parts)...);
  }
  void clear() { list_.reset(); }
  friend bool operator==(const Few& a, const Few& b)
    requires requires(const T& x) { x == x; }
  {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::vector<T>& list() {
    if (!list_) list_ = std::make_unique<std::vector<T>>();
    return *list_;
  }
  std::unique_ptr<std::vector<T>> list_;
};

}  // namespace gpuplan
