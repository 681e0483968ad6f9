// The judge's side: the stub of the entry point calls the candidate, and the outcome goes into the report.
#pragma once

#include "wire.hpp"

namespace hefix {

/// Sends a request. Returns the reply without its status byte, or throws what the candidate threw.
std::string exchange(const std::string &request);
/// The next call, and the value that it returned, in source notation.
void calling(const std::string &call);
void returned(const std::string &value);
/// Sends the report and exits.
[[noreturn]] void end_unreadable();
[[noreturn]] void end_unsendable(const std::string &what);

template <class P> constexpr bool is_changed_in_place = std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>;

template <class Function> struct Entry;

/// `Entry<R(P...)>::ask("name", arguments...)` calls a function of that type.
template <class R, class... P> struct Entry<R(P...)> {
  static Bare<R> ask(const char *name, std::remove_reference_t<P> &...arguments) {
    std::string call = name;
    call += '(';
    bool first = true;
    Writer writer;
    auto put = [&](const auto &argument) {
      using T = Bare<decltype(argument)>;
      if (!first) call += ", ";
      first = false;
      Wire<T>::show(call, argument);
      Wire<T>::put(writer, argument);
    };
    try {
      (put(arguments), ...);
    } catch (Unsendable &value) {
      end_unsendable(value.what);
    }
    calling(call + ')');
    std::string reply = exchange(writer.bytes);
    try {
      Reader reader(reply);
      if constexpr (std::is_void_v<R>) {
        (take_back<P>(reader, arguments), ...);
        reader.finish();
      } else {
        Bare<R> result = Wire<Bare<R>>::get(reader);
        (take_back<P>(reader, arguments), ...);
        reader.finish();
        std::string shown;
        Wire<Bare<R>>::show(shown, result);
        returned(shown);
        return result;
      }
    } catch (Malformed &) {
      end_unreadable();
    }
  }

private:
  template <class P1, class T> static void take_back(Reader &reader, T &argument) {
    if constexpr (is_changed_in_place<P1>) argument = Wire<Bare<P1>>::get(reader);
  }
};

} // namespace hefix
