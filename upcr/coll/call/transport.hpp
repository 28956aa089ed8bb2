// SPDX-License-Identifier: BSD-3-Clause
// How messages of collectives get from thread to thread: by the inbox where the receiver's is reachable, by
// active message where not. Nothing here waits for another UPC thread, only for its process to poll. UPC
// threads, not in a handler.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "upcr/coll/call/flag_collectives.hpp"
#include "upcr/coll/call/held.hpp"
#include "upcr/coll/call/inbox.hpp"

namespace upcr {
class AmEngine;
}

namespace upcr::coll {

struct Operation;

// What a UPC thread keeps for collectives; handlers of its process find it by the thread's number.
struct Member {
  explicit Member(Slot slot) : slot(slot) {}
  Slot slot;
  Team all;
  std::vector<std::unique_ptr<Team>> teams;  // the others that it is in, by Team::index - 1
  HeldList held;
  FlagState lines;
  Operation* operations = nullptr;  // that are not blocking, see nonblocking.hpp
  bool stepping = false;
};
Member& member(ThreadCtx& c) noexcept;

// Sends at once: stored at the receiver, on its way, or held for it (always above kEagerLimit). The source is
// reusable.
void post(Member& m, Slot to, const Header& header, const void* data, std::size_t bytes);
// Tells the receiver that a message is here to be pulled; the source must stay until the result is kDone.
Held* offer(Member& m, Slot to, const Header& header, const void* data, std::size_t bytes);
// Takes a message that has arrived, or pulls it when there is a mark. False: it has not been sent yet.
bool fetch(Member& m, Slot from, const Header& header, void* data, std::size_t bytes, const char* function);

// How far a thread has come: in the team with that index of its own, and whether its program is over.
struct Position {
  std::uint32_t entered;
  bool ended;
};
// Asks; with `watch` the calling thread will be rung when the other one enters a call.
Position position_of(Member& m, Slot thread, std::uint32_t team_index, bool watch);
// The calling thread has entered a call: whoever watches is told.
void announce(Member& m, std::uint32_t team_index, std::uint32_t call);
// The calling thread's program is over.
void announce_end(Member& m);

void register_transport(AmEngine& engine);  // the handlers

}  // namespace upcr::coll
