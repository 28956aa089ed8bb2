// SPDX-License-Identifier: BSD-3-Clause
// Atomic operations on shared objects, and what the inlined code of atomic.h calls where an operation is more
// than one instruction or its object is not mapped here. UPC threads; not in a handler.
#include "upcr/access/atomic.hpp"

#include "conduits/core/base/report/error.hpp"
#include "include/upcr/atomic.h"
#include "upcr/access/data.hpp"
#include "upcr/observe/span.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {

static_assert(UPCRI_ATOM_U32 == static_cast<int>(AtomType::kU32) &&
              UPCRI_ATOM_DOUBLE == static_cast<int>(AtomType::kDouble) &&
              UPCRI_ATOM_I64 == static_cast<int>(AtomType::kI64));
static_assert(UPCRI_ATOM_GET == static_cast<int>(AtomOp::kGet) &&
              UPCRI_ATOM_MASKED_SWAP == static_cast<int>(AtomOp::kMaskedSwap) &&
              UPCRI_ATOM_XOR == static_cast<int>(AtomOp::kXor));

AtomWord atomic_at(SharedAddr at, AtomType type, AtomOp op, AtomWord a, AtomWord b) {
  check_thread(at);
  // A network's atomics are used only where the CPU's see them (atomic.cpp), so this never misses one.
  if (void* here = mapped(at)) return job().atomics.here(here, type, op, a, b);
  AtomWord old;
  Pending done;
  job().atomics.start(rank_of(at), remote_address(at), type, op, a, b, &old, done);
  wait_for(done, "an atomic operation on the memory of a UPC thread", at.thread);
  return old;
}

extern "C" {

UPCRI_API uint64_t upcri_atomic_any(upcr_shared_ptr_t ptr, int type, int op, uint64_t a, uint64_t b) {
  const observe::Span span(observe::Kind::kAtomic, {size_of(static_cast<AtomType>(type)), observe::kNobody,
                                                    upcr_threadof_shared(ptr)});
  return atomic_at(decode(ptr), static_cast<AtomType>(type), static_cast<AtomOp>(op), {a, 0}, {b, 0}).low;
}

UPCRI_API uint64_t upcri_atomic_private(void* ptr, int type, int op, uint64_t a, uint64_t b) {
  return job().atomics.here(ptr, static_cast<AtomType>(type), static_cast<AtomOp>(op), {a, 0}, {b, 0}).low;
}

#if UPCR_DEBUG
UPCRI_API void upcri_check_atomic(const char* function, const void* ptr, size_t n) {
  if (ptr == nullptr) fatal("%s: the private address is null", function);
  if (reinterpret_cast<std::uintptr_t>(ptr) % n != 0)
    fatal("%s: the object at %p is misaligned; the address must be a multiple of its size, %zu bytes",
          function, ptr, n);
}
#endif

}  // extern "C"
}  // namespace upcr
