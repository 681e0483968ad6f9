#include "assertion.hpp"
#include <cctype>
#include <vector>

namespace hefix {

namespace {

std::string trimmed(std::string text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
  std::size_t start = 0;
  while (start < text.size() && std::isspace(static_cast<unsigned char>(text[start]))) start++;
  return text.substr(start);
}

/// The parts of a text between separators outside brackets and literals.
std::vector<std::string> split(const std::string &text, const std::string &separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = 0;
  for (std::size_t at = 0; at < text.size(); at++) {
    char now = text[at];
    if (quote != 0) {
      parts.back() += now;
      if (now == '\\' && at + 1 < text.size()) parts.back() += text[++at];
      else if (now == quote) quote = 0;
      continue;
    }
    if (now == '"' || now == '\'') quote = now;
    if (now == '(' || now == '{' || now == '[') depth++;
    if (now == ')' || now == '}' || now == ']') depth--;
    if (depth == 0 && text.compare(at, separator.size(), separator) == 0) {
      parts.emplace_back();
      at += separator.size() - 1;
    } else {
      parts.back() += now;
    }
  }
  for (std::string &part : parts) part = trimmed(part);
  return parts;
}

/// The arguments if the text is just `f(…)`, otherwise nothing.
std::vector<std::string> arguments_of(const std::string &text, const std::string &name) {
  if (text.compare(0, name.size(), name) != 0) return {};
  std::string rest = trimmed(text.substr(name.size()));
  if (rest.size() < 2 || rest.front() != '(' || rest.back() != ')') return {};
  // The first bracket must close at the end.
  int depth = 0;
  for (std::size_t at = 0; at < rest.size(); at++) {
    if (rest[at] == '(') depth++;
    if (rest[at] == ')' && --depth == 0 && at + 1 < rest.size()) return {};
  }
  return split(rest.substr(1, rest.size() - 2), ",");
}

std::string unwrapped(std::string text) {
  text = split(text, "&&").front();
  for (auto inside = arguments_of(text, ""); inside.size() == 1; inside = arguments_of(text, "")) text = inside[0];
  return text;
}

} // namespace

std::string expected_text(const std::string &assertion, const std::string &name) {
  std::string text = unwrapped(assertion);
  auto is_call = [&](const std::string &part) { return !arguments_of(unwrapped(part), name).empty(); };
  if (is_call(text)) return "true";
  for (const char *negation : {"!", "not"}) {
    std::size_t size = std::string(negation).size();
    if (text.compare(0, size, negation) == 0 && is_call(trimmed(text.substr(size)))) return "false";
  }
  std::vector<std::string> sides = split(text, "==");
  if (sides.size() != 2) {
    // issame(f(…), {…}) and similar.
    std::size_t open = text.find('(');
    if (open == std::string::npos || open == 0) return "";
    sides = arguments_of(text, text.substr(0, open));
  }
  if (sides.size() != 2) return "";
  if (is_call(sides[0])) return sides[1];
  return is_call(sides[1]) ? sides[0] : "";
}

} // namespace hefix
