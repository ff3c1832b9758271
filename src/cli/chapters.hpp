#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/render.hpp"

namespace gpuplan::cli {

// A chapter of the method: `gpuplan explain NAME` and the manual page gpuplan(7) have the same text.
struct Chapter {
  std::string_view name, title;
  std::string_view text;  // paragraphs; lines that begin with four blanks stand as they are
};
std::vector<Chapter> chapters(Language language = Language::english);
// The paragraphs of a chapter; those of lines that stand as they are begin with a blank.
std::vector<std::string> paragraphs(const Chapter& chapter);
std::string chapter_text(const Chapter& chapter, int width);

}  // namespace gpuplan::cli
