#include "html_reader.hpp"

#include <array>
#include <cctype>

namespace {

std::string resolved(const std::string& text) {
  constexpr std::array<std::pair<const char*, const char*>, 5> kEntities{
      {{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}}};
  std::string out = text;
  for (const auto& [entity, mark] : kEntities)
    for (auto i = out.find(entity); i != std::string::npos; i = out.find(entity, i + 1))
      out.replace(i, std::string(entity).size(), mark);
  return out;
}

std::map<std::string, std::string> attributes_of(const std::string& tag) {
  std::map<std::string, std::string> found;
  std::size_t i = tag.find(' ');
  while (i != std::string::npos && i < tag.size()) {
    while (i < tag.size() && (std::isspace(static_cast<unsigned char>(tag[i])) != 0)) ++i;
    const std::size_t from = i;
    while (i < tag.size() && tag[i] != '=' && tag[i] != ' ' && tag[i] != '/') ++i;
    const std::string name = tag.substr(from, i - from);
    if (name.empty()) break;
    if (i < tag.size() && tag[i] == '=' && tag[i + 1] == '"') {
      const auto end = tag.find('"', i + 2);
      found[name] = resolved(tag.substr(i + 2, end - i - 2));
      i = end + 1;
    } else {
      found[name] = "";
    }
  }
  return found;
}

}  // namespace

HtmlPage read_html(const std::string& text) {
  HtmlPage page;
  std::vector<std::string> open;
  const auto complain = [&](const std::string& what) {
    if (page.unbalanced.empty()) page.unbalanced = what;
  };
  std::size_t i = text.find('<');
  while (i != std::string::npos) {
    const auto end = text.find('>', i);
    const std::string tag = text.substr(i + 1, end - i - 1);
    const auto next = text.find('<', end);
    if (tag.starts_with("!")) {
      i = next;
      continue;
    }
    if (tag.starts_with("/")) {
      if (open.empty() || open.back() != tag.substr(1)) complain("</" + tag.substr(1) + ">");
      if (!open.empty()) open.pop_back();
      i = next;
      continue;
    }
    Element element{.name = tag.substr(0, tag.find_first_of(" /")),
                    .attributes = attributes_of(tag),
                    .text = resolved(text.substr(end + 1, next - end - 1))};
    const bool empty = tag.ends_with("/") || element.name == "meta" || element.name == "link" || element.name == "br";
    if (!empty) open.push_back(element.name);
    page.elements.push_back(element);
    // What stands in these is no HTML.
    if (element.name == "script" || element.name == "style") {
      i = text.find("</" + element.name + ">", end);
      continue;
    }
    i = next;
  }
  if (!open.empty()) complain("<" + open.back() + ">");
  return page;
}

std::vector<std::vector<std::string>> table_of(const HtmlPage& page, const std::string& caption) {
  std::vector<std::vector<std::string>> rows;
  bool inside = false;
  for (const Element& element : page.elements) {
    if (element.name == "caption") inside = element.text.find(caption) != std::string::npos;
    if (element.name == "table") inside = false;
    if (!inside) continue;
    if (element.name == "tr") rows.emplace_back();
    if (element.name == "td" || element.name == "th")
      rows.back().push_back(element.has("data-value") ? element["data-value"] : element.text);
  }
  return rows;
}

std::vector<Element> drawn_in(const HtmlPage& page, const std::string& picture,
                              const std::string& attribute) {
  std::vector<Element> found;
  bool inside = false;
  for (const Element& element : page.elements) {
    if (element.name == "svg") inside = element.has("data-picture") &&
                                        element["data-picture"] == picture;
    if (element.name == "figcaption" || element.name == "table") inside = false;
    if (inside && element.has(attribute)) found.push_back(element);
  }
  return found;
}
