// SPDX-License-Identifier: BSD-3-Clause
// Messages: kCopy(slots, offsets, bytes, pending) -> kCopyDone(pending), as the reply if the handler has
// executed the copy at once, else as a request of its own when the deferred request has ended.
#include "conduits/core/rma/deferred_requests.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <type_traits>
#include <vector>

#include "conduits/core/am/args.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/text.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/progress/progress_work.hpp"
#include "conduits/core/rma/rma.hpp"

namespace upcr {
namespace {

// What a handler copies at once, and what one step of a deferred request moves at most.
constexpr std::size_t kAtOnce = 64 << 10, kPiece = 64 << 10;

struct CopyArgs {
  std::uint32_t from, to;
  std::uint64_t from_offset, to_offset, bytes, pending;
};
struct DoneArgs {
  std::uint64_t pending;
};

struct DeferredRequest {
  Rank asked_by = 0;
  CopyArgs copy{};
  std::uint64_t sent = 0;
  Pending out[2];  // two pieces on their way
  DeferredRequest* next = nullptr;
};

struct Ended {
  Rank asked_by;
  DoneArgs done;
};

// Zero-filled, and never given back: peers may ask while the process ends. There is room for every peer's
// share, 1.2 KiB a peer, of which a large job uses next to nothing: what is not used stays untouched address
// space.
template <typename T>
T* zero_filled(std::size_t count) {
  static_assert(std::is_trivially_destructible_v<T>);
  void* const p = std::calloc(count, sizeof(T));
  if (p == nullptr)
    fatal("no memory for %zu bytes of requests that peers may have deferred here", count * sizeof(T));
  return static_cast<T*>(p);
}

// Deferred requests that this process has been asked for. Notes are taken under `lock` (in handlers, on any
// thread); they are worked on by the thread that holds `running`.
struct WorkQueue {
  SpinLock lock;
  DeferredRequest* room = nullptr;
  std::size_t fresh = 0, most = 0;  // of room: from there on nothing has been used yet
  DeferredRequest* free = nullptr;  // used, and free again
  DeferredRequest* noted = nullptr;
  std::atomic<std::uint32_t> count{0};  // noted and not over
  SpinLock running;
  std::atomic<bool> poll_again{false};
  std::vector<DeferredRequest*> at_work;  // has room for all
  std::vector<Ended> untold;              // ended, but the message that says so had no room
};
WorkQueue work_queue;
// Of this process at each other one: deferred requests that it has under way there, kMaxPerPeer at most.
std::atomic<std::uint32_t>* credits_in_use_ = nullptr;

char* place(Slot slot, std::uint64_t offset) noexcept {
  const std::uintptr_t base = job().segments.mapped[slot];
  return base != 0 ? reinterpret_cast<char*>(base + offset) : nullptr;
}

void check(Rank source, const CopyArgs& c) {
  const Topology& t = job().topology;
  const SegmentMap& segments = job().segments;
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

void note(Rank asked_by, const CopyArgs& c) {
  const std::lock_guard guard(work_queue.lock);
  DeferredRequest* e = work_queue.free;
  if (e != nullptr)
    work_queue.free = e->next;
  else if (work_queue.fresh < work_queue.most)
    e = &work_queue.room[work_queue.fresh++];
  else
    fatal("rank %u asks for more copies at once than its share of %u", asked_by, kMaxPerPeer);
  e->asked_by = asked_by;
  e->copy = c;
  e->sent = 0;
  e->next = work_queue.noted;
  work_queue.noted = e;
  work_queue.count.fetch_add(1, std::memory_order_relaxed);
  progress_work.begin();
}

void on_copy(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  const auto c = from_args<CopyArgs>(args, nargs, token.source, "copy");
  check(token.source, c);
  char* const to = place(c.to, c.to_offset);
  if (to == nullptr || c.bytes > kAtOnce) return note(token.source, c);
  atomic_copy(to, place(c.from, c.from_offset), c.bytes);
  token.engine.reply(token, internal_message(InternalHandler::kCopyDone, to_args(DoneArgs{c.pending})));
}

void on_copy_done(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  const auto done = from_args<DoneArgs>(args, nargs, token.source, "end of a copy");
  credits_in_use_[token.source].fetch_sub(1, std::memory_order_release);
  reinterpret_cast<Pending*>(done.pending)->complete();
}

// Starts what can be started of it now: two pieces at most are under way, and in one turn. True when
// something was.
bool advance(DeferredRequest& e) {
  const CopyArgs& c = e.copy;
  char* const from = place(c.from, c.from_offset);
  char* const to = place(c.to, c.to_offset);
  const std::uint64_t before = e.sent, most = std::min(c.bytes, before + 2 * kPiece);
  while (e.sent < most) {
    Pending& out = e.out[(e.sent / kPiece) % 2];
    if (e.sent % kPiece == 0 && !out.done()) break;
    std::size_t n = std::min<std::uint64_t>(kPiece - e.sent % kPiece, c.bytes - e.sent);
    if (to != nullptr) {
      atomic_copy(to + e.sent, from + e.sent, n);
    } else {
      if (rma_try_put(job().topology.rank_of[c.to], job().segments.remote[c.to] + c.to_offset + e.sent,
                      from + e.sent, &n, out) == Status::kNoResource) {
        progress_work.poll_again();
        break;
      }
    }
    e.sent += n;
  }
  return e.sent != before;
}

// Gives the share back, when there is room for the message. The deferred request's own room must be free
// before.
bool tell(const Ended& ended) {
  const auto args = to_args(ended.done);
  if (job().engine->try_request(ended.asked_by, internal_message(InternalHandler::kCopyDone, args)) !=
      Status::kOk) {
    progress_work.poll_again();
    return false;
  }
  work_queue.count.fetch_sub(1, std::memory_order_relaxed);
  progress_work.end();
  return true;
}

void finish(DeferredRequest& e) {
  const Ended ended{e.asked_by, {e.copy.pending}};
  {
    const std::lock_guard guard(work_queue.lock);
    e.next = work_queue.free;
    work_queue.free = &e;
  }
  if (!tell(ended)) work_queue.untold.push_back(ended);
}

// The thread that holds `running`.
unsigned one_round() {
  {
    const std::lock_guard guard(work_queue.lock);
    for (; work_queue.noted != nullptr; work_queue.noted = work_queue.noted->next)
      work_queue.at_work.push_back(work_queue.noted);
  }
  unsigned moved = static_cast<unsigned>(std::erase_if(work_queue.untold, tell));
  for (std::size_t i = 0; i < work_queue.at_work.size();) {
    DeferredRequest& e = *work_queue.at_work[i];
    if (advance(e)) ++moved;
    if (e.sent == e.copy.bytes && e.out[0].done() && e.out[1].done()) {
      work_queue.at_work[i] = work_queue.at_work.back();
      work_queue.at_work.pop_back();
      finish(e);
      ++moved;
    } else {
      ++i;
    }
  }
  return moved;
}

[[gnu::noinline]] unsigned run_noted() {
  // When another thread is at it, or this one already is (what a deferred request sends may poll), that one
  // is told to look again before it leaves.
  work_queue.poll_again.store(true, std::memory_order_relaxed);
  unsigned moved = 0;
  for (;;) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (!work_queue.poll_again.load(std::memory_order_relaxed) || !work_queue.running.try_lock())
      return moved;
    work_queue.poll_again.store(false, std::memory_order_relaxed);
    moved += one_round();
    work_queue.running.unlock();
  }
}

// The hook: goes on with deferred requests for others. Returns how many moved.
unsigned run_deferred_requests(void*) {
  return __builtin_expect(work_queue.count.load(std::memory_order_relaxed) == 0, 1) ? 0 : run_noted();
}

}  // namespace

void attach_deferred_requests(Job& j) {
  const Rank size = j.topology.size;
  const std::size_t most = std::size_t{size} * kMaxPerPeer;
  credits_in_use_ = zero_filled<std::atomic<std::uint32_t>>(size);
  work_queue.room = zero_filled<DeferredRequest>(most);
  work_queue.most = most;
  work_queue.at_work.reserve(most);
  j.engine->set_internal(InternalHandler::kCopy, on_copy, nullptr);
  j.engine->set_internal(InternalHandler::kCopyDone, on_copy_done, nullptr);
  add_progress_hook(run_deferred_requests, nullptr);
}

void start_third_party_copy(Slot slot, Slot to, std::uint64_t to_offset, Slot from, std::uint64_t from_offset,
                            std::size_t bytes, Pending& done) {
  const Rank at = job().topology.rank_of[from];
  std::atomic<std::uint32_t>& share = credits_in_use_[at];
  wait_until(slot, {"an earlier copy between the memory of two other UPC threads", from}, [&] {
    std::uint32_t used = share.load(std::memory_order_relaxed);
    while (used < kMaxPerPeer)
      if (share.compare_exchange_weak(used, used + 1, std::memory_order_acquire)) return true;
    return false;
  });
  const CopyArgs c{from, to, from_offset, to_offset, bytes, reinterpret_cast<std::uint64_t>(&done)};
  done.add();
  job().engine->request(at, internal_message(InternalHandler::kCopy, to_args(c)));
}

}  // namespace upcr
