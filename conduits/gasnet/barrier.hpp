// SPDX-License-Identifier: BSD-3-Clause
// A barrier of the nodes for this layer's own use: collective, outside of the client's notify and wait, and
// without a trace in gasnet_barrier_result().
#pragma once

namespace upcr::gasnet {

void internal_barrier();

}  // namespace upcr::gasnet
