// SPDX-License-Identifier: BSD-3-Clause
// For conduits whose poll() polls rings: a RingSink to which packets that fit their slot are like all others.
#pragma once
#include "conduits/core/transport/conduit.hpp"

namespace upcr {

struct ForwardingSink {
  void deliver(const AmArrival& arrival) { sink.deliver(arrival); }
  void deliver_slot(const AmArrival& arrival) { sink.deliver(arrival); }
  bool accepts_requests() const { return sink.accepts_requests(); }
  AmSink& sink;
};

}  // namespace upcr
