#pragma once

#include <memory>
#include <string>

#include "cli/outcome.hpp"
#include "gpuplan/compat.hpp"
#include "gpuplan/plan.hpp"
#include "gpuplan/rank.hpp"

namespace gpuplan::cli {

// The tables behind an answer: built into the program, or from --data DIR. Parsed when asked for.
class DataTables {
 public:
  explicit DataTables(const Common& common) : folder_(common.data_folder) {}
  enum class CardDetail { figures, everything };  // everything: with sources and traps
  Result<const CardTable*> cards(CardDetail detail = CardDetail::figures);
  Result<const ModelTable*> models();
  Result<Tables> both();
  // Without the models when the job names its own by file.
  Result<Tables> for_job(const Job& job);
  Result<CompatTable> compat();
  // The catalogs of these files, the later over the earlier; the built-in one for none.
  // `hashed`: whether its SHA-256 will be shown; it is left empty for a long file otherwise.
  Result<Catalog> catalog(const std::vector<std::string>& files, bool hashed = true);

 private:
  Result<std::string> own_file(const std::string& name);
  std::string folder_;
  std::unique_ptr<CardTable> cards_;
  std::unique_ptr<ModelTable> models_;
};

}  // namespace gpuplan::cli
