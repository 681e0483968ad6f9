// What an assertion expects, read from its source text.
#pragma once
#include <string>

namespace hefix {
/// The source text of the value that the assertion compares the call of `name` with; empty if it is not a
/// plain value.
std::string expected_text(const std::string &assertion, const std::string &name);
} // namespace hefix
