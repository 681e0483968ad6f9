// Precompiled for all candidates.
#pragma once
#include "standard.hpp"
#include "any.hpp"
#include "instances.hpp"
