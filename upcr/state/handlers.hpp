// SPDX-License-Identifier: BSD-3-Clause
// The internal active-message handlers of upcr, and the folder that registers each.
#pragma once
#include "conduits/core/am/engine.hpp"

namespace upcr {

struct UpcHandler {
  static constexpr InternalHandler kSemPost = handler_above_core<0>();  // upcr/sync
  static constexpr InternalHandler kSemAcquire = handler_above_core<1>();
  static constexpr InternalHandler kSemAcquired = handler_above_core<2>();
  static constexpr InternalHandler kHeapRequest = handler_above_core<3>();  // upcr/heap
  static constexpr InternalHandler kHeapReply = handler_above_core<4>();
  static constexpr InternalHandler kCollMessage = handler_above_core<5>();  // upcr/coll
  static constexpr InternalHandler kCollReceipt = handler_above_core<6>();
  static constexpr InternalHandler kCollPull = handler_above_core<7>();
  static constexpr InternalHandler kCollFragment = handler_above_core<8>();
  static constexpr InternalHandler kCollQuery = handler_above_core<9>();
  static constexpr InternalHandler kCollPosition = handler_above_core<10>();
  static constexpr InternalHandler kCollNotify = handler_above_core<11>();
  static constexpr InternalHandler kCollArgumentCheck = handler_above_core<12>();
};

}  // namespace upcr
