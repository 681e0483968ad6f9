// Values with a dynamic type: std::any and boost::any.
#pragma once

#include "wire.hpp"
#include <any>
#include <typeinfo>

namespace hefix {

template <class Any, class Cast> struct WireAny {
  template <class T> static bool put_as(Writer &writer, const Any &value, std::uint8_t tag) {
    if (value.type() != typeid(T)) return false;
    writer.raw(&tag, 1);
    Wire<T>::put(writer, Cast::template to<T>(value));
    return true;
  }
  static void put(Writer &writer, const Any &value) {
    std::uint8_t empty = 0;
    if (!Cast::holds(value)) return writer.raw(&empty, 1);
    if (value.type() == typeid(const char *)) {
      std::uint8_t tag = 10;
      writer.raw(&tag, 1);
      return writer.text(Cast::template to<const char *>(value));
    }
    bool known = put_as<bool>(writer, value, 1) || put_as<char>(writer, value, 2) || put_as<int>(writer, value, 3) ||
                 put_as<unsigned>(writer, value, 4) || put_as<long>(writer, value, 5) ||
                 put_as<unsigned long>(writer, value, 6) || put_as<long long>(writer, value, 7) ||
                 put_as<float>(writer, value, 8) || put_as<double>(writer, value, 9) ||
                 put_as<std::string>(writer, value, 11) || put_as<std::vector<int>>(writer, value, 12) ||
                 put_as<std::vector<std::string>>(writer, value, 13) || put_as<std::vector<Any>>(writer, value, 14);
    if (!known) throw Unsendable{type_name(value.type().name())};
  }
  static Any get(Reader &reader) {
    switch (reader.byte()) {
    case 0: return Any();
    case 1: return Wire<bool>::get(reader);
    case 2: return Wire<char>::get(reader);
    case 3: return Wire<int>::get(reader);
    case 4: return Wire<unsigned>::get(reader);
    case 5: return Wire<long>::get(reader);
    case 6: return Wire<unsigned long>::get(reader);
    case 7: return Wire<long long>::get(reader);
    case 8: return Wire<float>::get(reader);
    case 9: return Wire<double>::get(reader);
    case 10: {
      // Kept for the lifetime of the process, like a string literal.
      static std::list<std::string> kept;
      kept.push_back(reader.text());
      return static_cast<const char *>(kept.back().c_str());
    }
    case 11: return Wire<std::string>::get(reader);
    case 12: return Wire<std::vector<int>>::get(reader);
    case 13: return Wire<std::vector<std::string>>::get(reader);
    case 14: return Wire<std::vector<Any>>::get(reader);
    }
    throw Malformed{};
  }
  template <class T> static bool show_as(std::string &out, const Any &value) {
    if (value.type() != typeid(T)) return false;
    Wire<T>::show(out, Cast::template to<T>(value));
    return true;
  }
  static void show(std::string &out, const Any &value) {
    if (!Cast::holds(value)) out += "{}";
    else if (value.type() == typeid(const char *)) show_text(out, Cast::template to<const char *>(value), '"');
    else if (!(show_as<bool>(out, value) || show_as<char>(out, value) || show_as<int>(out, value) ||
               show_as<unsigned>(out, value) || show_as<long>(out, value) || show_as<unsigned long>(out, value) ||
               show_as<long long>(out, value) || show_as<float>(out, value) || show_as<double>(out, value) ||
               show_as<std::string>(out, value) || show_as<std::vector<int>>(out, value) ||
               show_as<std::vector<std::string>>(out, value) || show_as<std::vector<Any>>(out, value)))
      out += type_name(value.type().name());
  }
};

struct StandardCast {
  static bool holds(const std::any &value) { return value.has_value(); }
  template <class T> static T to(const std::any &value) { return std::any_cast<T>(value); }
};
template <> struct Wire<std::any> : WireAny<std::any, StandardCast> {};

} // namespace hefix
