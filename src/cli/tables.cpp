#include "cli/tables.hpp"

#include <future>

#include "cli/files.hpp"
#include "cli/packed_tables.hpp"
#include "cli/progress_bar.hpp"
#include "core/builtin.hpp"

namespace gpuplan::cli {

// The text of DIR/NAME; empty when DIR has no such file, then the built-in one serves.
Result<std::string> DataTables::own_file(const std::string& name) {
  if (folder_.empty()) return std::string{};
  if (!exists(folder_ + "/."))
    return Diagnostic{ErrorCode::unreadable, folder_, "", "is not a folder that can be read",
                      "--data names a folder with cards.json, models.json, catalog.json or compat.json"};
  const std::string path = folder_ + "/" + name;
  return exists(path) ? read_file(path) : std::string{};
}

Result<const CardTable*> DataTables::cards(CardDetail detail) {
  if (cards_) return cards_.get();
  const auto own = own_file("cards.json");
  if (!own) return own.errors();
  auto table = !own->empty()                     ? read_cards(*own, folder_ + "/cards.json")
               : detail == CardDetail::everything ? builtin_card_table()
                                                  : packed_cards();
  if (!table) return table.errors();
  cards_ = std::make_unique<CardTable>(std::move(*table));
  return cards_.get();
}

Result<const ModelTable*> DataTables::models() {
  if (models_) return models_.get();
  const auto own = own_file("models.json");
  if (!own) return own.errors();
  auto table = own->empty() ? packed_models()
                            : read_models(*own, folder_ + "/models.json");
  if (!table) return table.errors();
  models_ = std::make_unique<ModelTable>(std::move(*table));
  return models_.get();
}

Result<CompatTable> DataTables::compat() {
  const auto own = own_file("compat.json");
  if (!own) return own.errors();
  return own->empty() ? builtin_compat_table() : read_compat(*own, folder_ + "/compat.json");
}

Result<Tables> DataTables::both() {
  // Parsing is most of a short run, and the two tables have nothing in common.
  auto reading = std::async(std::launch::async, [this] { return models(); });
  const auto c = cards();
  const auto m = reading.get();
  if (!c) return c.errors();
  if (!m) return m.errors();
  return Tables{.cards = *c, .models = *m};
}

Result<Tables> DataTables::for_job(const Job& job) {
  if (!names_model_file(job.model) || job.draft_model) return both();
  const auto c = cards();
  if (!c) return c.errors();
  if (!models_) models_ = std::make_unique<ModelTable>(std::vector<ModelShape>{});
  return Tables{.cards = *c, .models = models_.get()};
}

namespace {

// Somebody who watches sees how much of the file is read.
Result<Catalog> catalog_file(const std::string& file, bool hashed, Progress* progress) {
  if (auto mapped = MappedFile::open(file)) {
    if (progress != nullptr) {
      progress->done = 0;
      progress->total = static_cast<std::int64_t>(mapped->text().size());
    }
    auto catalog = read_catalog(LongText{mapped->text(), [&] { return hashed ? mapped->sha256() : std::string{}; },
                                         [&](std::size_t bytes) {
                                           mapped->release(bytes);
                                           if (progress != nullptr)
                                             progress->done = static_cast<std::int64_t>(bytes);
                                         }},
                                file);
    if (progress != nullptr) progress->total = 0;  // what follows is of unknown length
    return catalog;
  }
  const auto text = read_file(file);
  if (!text) return text.errors();
  return read_catalog(*text, file == "-" ? "<stdin>" : file);
}

}  // namespace

Result<Catalog> DataTables::catalog(const std::vector<std::string>& files, bool hashed) {
  if (files.empty()) {
    const auto own = own_file("catalog.json");
    if (!own) return own.errors();
    return own->empty() ? read_catalog(builtin_catalog(), "built-in catalog.json")
                        : read_catalog(*own, folder_ + "/catalog.json");
  }
  std::optional<Catalog> result;
  Diagnostics faults;
  for (const std::string& file : files) {
    auto catalog = catalog_file(file, hashed, watched_progress());
    if (!catalog) {
      faults.insert(faults.end(), catalog.errors().begin(), catalog.errors().end());
      continue;
    }
    result = result ? overlay(std::move(*result), std::move(*catalog)) : std::move(*catalog);
  }
  if (!faults.empty()) return faults;
  return std::move(*result);
}

}  // namespace gpuplan::cli
