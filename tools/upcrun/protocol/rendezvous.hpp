// SPDX-License-Identifier: BSD-3-Clause
// The agent's way to upcrun. Blocking: an agent has nothing else to do.
#pragma once
#include "tools/upcrun/protocol/hello.hpp"
#include "tools/upcrun/protocol/link.hpp"

namespace upcrun {

// Tries the addresses in turn until one answers with the greeting, and says hello there. Throws Failure, with
// what became of each address.
Link connect_to_upcrun(const Rendezvous& where, const Hello& hello);
// Waits for the next frame. False: none within the time, or the link is gone.
bool wait_for_message(Link& link, long timeout_ms, Message* out);

}  // namespace upcrun
