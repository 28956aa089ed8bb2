// SPDX-License-Identifier: BSD-3-Clause
// How an agent connects to upcrun. The functions block, because the agent has nothing else to do.
#pragma once
#include "tools/upcrun/protocol/hello.hpp"
#include "tools/upcrun/protocol/link.hpp"

namespace upcrun {

// Tries the addresses in turn until one replies with the job token, and sends the hello there. Throws
// Failure, with the error of each address.
Link connect_to_upcrun(const Rendezvous& where, const Hello& hello);
// Waits for the next frame. Returns false when none comes in time or the link is closed.
bool wait_for_message(Link& link, long timeout_ms, Message* out);

}  // namespace upcrun
