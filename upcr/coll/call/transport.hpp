// SPDX-License-Identifier: BSD-3-Clause
// Messages of collectives between threads: stored in the receiver's inbox if that is mapped, else sent as
// active messages. No function here waits for another UPC thread, only for its process to poll. UPC threads,
// not in a handler.
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

// The state of a UPC thread in collectives; handlers of its process find it by the thread's number.
struct Member {
  explicit Member(Slot slot) : slot(slot) {}
  Slot slot;
  Team all;
  std::vector<std::unique_ptr<Team>> teams;  // the other teams that it is in, by Team::index - 1
  HeldList held;
  FlagState flag_state;
  Operation* operations = nullptr;  // non-blocking ones, see nonblocking.hpp
  bool stepping = false;
};
Member& member(ThreadCtx& c) noexcept;

// Eager send: stores the message at the receiver, sends it, or keeps a copy for it (always above
// kEagerLimit). The source is reusable on return.
void post(Member& m, Slot to, const Header& header, const void* data, std::size_t bytes);
// Rendezvous send: announces a message that the receiver pulls; the source must not change until the state of
// the result is kDone.
Held* send_rendezvous(Member& m, Slot to, const Header& header, const void* data, std::size_t bytes);
// Receives a message from the inbox, or pulls it when there is a mark. False: it has not been sent yet.
bool receive_or_pull(Member& m, Slot from, const Header& header, void* data, std::size_t bytes,
                     const char* function);

// The last call that a thread has entered in one of its teams, and whether its program has ended.
struct Position {
  std::uint32_t entered;
  bool ended;
};
// Reads or requests it; with `watch` the calling thread is woken when the other one enters a call.
Position position_of(Member& m, Slot thread, std::uint32_t team_index, bool watch);
// The calling thread has entered a call: wakes its watchers.
void announce(Member& m, std::uint32_t team_index, std::uint32_t call);
// The calling thread's program has ended: wakes its watchers.
void announce_end(Member& m);

void register_transport(AmEngine& engine);  // the handlers

}  // namespace upcr::coll
