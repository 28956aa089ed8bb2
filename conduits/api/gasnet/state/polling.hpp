// SPDX-License-Identifier: BSD-3-Clause
// One poll for a client that polls in a loop: yields the CPU now and then when nodes share it.
#pragma once

namespace upcr::gasnet {

void poll_with_yield();

}  // namespace upcr::gasnet
