// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace upcr {
class AmEngine;
}

namespace upcr::gasnet {

// Before the first message, from gasnet_attach().
void attach_broadcast(AmEngine& engine);

}  // namespace upcr::gasnet
