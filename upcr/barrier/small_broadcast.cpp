// SPDX-License-Identifier: BSD-3-Clause
// Collectives of one or two words through the mailboxes in each thread's RuntimeArea.
//
// Every such call has a number, the same on all threads. The root of number n writes its words and then n + 1
// into mailbox n % kMailboxes of every thread; the others wait for n + 1 in their own. There are no
// acknowledgements: instead calls are counted in epochs of half the mailboxes. A thread that completes the
// last call of an epoch adds one to a counter at thread 0; the thread that completes the count writes the end
// of the epoch to every thread. Before the first call of epoch e each thread waits, on its own memory, until
// epoch e - 2 is over: then the mailboxes (and arrival counters) that epoch e uses have been read everywhere.
// So a thread may run ahead by a whole epoch, at the cost of one message per kEpoch calls. Two arrival
// counters are enough, used in turn: no thread counts for epoch e + 2 before epoch e is over.
#include "upcr/barrier/small_broadcast.hpp"

#include <cstddef>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"
#include "upcr/access/atomic.hpp"
#include "upcr/access/data.hpp"
#include "upcr/segment/runtime_area.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr {
namespace {

constexpr std::uint64_t kEpoch = kMailboxes / 2;

Slot threads() { return job().topology.slots(); }

// Starts a call: returns its number, after waiting while its mailbox may still be in use.
std::uint64_t enter(ThreadCtx& c) {
  const std::uint64_t n = c.small_broadcasts++;
  if (n % kEpoch == 0 && n >= 2 * kEpoch) {
    const std::uint64_t needed = n / kEpoch - 1;
    const auto& done = mapped_area(c.thread)->epochs_done;
    job().progress.wait_until(c.thread, {"collective calls of slower threads", n, WaitFor::kCollective},
                              [&] { return done.load(std::memory_order_acquire) >= needed; });
  }
  return n;
}

void leave(std::uint64_t n) {
  if (n % kEpoch != kEpoch - 1) return;
  const std::uint64_t epoch = n / kEpoch, parity = epoch % 2;
  const SharedAddr counter =
      area_address(0, offsetof(RuntimeArea, epoch_arrivals) + parity * sizeof(std::uint64_t));
  if (amo64(counter, AtomOp::kAdd, 1) + 1 != threads() * (epoch / 2 + 1)) return;
  for (Slot t = 0; t < threads(); ++t) {
    put_word(area_address(t, offsetof(RuntimeArea, epochs_done)), epoch + 1);
    ring(t);
  }
}

std::size_t mailbox_offset(std::uint64_t n) {
  return offsetof(RuntimeArea, mailboxes) + n % kMailboxes * sizeof(Mailbox);
}

// The words must arrive before the number, so threads that are not mapped here get two rounds of puts.
void post(Slot me, std::uint64_t n, const SmallValue& value) {
  Pending sent;
  bool unmapped = false;
  for (Slot t = 0; t < threads(); ++t) {
    if (t == me) continue;
    const SharedAddr at = area_address(t, mailbox_offset(n));
    if (void* here = mapped(at); here != nullptr) {
      auto& box = *static_cast<Mailbox*>(here);
      box.words[0].store(value.words[0], std::memory_order_relaxed);
      box.words[1].store(value.words[1], std::memory_order_relaxed);
      box.sequence.store(n + 1, std::memory_order_release);
      ring(t);
    } else {
      unmapped = true;
      put_bytes_nb(at, value.words, sizeof value.words, sent, nullptr);
    }
  }
  if (!unmapped) return;
  job().progress.wait_until(me, {"delivery of a broadcast", n}, [&] { return sent.done(); });
  const std::uint64_t sequence = n + 1;
  for (Slot t = 0; t < threads(); ++t) {
    const SharedAddr at = area_address(t, mailbox_offset(n) + offsetof(Mailbox, sequence));
    if (mapped(at) == nullptr) put_bytes_nb(at, &sequence, sizeof sequence, sent, nullptr);
  }
  job().progress.wait_until(me, {"delivery of a broadcast", n}, [&] { return sent.done(); });
}

}  // namespace

void small_broadcast_end(ThreadCtx& c) {
  if (c.thread != 0) return;  // the root of every broadcast
  for (Slot t = 0; t < threads(); ++t) {
    put_word(area_address(t, offsetof(RuntimeArea, root_ended)), c.small_broadcasts + 1);
    ring(t);
  }
}

SmallValue small_broadcast(ThreadCtx& c, Slot root, SmallValue value) {
  const std::uint64_t n = enter(c);
  if (c.thread == root) {
    post(c.thread, n, value);
  } else {
    const Mailbox& box = mapped_area(c.thread)->mailboxes[n % kMailboxes];
    const auto& ended = mapped_area(c.thread)->root_ended;
    const auto arrived = [&] { return box.sequence.load(std::memory_order_acquire) == n + 1; };
    job().progress.wait_until(c.thread, {"collective call of another thread", n, WaitFor::kCollective},
                              [&] { return arrived() || ended.load(std::memory_order_acquire) != 0; });
    // The root's words, if it sent them, arrived before the notice of its end: test once more.
    if (!arrived())
      fatal(
          "UPC thread %u is in a collective call (an allocation, say), but thread %u has ended its program "
          "without it; all threads must make the same collective calls",
          c.thread, root);
    for (int i = 0; i < 2; ++i) value.words[i] = box.words[i].load(std::memory_order_relaxed);
  }
  leave(n);
  return value;
}

bool small_arrive(ThreadCtx& c) {
  const std::uint64_t n = enter(c);
  const SharedAddr counter =
      area_address(0, offsetof(RuntimeArea, arrivals) + n % kMailboxes * sizeof(std::uint64_t));
  // Only calls of this kind count here, so a complete call is a multiple of the number of threads.
  const std::uint64_t arrived = amo64(counter, AtomOp::kAdd, 1) + 1;
  leave(n);
  return arrived % threads() == 0;
}

}  // namespace upcr
