// How values are sent between a judge and a candidate: plain little-endian bytes, read strictly by a type
// that both sides know from the declaration. Lists, maps and strings start with a 4-byte count.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hefix {

constexpr std::size_t max_message = 16u << 20;

/// A value that cannot be sent, and why: its type or its size.
struct Unsendable {
  std::string what;
};

/// Bytes that are not a message of the expected type.
struct Malformed {};

struct Writer {
  std::string bytes;

  void raw(const void *from, std::size_t size) {
    if (size > max_message - bytes.size()) throw Unsendable{"a value of more than 16 MiB"};
    bytes.append(static_cast<const char *>(from), size);
  }
  void count(std::size_t number) {
    if (number > max_message) throw Unsendable{"a value of more than 16 MiB"};
    std::uint32_t wide = static_cast<std::uint32_t>(number);
    raw(&wide, sizeof wide);
  }
  void text(const std::string &value) {
    count(value.size());
    raw(value.data(), value.size());
  }
};

struct Reader {
  const char *at;
  const char *end;
  int depth = 0;

  explicit Reader(const std::string &bytes) : at(bytes.data()), end(bytes.data() + bytes.size()) {}
  void raw(void *to, std::size_t size) {
    if (size > static_cast<std::size_t>(end - at)) throw Malformed{};
    std::memcpy(to, at, size);
    at += size;
  }
  std::uint8_t byte() {
    std::uint8_t value;
    raw(&value, 1);
    return value;
  }
  /// A count of items that take at least one byte each.
  std::size_t count() {
    std::uint32_t number;
    raw(&number, sizeof number);
    if (number > static_cast<std::size_t>(end - at)) throw Malformed{};
    return number;
  }
  std::string text() {
    std::string value(count(), '\0');
    raw(&value[0], value.size());
    return value;
  }
  void finish() const {
    if (at != end) throw Malformed{};
  }
};

/// The type without const and reference.
template <class T> using Bare = std::remove_cv_t<std::remove_reference_t<T>>;

/// put, get and show (in source notation) for one type; types without a definition cannot be sent.
template <class T, class = void> struct Wire;

void show_number(std::string &out, long long value);
void show_number(std::string &out, unsigned long long value);
void show_number(std::string &out, double value, bool is_single);
void show_text(std::string &out, const std::string &value, char quote);

template <class T> struct Wire<T, std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>>> {
  static void put(Writer &writer, T value) { writer.raw(&value, sizeof value); }
  static T get(Reader &reader) {
    T value;
    reader.raw(&value, sizeof value);
    return value;
  }
  static void show(std::string &out, T value) {
    if constexpr (std::is_floating_point_v<T>) show_number(out, static_cast<double>(value), sizeof value == 4);
    else if constexpr (std::is_enum_v<T> || std::is_signed_v<T>) show_number(out, static_cast<long long>(value));
    else show_number(out, static_cast<unsigned long long>(value));
  }
};

template <> struct Wire<bool> {
  static void put(Writer &writer, bool value) { writer.raw(&value, 1); }
  static bool get(Reader &reader) {
    std::uint8_t value = reader.byte();
    if (value > 1) throw Malformed{};
    return value == 1;
  }
  static void show(std::string &out, bool value) { out += value ? "true" : "false"; }
};

template <> struct Wire<char> {
  static void put(Writer &writer, char value) { writer.raw(&value, 1); }
  static char get(Reader &reader) { return static_cast<char>(reader.byte()); }
  static void show(std::string &out, char value) { show_text(out, std::string(1, value), '\''); }
};

template <> struct Wire<std::string> {
  static void put(Writer &writer, const std::string &value) { writer.text(value); }
  static std::string get(Reader &reader) { return reader.text(); }
  static void show(std::string &out, const std::string &value) { show_text(out, value, '"'); }
};

