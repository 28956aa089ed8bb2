// SPDX-License-Identifier: BSD-3-Clause
// Deferred requests: work that one process requests of another and that takes messages of its own, which a
// handler must not send. The handler queues the deferred request; a progress hook executes it, outside
// handlers, on whichever thread polls.
//
// No deadlock, no allocation in handlers: a process has at most kMaxPerPeer deferred requests pending at
// each other process (its credits there), and each process has room for that many from all of them, so a
// request always finds room. A process without credit waits for one of its own requests to end, and serves
// its peers, deferred requests included, while it does. A deferred request itself never waits: a message
// without room is tried again, while deferred requests for other processes go on. The message that ends one
// carries the credit back.
//
// The one kind of deferred request so far: a copy from the memory of the process that receives the request to
// memory of a third one.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/core/memory/segment.hpp"
#include "conduits/core/model/completion.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/rma/rma.hpp"

namespace upcr {

class DeferredRequests {
 public:
  static constexpr std::uint32_t kMaxPerPeer = 16;

  DeferredRequests() = default;
  ~DeferredRequests();
  DeferredRequests(const DeferredRequests&) = delete;
  DeferredRequests& operator=(const DeferredRequests&) = delete;

  // At attach, before the first message: handlers, progress hook and room. The arguments outlive this
  // object.
  void attach(AmEngine& engine, ProgressEngine& progress, Rma& rma, const Topology& topology,
              const SegmentMap& segments);

  // Starts a copy between the segments of two threads; `from` is not mapped here. The data goes from the
  // source's process to the destination's, once. Counts in `done` until it is visible at `to`. May wait while
  // kMaxPerPeer copies from that process are pending for this one. Any thread, which is `slot`; not from a
  // handler.
  void start_copy(Slot slot, Slot to, std::uint64_t to_offset, Slot from, std::uint64_t from_offset,
                  std::size_t bytes, Pending& done);

 private:
  struct CopyArgs {
    std::uint32_t from, to;
    std::uint64_t from_offset, to_offset, bytes, pending;
  };
  struct Request {
    Rank requester = 0;
    CopyArgs copy{};
    std::uint64_t sent = 0;
    Pending out[2];  // two pieces in flight
    Request* next = nullptr;
  };
  // The message that ends a request and gives the requester its credit back.
  struct Completion {
    Rank requester;
    std::uint64_t pending;
  };

  static void on_copy(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t,
                      void* self);
  static void on_copy_done(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t,
                           void* self);
  char* mapped(Slot slot, std::uint64_t offset) const noexcept;
  void check(Rank source, const CopyArgs& c) const;
  void queue(Rank requester, const CopyArgs& c);
  bool advance(Request& request);
  bool send_completion(const Completion& completion);
  void finish(Request& request);
  unsigned advance_all();
  unsigned run_queued();

  AmEngine* engine_ = nullptr;
  ProgressEngine* progress_ = nullptr;
  Rma* rma_ = nullptr;
  const Topology* topology_ = nullptr;
  const SegmentMap* segments_ = nullptr;

  // For each other process the requests of this one that are pending there, at most kMaxPerPeer.
  std::atomic<std::uint32_t>* credits_in_use_ = nullptr;

  // Requests of other processes. They are queued under `lock_` (in handlers, on any thread) and executed by
  // the thread that holds `running_`.
  SpinLock lock_;
  Request* storage_ = nullptr;
  std::size_t unused_ = 0, capacity_ = 0;  // of storage_: entries from unused_ on have not been used yet
  Request* free_ = nullptr;                // used before
  Request* queued_ = nullptr;
  std::atomic<std::uint32_t> count_{0};  // queued and not ended
  SpinLock running_;
  std::atomic<bool> run_again_{false};
  std::vector<Request*> active_;    // has room for all
  std::vector<Completion> unsent_;  // of requests that have ended, but there was no room for the message

 public:
  // Memory for each process, untouched until it is used: of requests here, and of requests there.
  static constexpr std::size_t kCreditBytes = sizeof(std::uint32_t);
  static constexpr std::size_t kBytesPerPeer = kMaxPerPeer * (sizeof(Request) + sizeof(Request*));
};

}  // namespace upcr
