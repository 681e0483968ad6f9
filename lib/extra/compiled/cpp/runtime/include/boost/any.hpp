// Replaces Boost.Any: the same interface on top of std::any, and how its values are sent.
#pragma once

#include "../../hefix/any.hpp"
#include <any>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace boost {

class any {
public:
  any() = default;
  any(const any &) = default;
  any(any &&) = default;
  template <class T, class = std::enable_if_t<!std::is_same_v<std::decay_t<T>, any>>>
  any(T &&value) : held(std::decay_t<T>(std::forward<T>(value))) {}
  any &operator=(const any &) = default;
  any &operator=(any &&) = default;

  bool empty() const { return !held.has_value(); }
  void clear() { held.reset(); }
  any &swap(any &other) {
    held.swap(other.held);
    return *this;
  }
  const std::type_info &type() const { return held.type(); }

  std::any held;
};

inline void swap(any &one, any &other) { one.swap(other); }

using bad_any_cast = std::bad_any_cast;

template <class T> T any_cast(any &value) { return std::any_cast<T>(value.held); }
template <class T> T any_cast(const any &value) { return std::any_cast<T>(value.held); }
template <class T> T any_cast(any &&value) { return std::any_cast<T>(std::move(value.held)); }
template <class T> T *any_cast(any *value) { return value ? std::any_cast<T>(&value->held) : nullptr; }
template <class T> const T *any_cast(const any *value) {
  return value ? std::any_cast<T>(&value->held) : nullptr;
}

} // namespace boost

namespace hefix {
struct BoostCast {
  static bool holds(const boost::any &value) { return !value.empty(); }
  template <class T> static T to(const boost::any &value) { return boost::any_cast<T>(value); }
};
template <> struct Wire<boost::any> : WireAny<boost::any, BoostCast> {};
} // namespace hefix
