// SPDX-License-Identifier: BSD-3-Clause
// Access to shared memory: see data.hpp. The public access calls end here where they are not inlined. UPC
// threads; not in a handler.
#include "upcr/access/data.hpp"

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/rma/rma.hpp"
#include "conduits/core/wait/doorbells.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr {

Slot my_slot() noexcept {
  const ThreadCtx* c = ctx_or_null();
  return c != nullptr ? c->thread : job().topology.my_first_slot();
}

void wait_for(const Pending& pending, const char* what) {
  job().progress.wait_until(my_slot(), {what}, [&] { return pending.done(); });
}

void wait_for(const Pending& pending, const char* what, Slot whose) {
  job().progress.wait_until(my_slot(), {what, whose, WaitFor::kAnswer}, [&] { return pending.done(); });
}

void put_bytes(SharedAddr to, const void* src, std::size_t bytes) {
  Pending done;
  put_bytes_nb(to, src, bytes, done, &done);  // the source stays valid while this waits: no copy
  wait_for(done, "a put to the memory of a UPC thread", to.thread);
}

void get_bytes(void* dst, SharedAddr from, std::size_t bytes) {
  Pending done;
  get_bytes_nb(dst, from, bytes, done);
  wait_for(done, "a get from the memory of a UPC thread", from.thread);
}

void check_thread(SharedAddr a) {
  if (a.thread >= job().topology.slots())
    fatal(
        "access to shared memory of UPC thread %u, which does not exist (THREADS is %u), at offset %#llx: was "
        "the pointer-to-shared given a value? A program compiled with -g names the access",
        a.thread, job().topology.slots(), static_cast<unsigned long long>(a.offset));
}

void put_bytes_nb(SharedAddr to, const void* src, std::size_t bytes, Pending& done, Pending* local) {
  if (bytes == 0) return;
  check_thread(to);
  if (void* here = mapped(to))
    atomic_copy(here, src, bytes);
  else
    job().rma.put(rank_of(to), remote_address(to), src, bytes, done, local);
}

void get_bytes_nb(void* dst, SharedAddr from, std::size_t bytes, Pending& done) {
  if (bytes == 0) return;
  check_thread(from);
  if (const void* here = mapped(from))
    atomic_copy(dst, here, bytes);
  else
    job().rma.get(rank_of(from), dst, remote_address(from), bytes, done);
}

void ring(Slot thread) {
  if (job().doorbells.has(thread)) job().doorbells.of(thread).ring();
}

}  // namespace upcr
