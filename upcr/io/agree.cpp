// SPDX-License-Identifier: BSD-3-Clause
// Each thread writes its contribution into its own memory; after a barrier thread 0 reads all of them and
// broadcasts the result. No thread returns from the broadcast before thread 0 has read, so one buffer per
// thread is enough.
#include "upcr/io/agree.hpp"

#include <cstring>
#include <memory>

#include "conduits/core/barrier/barrier.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"
#include "include/upcr/heap.h"
#include "upcr/access/data.hpp"
#include "upcr/barrier/check.hpp"
#include "upcr/barrier/small_broadcast.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr {
namespace {

constexpr std::size_t kArgs = 6;

struct Contribution {
  std::uint64_t error, sum;
  std::uint64_t args[kArgs];
  char function[48];
};

SharedAddr contribution_of(ThreadCtx& c, Slot thread) {
  IoState& io = io_state(c);
  if (io.contributions.null())
    io.contributions = decode(upcr_all_alloc(job().topology.slots(), sizeof(Contribution)));
  return {thread, io.contributions.offset};
}

#if UPCR_DEBUG
void compare(const Contribution& mine, const Contribution& other, Slot thread, SingleValuedArgs args) {
  if (std::strcmp(mine.function, other.function) != 0)
    fatal(
        "UPC thread 0 is in %s while UPC thread %u is in %s; all threads must make the same collective calls",
        mine.function, thread, other.function);
  std::size_t i = 0;
  for (const SingleValued& arg : args) {
    if (mine.args[i] != other.args[i])
      fatal(
          "%s: '%s' must be the same on all threads, but it is %lld (%#llx) on UPC thread 0 and %lld (%#llx) "
          "on UPC thread %u",
          mine.function, arg.name, static_cast<long long>(mine.args[i]),
          static_cast<unsigned long long>(mine.args[i]), static_cast<long long>(other.args[i]),
          static_cast<unsigned long long>(other.args[i]), thread);
    ++i;
  }
}
#endif

// Thread 0, after the barrier.
Agreement collect(ThreadCtx& c, const Contribution& mine, [[maybe_unused]] SingleValuedArgs args) {
  const Slot threads = job().topology.slots();
  const std::unique_ptr<Contribution[]> all(new Contribution[threads]);
  Pending got;
  for (Slot t = 1; t < threads; ++t) get_bytes_nb(&all[t], contribution_of(c, t), sizeof(Contribution), got);
  wait_for(got, "contributions of the threads to a call of UPC-IO");
  Agreement result{static_cast<int>(mine.error), mine.sum};
  for (Slot t = 1; t < threads; ++t) {
#if UPCR_DEBUG
    compare(mine, all[t], t, args);
#endif
    if (result.error == 0) result.error = static_cast<int>(all[t].error);
    result.sum += all[t].sum;
  }
  return result;
}

}  // namespace

void io_barrier(ThreadCtx& c, const char* function) {
  if (c.notified)
    fatal("%s called between upcr_notify and upcr_wait, where collective calls are not allowed", function);
  job().barrier.notify(c.thread, {BarrierKind::kAnonymous, 0});
  check_barrier(c, job().barrier.wait(c.thread));
}

Agreement agree(ThreadCtx& c, const char* function, SingleValuedArgs args, int error, std::uint64_t sum) {
  if (job().topology.slots() == 1) return {error, sum};
  Contribution mine{};
  mine.error = static_cast<std::uint64_t>(error);
  mine.sum = sum;
  std::size_t i = 0;
  for (const SingleValued& arg : args) mine.args[i++] = arg.value;
  UPCR_ASSERT(i <= kArgs);
  std::strncpy(mine.function, function, sizeof mine.function - 1);
  put_bytes(contribution_of(c, c.thread), &mine, sizeof mine);  // own memory: a plain copy
  io_barrier(c, function);
  Agreement result;
  if (c.thread == 0) result = collect(c, mine, args);
  const SmallValue result_words =
      small_broadcast(c, 0, {{static_cast<std::uint64_t>(result.error), result.sum}});
  return {static_cast<int>(result_words.words[0]), result_words.words[1]};
}

}  // namespace upcr
