// SPDX-License-Identifier: BSD-3-Clause
// One access of compiled code, by value or by block: the building blocks of all entry points. UPC threads.
//
// Memory that is mapped here is accessed directly unless the access has to wait for pending ones of this
// thread (table 5.3): strict accesses wait for all, relaxed ones for strict ones. Relaxed ones would have to
// wait for relaxed ones to the same bytes too, but mapped memory has no transfers. So only the processor can
// reorder, and strict accesses prevent that with fences. All others are done by the ordering engine.
// Addresses have been checked (convert.h).
#pragma once
#include <cstdint>
#include <cstring>

#include "upcr/access_rep.h"
#include "upcr/gupc/abi/pointer/convert.h"

namespace gupc {

enum class Order : bool { kRelaxed, kStrict };
using enum Order;

// The object of the split forms, checked.
inline upcr_gmem_addr_t split(long thread, long offset, std::size_t bytes) {
  return gupc_checked_at(static_cast<std::uint64_t>(thread), static_cast<std::uint64_t>(offset), bytes);
}

// The kinds of pending accesses that an access to mapped memory waits for.
constexpr int waits_for(Order order) {
  constexpr int kStrictOnes = UPCRI_GUPC_SW | UPCRI_GUPC_SR;
  return order == kStrict ? UPCRI_GUPC_RW | UPCRI_GUPC_RR | kStrictOnes : kStrictOnes;
}

// The local address of `a` if it may be accessed directly now, else null.
template <Order order>
void* direct(upcr_gmem_addr_t a) {
  const std::uintptr_t base = upcri_window.bases[a.thread];
  if (UPCRI_UNLIKELY(base == 0 || (upcri_gupc_pending & waits_for(order)) != 0)) return nullptr;
  return reinterpret_cast<void*>(base + a.offset);
}

// A loop that only reads a relaxed local variable may wait for another thread to set it, so it must poll the
// network, seldom enough not to slow down computation.
inline void poll_occasionally() {
  constexpr unsigned kGetsPerPoll = 64;
  if (UPCRI_UNLIKELY(upcri_window.strict_polls) && ++upcri_gupc_gets % kGetsPerPoll == 0) upcri_strict_poll();
}

// The fences around an access: the constructor is called before it, the destructor after it.
template <Order order>
struct ReadFence {
  ReadFence() {
    if (order == kStrict)
      upcri_before_strict_get();
    else
      poll_occasionally();
  }
  ~ReadFence() {
    if (order == kStrict) UPCRI_FENCE_AFTER_GET();
  }
};
template <Order order>
struct WriteFence {
  WriteFence() {
    if (order == kStrict) UPCRI_FENCE_BEFORE_PUT();
  }
  ~WriteFence() {
    if (order == kStrict) UPCRI_FENCE_AFTER_PUT();
  }
};

// ---- Values: of 1, 2, 4, 8 bytes in one instruction, of 16 bytes in any number ----

template <class T>
T load(const void* here) {
  T value;
  if constexpr (sizeof(T) <= 8) {
    const upcr_register_value_t bits = upcri_load(reinterpret_cast<std::uintptr_t>(here), sizeof(T));
    std::memcpy(&value, &bits, sizeof value);  // little-endian: the low bytes come first
  } else {
    upcri_compiler_fence();  // a loop that waits for shared memory reads it again
    std::memcpy(&value, here, sizeof value);
  }
  return value;
}

template <class T>
void store(void* here, T value) {
  if constexpr (sizeof(T) <= 8) {
    upcr_register_value_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    upcri_store(reinterpret_cast<std::uintptr_t>(here), bits, sizeof(T));
  } else {
    std::memcpy(here, &value, sizeof value);
    upcri_compiler_fence();
  }
}

// A function of its own, because a variable whose address is taken would be in memory on the direct path too.
template <Order order, class T>
UPCRI_COLD __attribute__((noinline)) T get_far(upcr_gmem_addr_t src) {
  T value;
  upcri_gupc_get(&value, src, sizeof value, order == kStrict);
  return value;
}
template <Order order, class T>
UPCRI_COLD __attribute__((noinline)) void put_far(upcr_gmem_addr_t dst, T value) {
  upcri_gupc_put(dst, &value, sizeof value, order == kStrict);
}

template <Order order, class T>
T get(upcr_gmem_addr_t src) {
  const void* const here = direct<order>(src);
  if (UPCRI_UNLIKELY(here == nullptr)) return get_far<order, T>(src);
  const ReadFence<order> fence;
  return load<T>(here);
}

template <Order order, class T>
void put(upcr_gmem_addr_t dst, T value) {
  void* const here = direct<order>(dst);
  if (UPCRI_UNLIKELY(here == nullptr)) return put_far<order>(dst, value);
  const WriteFence<order> fence;
  store(here, value);
}

// ---- Blocks ----

template <Order order>
void get_block(void* dst, upcr_gmem_addr_t src, std::size_t bytes) {
  const void* const here = direct<order>(src);
  if (here == nullptr) return upcri_gupc_get(dst, src, bytes, order == kStrict);
  const ReadFence<order> fence;
  std::memcpy(dst, here, bytes);
}

template <Order order>
void put_block(upcr_gmem_addr_t dst, const void* src, std::size_t bytes) {
  void* const here = direct<order>(dst);
  if (here == nullptr) return upcri_gupc_put(dst, src, bytes, order == kStrict);
  const WriteFence<order> fence;
  std::memcpy(here, src, bytes);
}

// Source and destination may be the same (a structure assigned to itself).
template <Order order>
void copy_block(upcr_gmem_addr_t dst, upcr_gmem_addr_t src, std::size_t bytes) {
  void* const to = direct<order>(dst);
  const void* const from = direct<order>(src);
  if (to == nullptr || from == nullptr) return upcri_gupc_copy(dst, src, bytes, order == kStrict);
  const ReadFence<order> read_fence;
  const WriteFence<order> write_fence;
  std::memmove(to, from, bytes);
}

inline void set_block(upcr_gmem_addr_t dst, int c, std::size_t bytes) {
  void* const here = direct<kRelaxed>(dst);
  if (here == nullptr) return upcri_gupc_set(dst, c, bytes, 0);
  std::memset(here, c, bytes);
}

}  // namespace gupc
