// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/loop/ownership.hpp"

#include "tools/upc2c/analysis/elements.hpp"

namespace upc2c {
namespace {

Pace pace_of(Extent stride) {
  if (stride.threads || stride.factor == 0) return Pace::kEach;
  return stride.factor == 1 || stride.factor == -1 ? Pace::kThreads : Pace::kVaries;
}

std::string_view own_by_integer(const Linear& linear, Ownership& owner) {
  if (!linear.exact) return "its affinity is computed with unsigned numbers";
  owner.form = Ownership::Form::kInteger;
  owner.stride = linear.factor;
  owner.pace = pace_of(linear.factor);
  return {};
}

}  // namespace

std::string_view find_ownership(const Expr* affinity, const LoopValues& values, Ownership& owner) {
  owner.affinity = affinity;
  if (affinity->type.is_integer()) {
    const auto linear = values.linear(affinity);
    if (!linear) return "its affinity is not linear in the variable of the loop";
    return own_by_integer(*linear, owner);
  }
  const auto element = pointed_element(affinity, values);
  if (!element) return "its affinity is not linear in the variable of the loop";
  const Extent stride = element->index.factor;
  owner.stride = stride;
  owner.block = element->type.block;
  if (owner.block == 0 || stride.factor == 0) {
    owner.form = Ownership::Form::kOne;
  } else if (owner.block == 1) {
    owner.form = Ownership::Form::kCyclic;
    owner.pace = pace_of(stride);
  } else {
    if (stride.threads) return "the distance of its affinities is no constant";
    owner.form = Ownership::Form::kBlocked;
  }
  return {};
}

}  // namespace upc2c
