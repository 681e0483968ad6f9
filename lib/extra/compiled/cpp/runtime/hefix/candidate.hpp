// The candidate's side: answers the judge's calls in a loop.
#pragma once

#include "wire.hpp"

/// Generated for each candidate: reads the arguments, calls the function, writes the result.
extern "C" void hefix_answer(hefix::Reader &reader, hefix::Writer &writer);

namespace hefix {
template <class T> Bare<T> take(Reader &reader) { return Wire<Bare<T>>::get(reader); }
template <class T> void give(Writer &writer, const Bare<T> &value) { Wire<Bare<T>>::put(writer, value); }
} // namespace hefix