template <class T, class... Parts> struct WireParts {
  static void put(Writer &writer, const T &value) {
    std::apply([&](const auto &...part) { (Wire<Bare<decltype(part)>>::put(writer, part), ...); }, value);
  }
  static T get(Reader &reader) {
    // Braces guarantee that the parts are read from left to right.
    return T{Wire<Parts>::get(reader)...};
  }
  static void show(std::string &out, const T &value) {
    out += '{';
    bool first = true;
    auto one = [&](const auto &part) {
      if (!first) out += ", ";
      first = false;
      Wire<Bare<decltype(part)>>::show(out, part);
    };
    std::apply([&](const auto &...part) { (one(part), ...); }, value);
    out += '}';
  }
};
template <class A, class B> struct Wire<std::pair<A, B>> : WireParts<std::pair<A, B>, std::remove_const_t<A>, B> {};
template <class... P> struct Wire<std::tuple<P...>> : WireParts<std::tuple<P...>, P...> {};

template <class C, class Item> struct WireItems {
  static void put(Writer &writer, const C &value) {
    writer.count(value.size());
    for (const auto &item : value) Wire<Item>::put(writer, item);
  }
  static C get(Reader &reader) {
    if (++reader.depth > 64) throw Malformed{};
    C value;
    for (std::size_t left = reader.count(); left > 0; left--) value.insert(value.end(), Wire<Item>::get(reader));
    reader.depth--;
    return value;
  }
  static void show(std::string &out, const C &value) {
    out += '{';
    bool first = true;
    for (const auto &item : value) {
      if (!first) out += ", ";
      first = false;
      if (out.size() > 4000) {
        out += "…";
        break;
      }
      Wire<Item>::show(out, item);
    }
    out += '}';
  }
};
template <class T> struct Wire<std::vector<T>> : WireItems<std::vector<T>, T> {};
template <class T> struct Wire<std::list<T>> : WireItems<std::list<T>, T> {};
template <class T> struct Wire<std::deque<T>> : WireItems<std::deque<T>, T> {};
template <class T> struct Wire<std::set<T>> : WireItems<std::set<T>, T> {};
template <class T> struct Wire<std::multiset<T>> : WireItems<std::multiset<T>, T> {};
template <class T> struct Wire<std::unordered_set<T>> : WireItems<std::unordered_set<T>, T> {};
template <class K, class V> struct Wire<std::map<K, V>> : WireItems<std::map<K, V>, std::pair<K, V>> {};
template <class K, class V> struct Wire<std::multimap<K, V>> : WireItems<std::multimap<K, V>, std::pair<K, V>> {};
template <class K, class V>
struct Wire<std::unordered_map<K, V>> : WireItems<std::unordered_map<K, V>, std::pair<K, V>> {};

template <class T, std::size_t size> struct Wire<std::array<T, size>> {
  static void put(Writer &writer, const std::array<T, size> &value) {
    for (const T &item : value) Wire<T>::put(writer, item);
  }
  static std::array<T, size> get(Reader &reader) {
    std::array<T, size> value;
    for (T &item : value) item = Wire<T>::get(reader);
    return value;
  }
  static void show(std::string &out, const std::array<T, size> &value) {
    Wire<std::vector<T>>::show(out, std::vector<T>(value.begin(), value.end()));
  }
};

template <class T> struct Wire<std::optional<T>> {
  static void put(Writer &writer, const std::optional<T> &value) {
    Wire<bool>::put(writer, value.has_value());
    if (value) Wire<T>::put(writer, *value);
  }
  static std::optional<T> get(Reader &reader) {
    if (!Wire<bool>::get(reader)) return std::nullopt;
    return Wire<T>::get(reader);
  }
  static void show(std::string &out, const std::optional<T> &value) {
    if (value) Wire<T>::show(out, *value);
    else out += "std::nullopt";
  }
};

bool send_all(int descriptor, const char *bytes, std::size_t size);
/// Frames on a descriptor: a 4-byte length, then that many bytes. False if the other side has closed the
/// connection.
bool send_frame(int descriptor, const std::string &bytes);
/// Also false, with `bytes` empty, if the frame is too long.
bool receive_frame(int descriptor, std::string &bytes);
/// A readable type from its mangled name.
std::string type_name(const char *mangled);

} // namespace hefix
