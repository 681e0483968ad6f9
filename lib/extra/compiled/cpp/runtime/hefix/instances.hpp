// Templates that most candidates use, instantiated once in the program that loads them: instantiating them takes a
// compiler most of its time.
#pragma once

#include "candidate.hpp"

#ifndef HEFIX_INSTANCE
#define HEFIX_INSTANCE extern template
#endif

#define HEFIX_ITERATOR(item)                                                                                           \
  HEFIX_INSTANCE class __gnu_cxx::__normal_iterator<item *, std::vector<item>>;                                        \
  HEFIX_INSTANCE class __gnu_cxx::__normal_iterator<const item *, std::vector<item>>;
#define HEFIX_VECTOR(item)                                                                                             \
  HEFIX_INSTANCE class std::vector<item>;                                                                              \
  HEFIX_INSTANCE struct hefix::Wire<std::vector<item>>;                                                                \
  HEFIX_INSTANCE struct hefix::WireItems<std::vector<item>, item>;                                                     \
  HEFIX_ITERATOR(item)

HEFIX_VECTOR(int)
HEFIX_VECTOR(long long)
HEFIX_VECTOR(float)
HEFIX_VECTOR(double)
HEFIX_VECTOR(std::string)
HEFIX_VECTOR(std::vector<int>)
HEFIX_VECTOR(std::vector<std::string>)
HEFIX_INSTANCE class std::map<std::string, std::string>;
HEFIX_INSTANCE class std::map<std::string, int>;
HEFIX_INSTANCE class std::map<char, int>;
HEFIX_INSTANCE class std::map<int, int>;
HEFIX_INSTANCE class std::set<int>;
HEFIX_INSTANCE class std::set<std::string>;

#undef HEFIX_ITERATOR
#undef HEFIX_VECTOR
