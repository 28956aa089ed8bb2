// SPDX-License-Identifier: BSD-3-Clause
// Pointers-to-shared inside the runtime: one representation for both layouts.
#pragma once
#include <cstdint>

#include "include/upcr/sptr.h"
#include "upcr/state/runtime.hpp"

namespace upcr {

// A byte of shared memory: owner and offset in its segment.
struct SharedAddr {
  Slot thread = 0;
  std::uint64_t offset = 0;
  bool null() const noexcept { return offset == 0; }
};

inline SharedAddr decode(upcr_shared_ptr_t p) noexcept {
  return {upcr_threadof_shared(p), upcr_addrfield_shared(p)};
}
#ifndef UPCRI_POINTER_packed
inline SharedAddr decode(upcr_pshared_ptr_t p) noexcept {
  return {upcr_threadof_pshared(p), upcr_addrfield_pshared(p)};
}
#endif
inline upcr_shared_ptr_t encode(SharedAddr a, upcr_phase_t phase = 0) noexcept {
  return upcri_make_shared(a.offset, a.thread, phase);
}

// Its address here, or nullptr if it is not mapped in this process.
inline void* mapped(SharedAddr a) noexcept {
  const std::uintptr_t base = job().segments.mapped[a.thread];
  return base != 0 ? reinterpret_cast<void*>(base + a.offset) : nullptr;
}
// Its address in the owner's process, for core/rma.
inline std::uint64_t remote_address(SharedAddr a) noexcept {
  return job().segments.remote[a.thread] + a.offset;
}
inline Rank rank_of(SharedAddr a) noexcept { return job().topology.rank_of[a.thread]; }

// Packs into one word for compare-and-swap (lock queues): 24 bits of thread, 40 of offset; null is 0.
inline std::uint64_t pack(SharedAddr a) noexcept {
  return a.null() ? 0 : (std::uint64_t{a.thread} << 40) | a.offset;
}
inline SharedAddr unpack(std::uint64_t w) noexcept {
  return {static_cast<Slot>(w >> 40), w & ((std::uint64_t{1} << 40) - 1)};
}

}  // namespace upcr
