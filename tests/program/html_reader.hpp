#pragma once

#include <map>
#include <string>
#include <vector>

// A start tag of a page with the text up to the next tag, entities resolved.
struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;
  bool has(const std::string& key) const { return attributes.contains(key); }
  const std::string& operator[](const std::string& key) const { return attributes.at(key); }
};

// The elements of a page in their order. `open` names what is not closed, or closed wrongly.
struct HtmlPage {
  std::vector<Element> elements;
  std::string unbalanced;
};
HtmlPage read_html(const std::string& text);

// Rows of the table with this caption: the exact value of each cell, where one stands beside it.
std::vector<std::vector<std::string>> table_of(const HtmlPage& page, const std::string& caption);
// Elements of the drawing with this key that have the attribute.
std::vector<Element> drawn_in(const HtmlPage& page, const std::string& picture,
                              const std::string& attribute);
