// Precompiled for all judges.
#pragma once
#include "standard.hpp"
#include "any.hpp"
#include "judge.hpp"
