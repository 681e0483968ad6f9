// Linked into every judge: the state of the tests, and the report on descriptor 3. Descriptor 0 is the
// connection to the candidate.
#include "hefix/judge.hpp"
#include "assertion.hpp"
#include "judge-include/assert.h"
#include <algorithm>
#include <any>
#include <csignal>
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <fcntl.h>
#include <new>
#include <sys/socket.h>
#include <stdexcept>
#include <typeinfo>
#include <unistd.h>
#include <vector>

/// Whether the tests can fail by their exit status, without an assertion; generated with the tests.
extern const bool hefix_decides_by_status;
/// Whether the tests hold an assertion, which may stand in a loop over an empty result; generated too.
extern const bool hefix_asserts;

namespace hefix {

namespace {

constexpr int channel = 0;
constexpr int report = 3;
constexpr std::size_t max_field = 2000;
constexpr int max_assertions = 1000;
constexpr std::size_t max_failing = 10;

struct State {
  int line = 0;
  std::string assertion;
  std::string call;
  std::string value;
  /// Calls and assertions so far, and calls since the assertion began.
  int calls = 0, assertions = 0, calls_inside = 0;
  bool is_asserting = false;
  /// What the candidate threw last, unless the tests have called it since.
  bool has_raised = false;
  std::string type, message, frames;
  /// Whether assertions are counted instead of judged, after a verdict: this process gives none then.
  bool is_counting = false, is_partial = false;
  int passed = 0, failed = 0;
  /// Lines of assertions that fail.
  std::vector<int> failing;
};

State &state() {
  // Never destroyed, because destructors of the tests' statics may still assert.
  static State *only = new State;
  return *only;
}

struct Fields {
  std::string kind, expected, actual, type, message, exception_line;
};

void send_report(const Fields &fields) {
  const State &now = state();
  std::string line = now.line > 0 ? std::to_string(now.line) : "";
  const std::string *all[] = {&fields.kind,   &line,        &now.call,       &fields.expected,
                              &fields.actual, &fields.type, &fields.message, &fields.exception_line};
  std::string bytes;
  for (const std::string *field : all) {
    std::uint32_t size = static_cast<std::uint32_t>(std::min(field->size(), max_field));
    bytes.append(reinterpret_cast<const char *>(&size), sizeof size);
    bytes.append(*field, 0, size);
  }
  std::uint32_t size = static_cast<std::uint32_t>(bytes.size());
  bytes.insert(0, reinterpret_cast<const char *>(&size), sizeof size);
  for (std::size_t at = 0; at < bytes.size();) {
    ssize_t written = ::write(report, bytes.data() + at, bytes.size() - at);
    if (written <= 0) break;
    at += static_cast<std::size_t>(written);
  }
}

[[noreturn]] void end(const Fields &fields) {
  State &now = state();
  if (!now.is_counting) {
    send_report(fields);
    _exit(0);
  }
  // Passed, failed, and lines that fail.
  std::string text = std::to_string(now.passed) + " " + std::to_string(now.failed);
  for (int line : now.failing) text += " " + std::to_string(line);
  bool is_partial = now.is_partial || fields.kind != "passed";
  send_report({"counted", "", "", is_partial ? "partial" : "", text, ""});
  _exit(0);
}

void count(bool holds) {
  State &now = state();
  (holds ? now.passed : now.failed)++;
  bool is_known = std::find(now.failing.begin(), now.failing.end(), now.line) != now.failing.end();
  if (!holds && !is_known && now.failing.size() < max_failing) now.failing.push_back(now.line);
  if (now.passed + now.failed < max_assertions) return;
  now.is_partial = true;
  end({"passed", "", "", "", "", ""});
}

/// The candidate threw a type that rethrow() does not list.
struct OtherException : std::exception {
  explicit OtherException(std::string what) : text(std::move(what)) {}
  const char *what() const noexcept override { return text.c_str(); }
  std::string text;
};

[[noreturn]] void rethrow(const std::string &type, const std::string &message) {
  if (type == "std::invalid_argument") throw std::invalid_argument(message);
  if (type == "std::out_of_range") throw std::out_of_range(message);
  if (type == "std::domain_error") throw std::domain_error(message);
  if (type == "std::length_error") throw std::length_error(message);
  if (type == "std::logic_error") throw std::logic_error(message);
  if (type == "std::range_error") throw std::range_error(message);
  if (type == "std::overflow_error") throw std::overflow_error(message);
  if (type == "std::underflow_error") throw std::underflow_error(message);
  if (type == "std::runtime_error") throw std::runtime_error(message);
  if (type == "std::bad_any_cast") throw std::bad_any_cast();
  throw OtherException(message);
}

/// The tests threw, or called abort().
[[noreturn]] void on_terminate() {
  const State &now = state();
  // The exception ended an assertion, and those after it are not reached.
  if (now.is_counting && now.is_asserting) count(false);
  if (now.has_raised) end({"raised", "", "", now.type, now.message, now.frames});
  std::string type, message;
  if (const std::type_info *thrown = abi::__cxa_current_exception_type()) {
    type = type_name(thrown->name());
    try {
      throw;
    } catch (std::exception &error) {
      message = error.what();
    } catch (...) {
    }
  }
  if (now.calls == 0) end({"invalid", "", "", type, "throw " + type + " before they call the function", ""});
  end({"failed", "", now.value, type, "The tests could not use the result: " + type + " " + message + ".", ""});
}

void on_signal(int number) {
  const State &now = state();
  std::string name = number == SIGSEGV ? "SIGSEGV" : number == SIGFPE ? "SIGFPE" : number == SIGABRT ? "SIGABRT" : "SIGBUS";
  end({"failed", "", now.value, name, "The tests could not use the result: " + name + ".", ""});
}

/// main returned, or the tests called exit.
void on_end(int status, void *) {
  const State &now = state();
  if (status != 0) end({"failed", "", "", "", "The tests ended with status " + std::to_string(status) + ".", ""});
  if (now.calls == 0) end({"invalid", "", "", "", "never call the function", ""});
  if (now.assertions == 0 && !hefix_decides_by_status) {
    if (!hefix_asserts) end({"invalid", "", "", "", "assert nothing", ""});
    end({"failed", "", "", "", "The tests ended without reaching one of their assertions.", ""});
  }
  end({"passed", "", "", "", "", ""});
}

/// Runs before the tests' static initialisers, so its exit handler runs after theirs.
__attribute__((constructor(101))) void begin(int count, char **words) {
  state().is_counting = count > 1 && std::string(words[1]) == "counts";
  // Also handles a stack overflow.
  static char stack[65536];
  stack_t alternate = {stack, 0, sizeof stack};
  sigaltstack(&alternate, nullptr);
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  for (int number : {SIGSEGV, SIGFPE, SIGABRT, SIGBUS}) sigaction(number, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::set_terminate(on_terminate);
  on_exit(on_end, nullptr);
  send_report({"started", "", "", "", "", ""});
}

} // namespace

void asserting(int line, const char *text) {
  State &now = state();
  now.line = line;
  now.assertion = text;
  now.calls_inside = 0;
  now.is_asserting = true;
}

void asserted(bool holds) {
  State &now = state();
  now.assertions++;
  now.is_asserting = false;
  if (now.is_counting) return count(holds);
  if (holds) return;
  bool is_plain = now.calls_inside == 1;
  std::string name = now.call.substr(0, now.call.find('('));
  std::string expected = is_plain ? expected_text(now.assertion, name) : "";
  end({"failed", expected, now.value, "", "The assertion failed: " + now.assertion, ""});
}

void calling(const std::string &call) {
  State &now = state();
  now.call = call;
  now.value.clear();
  now.calls++;
  now.calls_inside++;
  now.has_raised = false;
}

void returned(const std::string &value) { state().value = value; }

std::string exchange(const std::string &request) {
  State &now = state();
  std::string reply;
  if (!send_frame(channel, request) || !receive_frame(channel, reply)) end({"lost", "", "", "", "", ""});
  if (reply.empty()) end_unreadable();
  std::uint8_t status = static_cast<std::uint8_t>(reply[0]);
  reply.erase(0, 1);
  if (status == 0) return reply;
  try {
    Reader reader(reply);
    if (status == 2) end({"not-serializable", "", "", "", reader.text(), ""});
    if (status != 1) end_unreadable();
    now.type = reader.text();
    now.message = reader.text();
    now.frames = reader.text();
    reader.finish();
  } catch (Malformed &) {
    end_unreadable();
  }
  now.has_raised = true;
  rethrow(now.type, now.message);
}

void end_unreadable() { end({"not-serializable", "", "", "", "bytes that are no value of its type", ""}); }
void end_unsendable(const std::string &what) { end({"invalid", "", "", "", "pass " + what, ""}); }

} // namespace hefix
