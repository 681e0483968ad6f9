// Shared by judges and candidates: frames, and values in source notation.
#include "hefix/wire.hpp"
#include <charconv>
#include <cstdlib>
#include <cxxabi.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hefix {

bool send_all(int descriptor, const char *bytes, std::size_t size) {
  while (size > 0) {
    ssize_t sent = ::send(descriptor, bytes, size, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

namespace {

bool receive_all(int descriptor, char *bytes, std::size_t size) {
  while (size > 0) {
    ssize_t received = ::read(descriptor, bytes, size);
    if (received <= 0) return false;
    bytes += received;
    size -= static_cast<std::size_t>(received);
  }
  return true;
}

template <class T> void show_digits(std::string &out, T value) {
  char digits[64];
  auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, static_cast<std::size_t>(end - digits));
}

} // namespace

bool send_frame(int descriptor, const std::string &bytes) {
  std::uint32_t size = static_cast<std::uint32_t>(bytes.size());
  std::string frame(reinterpret_cast<const char *>(&size), sizeof size);
  frame += bytes;
  return send_all(descriptor, frame.data(), frame.size());
}

bool receive_frame(int descriptor, std::string &bytes) {
  std::uint32_t size;
  bytes.clear();
  if (!receive_all(descriptor, reinterpret_cast<char *>(&size), sizeof size)) return false;
  if (size > max_message + 64) return true;
  bytes.resize(size);
  return receive_all(descriptor, &bytes[0], size);
}

std::string type_name(const char *mangled) {
  int status = 0;
  char *plain = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string name = status == 0 ? plain : mangled;
  std::free(plain);
  return name;
}

void show_number(std::string &out, long long value) { show_digits(out, value); }
void show_number(std::string &out, unsigned long long value) { show_digits(out, value); }
void show_number(std::string &out, double value, bool is_single) {
  std::size_t start = out.size();
  if (is_single) show_digits(out, static_cast<float>(value));
  else show_digits(out, value);
  // 3.0 rather than 3, to show that it is not an integer.
  if (out.find_first_not_of("-0123456789", start) == std::string::npos) out += ".0";
}

void show_text(std::string &out, const std::string &value, char quote) {
  static const char hex[] = "0123456789abcdef";
  out += quote;
  for (unsigned char byte : value) {
    if (out.size() > 4000) {
      out += "…";
      break;
    }
    if (byte == '\n') out += "\\n";
    else if (byte == '\t') out += "\\t";
    else if (byte == '\\' || byte == static_cast<unsigned char>(quote)) (out += '\\') += static_cast<char>(byte);
    else if (byte < 32 || byte == 127) ((out += "\\x") += hex[byte >> 4]) += hex[byte & 15];
    else out += static_cast<char>(byte);
  }
  out += quote;
}

} // namespace hefix
