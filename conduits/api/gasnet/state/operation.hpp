// SPDX-License-Identifier: BSD-3-Clause
// Non-blocking operations of client threads: what each thread has in flight, and the pool that its handles
// come from. A thread's state is made at its first non-blocking operation and kept for another thread when it
// ends, because messages in flight contain its addresses.
//
// The debug library gives every explicit operation a handle, also one that is complete at once, with a number
// of 16 bits above the address that changes at every reuse: so a handle that is used twice, or by another
// thread, differs from the present one of that address.
#pragma once
#include <cstdint>

#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/core/model/completion.hpp"
#include "include/gasnet/extended_rep.h"

namespace upcr::gasnet {
struct ThreadState;
}

// The type that the C API names (struct gasneti_op_s *).
struct gasneti_op_s {
  upcr::Pending pending;
  std::uint32_t live = 0;             // debug: between the call that issued it and its synchronisation
  gasneti_op_s* next = nullptr;       // in the list of free ones
  gasnet_register_value_t value = 0;  // of a value get
#if UPCR_DEBUG
  upcr::gasnet::ThreadState* owner = nullptr;
  const char* issued = nullptr;  // the function that issued the current operation, or the last one
  std::uint16_t number = 0;
#endif
};

namespace upcr::gasnet {

using Op = ::gasneti_op_s;

// A thread's state. Inlined code reads the first two members as gasneti_thread_t.
struct ThreadState {
  Pending puts, gets;    // implicit operations
  Op* region = nullptr;  // the open access region's
  Op* free = nullptr;
  std::size_t chunk = 0;        // operations in the last chunk of the pool
  ThreadState* next = nullptr;  // among those whose thread has ended
};
static_assert(sizeof(gasneti_thread_t) == 2 * sizeof(Pending));

// The calling thread's state; created at the first use. Fatal when there are more threads than
// GASNET_MAX_THREADS.
ThreadState& thread_state();

Op* acquire_op(ThreadState& t, const char* function);
void release_op(ThreadState& t, Op* op);
// Between an operation and the client's handle; debug: from_handle is fatal for a handle that is not that of
// an operation of the calling thread in flight.
gasnet_handle_t to_handle(Op* op);
Op* from_handle(ThreadState& t, const char* function, gasnet_handle_t handle);

// An operation that is being issued: its counter, and the handle that the call returns, if any.
class Operation {
 public:
  // how: GASNETI_NB_IMPLICIT or not; `which`: GASNETI_PUTS or GASNETI_GETS.
  Operation(const char* function, unsigned how, int which);
  Pending& pending() noexcept { return *pending_; }
  // For the source of a put: null when it must be captured at once.
  Pending* local(unsigned how) noexcept { return (how & GASNETI_NB_BULK) != 0 ? pending_ : nullptr; }
  gasnet_handle_t finish();

 private:
  ThreadState& thread_;
  Op* op_ = nullptr;
  Pending* pending_;
};

// Debug: fatal unless the calling thread may use the network now and `bytes` at `address` of `node` may be
// accessed.
#if UPCR_DEBUG
void check_call(const char* function);
void check_remote(const char* function, gasnet_node_t node, const void* address, std::size_t bytes);
#else
inline void check_call(const char*) {}
inline void check_remote(const char*, gasnet_node_t, const void*, std::size_t) {}
#endif
// The address of a node's memory in this process, or null.
inline void* mapped_here(gasnet_node_t node, const void* address) noexcept {
  const gasneti_peer_t& peer = client().peers[node];
  return peer.shared ? reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(address) +
                                               static_cast<std::uintptr_t>(peer.shift))
                     : nullptr;
}

}  // namespace upcr::gasnet
