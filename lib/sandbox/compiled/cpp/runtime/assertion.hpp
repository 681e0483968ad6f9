// What an assertion expects, read from its text.
#pragma once
#include <string>

namespace hefix {
/// The text of the value that the assertion compares the call of `name` with; empty if that is not plain.
std::string expected_text(const std::string &assertion, const std::string &name);
} // namespace hefix
