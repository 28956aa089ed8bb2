// SPDX-License-Identifier: BSD-3-Clause
// The indices of the GASNet client API's internal active-message handlers.
#pragma once
#include "conduits/core/am/engine.hpp"

namespace upcr::gasnet::coll {

struct GasnetHandler {
  static constexpr InternalHandler kReady = handler_above_core<0>();  // call.cpp
  static constexpr InternalHandler kFragment = handler_above_core<1>();
  static constexpr InternalHandler kFin = handler_above_core<2>();
  static constexpr InternalHandler kVote = handler_above_core<3>();
};

}  // namespace upcr::gasnet::coll
