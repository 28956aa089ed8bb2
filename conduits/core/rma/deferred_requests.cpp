// SPDX-License-Identifier: BSD-3-Clause
// Messages: kCopy(slots, offsets, bytes, pending) -> kCopyDone(pending), as the reply if the handler has
// executed the copy at once, else as a request of its own when the deferred request has ended.
#include "conduits/core/rma/deferred_requests.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <type_traits>

#include "conduits/core/am/args.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/text.hpp"

namespace upcr {

namespace {

// The most bytes that a handler copies at once, and the most that one step of a deferred request copies.
constexpr std::size_t kMaxImmediate = 64 << 10, kPiece = 64 << 10;

struct DoneArgs {
  std::uint64_t pending;
};

// Zero-filled. There is room for the requests of every peer, 1.2 KiB for each, of which a large job uses very
// little: the rest stays untouched address space.
template <typename T>
T* zero_filled(std::size_t count) {
  static_assert(std::is_trivially_destructible_v<T>);
  void* const p = std::calloc(count, sizeof(T));
  if (p == nullptr)
    fatal("no memory for %zu bytes of requests that peers may have deferred here", count * sizeof(T));
  return static_cast<T*>(p);
}

}  // namespace

DeferredRequests::~DeferredRequests() {
  std::free(credits_in_use_);
  std::free(storage_);
}

// Null where the segment is not mapped here.
char* DeferredRequests::mapped(Slot slot, std::uint64_t offset) const noexcept {
  const std::uintptr_t base = segments_->mapped[slot];
  return base != 0 ? reinterpret_cast<char*>(base + offset) : nullptr;
}

void DeferredRequests::check(Rank source, const CopyArgs& c) const {
  const Topology& t = *topology_;
  const SegmentMap& segments = *segments_;
  const bool both = c.from - t.my_first_slot() < t.my_slots() && c.to < t.slots();
  if (both && segments.holds(c.from_offset, c.bytes) && segments.holds(c.to_offset, c.bytes)) return;
  const bool null_from = c.from_offset < segments.null_bytes;
  if (both && (null_from || c.to_offset < segments.null_bytes)) {
    char buf[192];
    SafeText text(buf, sizeof buf);
    add_null_access(text, null_from ? c.from : c.to, null_from ? c.from_offset : c.to_offset,
                    segments.null_bytes);
    fatal("rank %u asks for a copy of %llu bytes: %s", source, static_cast<unsigned long long>(c.bytes), buf);
  }
  fatal(
      "rank %u asks for a copy of %llu bytes from thread %u's offset %#llx to thread %u's offset %#llx, "
      "which are not both in segments, the first of this process",
      source, static_cast<unsigned long long>(c.bytes), c.from,
      static_cast<unsigned long long>(c.from_offset), c.to, static_cast<unsigned long long>(c.to_offset));
}

void DeferredRequests::queue(Rank requester, const CopyArgs& c) {
  const std::lock_guard guard(lock_);
  Request* request = free_;
  if (request != nullptr)
    free_ = request->next;
  else if (unused_ < capacity_)
    request = &storage_[unused_++];
  else
    fatal("rank %u asks for more copies at once than its %u credits", requester, kMaxPerPeer);
  request->requester = requester;
  request->copy = c;
  request->sent = 0;
  request->next = queued_;
  queued_ = request;
  count_.fetch_add(1, std::memory_order_relaxed);
  progress_->work().begin();
}

void DeferredRequests::on_copy(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t,
                               void* self) {
  DeferredRequests& d = *static_cast<DeferredRequests*>(self);
  const auto c = from_args<CopyArgs>(args, nargs, token.source, "copy");
  d.check(token.source, c);
  char* const to = d.mapped(c.to, c.to_offset);
  if (to == nullptr || c.bytes > kMaxImmediate) return d.queue(token.source, c);
  atomic_copy(to, d.mapped(c.from, c.from_offset), c.bytes);
  token.engine.reply(token, internal_message(InternalHandler::kCopyDone, to_args(DoneArgs{c.pending})));
}

void DeferredRequests::on_copy_done(AmToken& token, const std::uint32_t* args, unsigned nargs, void*,
                                    std::size_t, void* self) {
  const auto done = from_args<DoneArgs>(args, nargs, token.source, "end of a copy");
  static_cast<DeferredRequests*>(self)->credits_in_use_[token.source].fetch_sub(1, std::memory_order_release);
  reinterpret_cast<Pending*>(done.pending)->complete();
}

// Starts those pieces of the request that can be started now: at most two are in flight, and at most two are
// started in one call. True if one was started.
bool DeferredRequests::advance(Request& request) {
  const CopyArgs& c = request.copy;
  char* const from = mapped(c.from, c.from_offset);
  char* const to = mapped(c.to, c.to_offset);
  const std::uint64_t before = request.sent, most = std::min(c.bytes, before + 2 * kPiece);
  while (request.sent < most) {
    Pending& out = request.out[(request.sent / kPiece) % 2];
    if (request.sent % kPiece == 0 && !out.done()) break;
    std::size_t n = std::min<std::uint64_t>(kPiece - request.sent % kPiece, c.bytes - request.sent);
    if (to != nullptr) {
      atomic_copy(to + request.sent, from + request.sent, n);
    } else {
      const std::uint64_t raddr = segments_->remote[c.to] + c.to_offset + request.sent;
      if (rma_->try_put(topology_->rank_of[c.to], raddr, from + request.sent, &n, out) ==
          Status::kNoResource) {
        progress_->work().poll_again();
        break;
      }
    }
    request.sent += n;
  }
  return request.sent != before;
}

// False if there is no room for the message now. The Request must have been freed before: the requester may
// use the credit at once.
bool DeferredRequests::send_completion(const Completion& completion) {
  const auto args = to_args(DoneArgs{completion.pending});
  if (engine_->try_request(completion.requester, internal_message(InternalHandler::kCopyDone, args)) !=
      Status::kOk) {
    progress_->work().poll_again();
    return false;
  }
  count_.fetch_sub(1, std::memory_order_relaxed);
  progress_->work().end();
  return true;
}

void DeferredRequests::finish(Request& request) {
  const Completion completion{request.requester, request.copy.pending};
  {
    const std::lock_guard guard(lock_);
    request.next = free_;
    free_ = &request;
  }
  if (!send_completion(completion)) unsent_.push_back(completion);
}

// Advances all requests. For the thread that holds `running_`.
unsigned DeferredRequests::advance_all() {
  {
    const std::lock_guard guard(lock_);
    for (; queued_ != nullptr; queued_ = queued_->next) active_.push_back(queued_);
  }
  auto moved = static_cast<unsigned>(
      std::erase_if(unsent_, [this](const Completion& completion) { return send_completion(completion); }));
  for (std::size_t i = 0; i < active_.size();) {
    Request& request = *active_[i];
    if (advance(request)) ++moved;
    if (request.sent == request.copy.bytes && request.out[0].done() && request.out[1].done()) {
      active_[i] = active_.back();
      active_.pop_back();
      finish(request);
      ++moved;
    } else {
      ++i;
    }
  }
  return moved;
}

[[gnu::noinline]] unsigned DeferredRequests::run_queued() {
  // One pass a call: a poll ends while other threads go on polling. If another thread runs the requests, or
  // this one does already (sending for a deferred request may poll), that pass may miss what this call would
  // find. Then both threads poll again instead of sleeping, and the first of them makes up for it.
  run_again_.store(true, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!running_.try_lock()) {
    progress_->work().poll_again();
    return 0;
  }
  run_again_.store(false, std::memory_order_relaxed);
  const unsigned moved = advance_all();
  running_.unlock();
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (run_again_.load(std::memory_order_relaxed)) progress_->work().poll_again();
  return moved;
}

void DeferredRequests::attach(AmEngine& engine, ProgressEngine& progress, Rma& rma, const Topology& topology,
                              const SegmentMap& segments) {
  engine_ = &engine;
  progress_ = &progress;
  rma_ = &rma;
  topology_ = &topology;
  segments_ = &segments;
  static_assert(kCreditBytes == sizeof *credits_in_use_);
  static_assert(kBytesPerPeer == kMaxPerPeer * (sizeof *storage_ + sizeof active_[0]));
  capacity_ = std::size_t{topology.size} * kMaxPerPeer;
  credits_in_use_ = zero_filled<std::atomic<std::uint32_t>>(topology.size);
  storage_ = zero_filled<Request>(capacity_);
  active_.reserve(capacity_);
  engine.set_internal(InternalHandler::kCopy, on_copy, this);
  engine.set_internal(InternalHandler::kCopyDone, on_copy_done, this);
  progress.add_hook(
      [](void* self) {
        DeferredRequests& d = *static_cast<DeferredRequests*>(self);
        return __builtin_expect(d.count_.load(std::memory_order_relaxed) == 0, 1) ? 0 : d.run_queued();
      },
      this, ProgressEngine::HookKind::kNeverWaits);
}

void DeferredRequests::start_copy(Slot slot, Slot to, std::uint64_t to_offset, Slot from,
                                  std::uint64_t from_offset, std::size_t bytes, Pending& done) {
  const Rank at = topology_->rank_of[from];
  std::atomic<std::uint32_t>& in_use = credits_in_use_[at];
  progress_->wait_until(slot, {"an earlier copy between the memory of two other UPC threads", from}, [&] {
    std::uint32_t used = in_use.load(std::memory_order_relaxed);
    while (used < kMaxPerPeer)
      if (in_use.compare_exchange_weak(used, used + 1, std::memory_order_acquire)) return true;
    return false;
  });
  const CopyArgs c{from, to, from_offset, to_offset, bytes, reinterpret_cast<std::uint64_t>(&done)};
  done.add();
  engine_->request(at, internal_message(InternalHandler::kCopy, to_args(c)));
}

}  // namespace upcr
