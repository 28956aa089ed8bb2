// SPDX-License-Identifier: BSD-3-Clause
// One poll for a client that polls in a loop of its own: gives the CPU away now and then when nodes have to
// share it.
#pragma once

namespace upcr::gasnet {

void poll_with_yield();

}  // namespace upcr::gasnet
