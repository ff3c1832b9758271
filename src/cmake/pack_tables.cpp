// Writes the built-in tables as flat bytes, when the program is built: pack_tables CARDS MODELS
#include <cstdio>
#include <string>

#include "core/builtin.hpp"
#include "spec/cards_read.hpp"
#include "spec/packed.hpp"

namespace {

bool write(const char* path, const std::string& bytes) {
  std::FILE* file = std::fopen(path, "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  return std::fclose(file) == 0 && written;
}

template <class Table>
bool packed(const gpuplan::Result<Table>& table, const char* path) {
  if (table) return write(path, pack(*table));
  for (const gpuplan::Diagnostic& why : table.errors())
    std::fprintf(stderr, "%s%s: %s\n", why.source.c_str(), why.pointer.c_str(),
                 why.message.c_str());
  return false;
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  const auto models = gpuplan::read_models(gpuplan::builtin_models(), "data/models.json");
  const bool done = packed(gpuplan::builtin_card_figures(), words[1]) && packed(models, words[2]);
  return done ? 0 : 1;
}
