// The program that runs candidates: loads the given shared library and serves calls from descriptor 0.
// Nothing here protects the verdict, which the judge decides; it only makes the failures of an honest
// candidate easy to understand.
#define HEFIX_INSTANCE template
#include "hefix/instances.hpp"
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <exception>
#include <fcntl.h>
#include <iostream>
#include <new>
#include <typeinfo>
#include <unistd.h>
#include <unwind.h>

namespace {

/// The connection to the judge, moved away from standard input, which is empty for candidates.
int channel = -1;
bool is_answering = false;
/// The path of the candidate's library.
const char *library = "";
/// `hefix_answer` of the library.
void (*candidate_answer)(hefix::Reader &, hefix::Writer &) = nullptr;

/// Return addresses at the last throw, innermost first.
struct Frames {
  std::uintptr_t addresses[24];
  int count;
} frames;

_Unwind_Reason_Code note_frame(_Unwind_Context *context, void *to) {
  Frames &found = *static_cast<Frames *>(to);
  if (found.count == 24) return _URC_END_OF_STACK;
  // Points into the call rather than at the next instruction.
  found.addresses[found.count++] = _Unwind_GetIP(context) - 1;
  return _URC_NO_REASON;
}

void note_frames() {
  frames.count = 0;
  _Unwind_Backtrace(note_frame, &frames);
}

/// A frame in static memory, since the heap may be corrupted.
struct RaisedFrame {
  char bytes[8192];
  std::size_t size = 0;

  void raw(const void *from, std::size_t length) {
    length = std::min(length, sizeof bytes - size);
    std::memcpy(bytes + size, from, length);
    size += length;
  }
  void text(const char *from, std::size_t length) {
    std::uint32_t wide = static_cast<std::uint32_t>(length);
    raw(&wide, sizeof wide);
    raw(from, length);
  }
};

/// Return addresses in the candidate's library, as offsets in it.
std::size_t write_frames(char *to, std::size_t room) {
  std::size_t size = 0;
  for (int i = 0; i < frames.count && size + 24 < room; i++) {
    Dl_info found;
    bool is_known = dladdr(reinterpret_cast<void *>(frames.addresses[i]), &found) != 0;
    if (!is_known || found.dli_fname == nullptr || std::strcmp(found.dli_fname, library) != 0) continue;
    std::size_t offset = frames.addresses[i] - reinterpret_cast<std::uintptr_t>(found.dli_fbase);
    size += static_cast<std::size_t>(std::snprintf(to + size, room - size, "%s0x%zx", size > 0 ? " " : "", offset));
  }
  return size;
}

void reply_raised(const char *type, const char *message) {
  static RaisedFrame frame;
  char addresses[512];
  std::size_t length = write_frames(addresses, sizeof addresses);
  frame.size = 4;
  frame.raw("\1", 1);
  frame.text(type, std::min<std::size_t>(std::strlen(type), 500));
  frame.text(message, std::min<std::size_t>(std::strlen(message), 2000));
  frame.text(addresses, length);
  std::uint32_t size = static_cast<std::uint32_t>(frame.size - 4);
  std::memcpy(frame.bytes, &size, sizeof size);
  hefix::send_all(channel, frame.bytes, frame.size);
}

void on_signal(int number) {
  if (is_answering) {
    note_frames();
    switch (number) {
    case SIGSEGV: reply_raised("SIGSEGV", "invalid memory access, or no stack left"); break;
    case SIGFPE: reply_raised("SIGFPE", "integer division by zero or overflow"); break;
    case SIGABRT: reply_raised("SIGABRT", "aborted"); break;
    default: reply_raised("SIGBUS", "invalid memory access");
    }
  }
  _exit(128 + number);
}

/// Runs before the candidate's static initialisers.
__attribute__((constructor(101))) void begin() {
  channel = fcntl(0, F_DUPFD_CLOEXEC, 20);
  int empty = open("/dev/null", O_RDONLY);
  dup2(empty, 0);
  close(empty);
  static char stack[65536];
  stack_t alternate = {stack, 0, sizeof stack};
  sigaltstack(&alternate, nullptr);
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  for (int number : {SIGSEGV, SIGFPE, SIGABRT, SIGBUS}) sigaction(number, &action, nullptr);
}

[[noreturn]] void end_out_of_memory() {
  static const char words[] = "hefix: out of memory\n";
  (void)!write(2, words, sizeof words - 1);
  _exit(1);
}

void answer(const std::string &request) {
  hefix::Writer writer;
  std::uint8_t status = 0;
  writer.raw(&status, 1);
  is_answering = true;
  try {
    hefix::Reader reader(request);
    candidate_answer(reader, writer);
  } catch (hefix::Unsendable &value) {
    writer.bytes = "\2";
    writer.text(value.what);
  } catch (std::bad_array_new_length &error) {
    return reply_raised("std::bad_array_new_length", error.what());
  } catch (std::bad_alloc &) {
    end_out_of_memory();
  } catch (std::exception &error) {
    return reply_raised(hefix::type_name(typeid(error).name()).c_str(), error.what());
  } catch (...) {
    const std::type_info *type = abi::__cxa_current_exception_type();
    return reply_raised(type ? hefix::type_name(type->name()).c_str() : "an exception", "");
  }
  is_answering = false;
  hefix::send_frame(channel, writer.bytes);
}

} // namespace

/// Replaces the library's function: records the stack, then calls the original.
extern "C" void __cxa_throw(void *thrown, void *type, void (*destroy)(void *)) {
  using Throw = void (*)(void *, void *, void (*)(void *));
  static const Throw original = reinterpret_cast<Throw>(dlsym(RTLD_NEXT, "__cxa_throw"));
  note_frames();
  original(thrown, type, destroy);
  __builtin_unreachable();
}

int main(int, char **words) {
  library = words[1];
  // Runs the candidate's static initialisers.
  void *loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  void *symbol = loaded ? dlsym(loaded, "hefix_answer") : nullptr;
  if (symbol == nullptr) {
    std::fprintf(stderr, "hefix: %s\n", dlerror());
    _exit(1);
  }
  candidate_answer = reinterpret_cast<decltype(candidate_answer)>(symbol);
  std::string request;
  while (hefix::receive_frame(channel, request)) {
    answer(request);
    std::cout.flush();
    std::fflush(nullptr);
  }
  _exit(0);
}
