// SPDX-License-Identifier: BSD-3-Clause
// Which iterations of a loop that upc2c transforms are the calling thread's, and pointers to their elements
// (include/upcr/upc2c_loops.h). UPC threads.
#include <algorithm>
#include <bit>
#include <cstdint>

#include "include/upcr/upc2c_loops.h"

namespace upcr {
namespace {

// `step` threads further each time, modulo `threads`, 1 < step < threads: how often until `distance` threads
// further, or -1; period: until the same thread.
std::int64_t times_until(std::int64_t step, std::int64_t distance, std::int64_t threads,
                         std::int64_t& period) {
  std::int64_t a = threads, b = step, x = 0, y = 1;  // b = y * step modulo threads
  while (b != 0) {
    const std::int64_t q = a / b, c = a - q * b, z = x - q * y;
    a = b;
    b = c;
    x = y;
    y = z;
  }
  period = threads / a;
  if (distance % a != 0) return -1;
  x %= period;
  return (x < 0 ? x + period : x) * (distance / a) % period;
}

}  // namespace

extern "C" {

UPCRI_API upc2c_chunks_t upcri_owned_cyclic(int all, int64_t trips, upcr_thread_t first, int64_t stride) {
  if (all != 0) return upc2c_owned_if(1, trips);
  const std::int64_t threads = UPCRI_THREADS, mine = upcri_mythread_;
  const std::int64_t distance = mine - first + (mine < static_cast<std::int64_t>(first) ? threads : 0);
  std::int64_t step = stride % threads, period = threads, begin;
  if (step < 0) step += threads;
  if (step == 0) return upc2c_owned_if(distance == 0, trips);  // one thread
  if (step == 1)
    begin = distance;
  else if (step == threads - 1)
    begin = distance == 0 ? 0 : threads - distance;
  else
    begin = times_until(step, distance, threads, period);
  if (begin < 0 || begin >= trips) return upc2c_owned_if(0, 0);
  return upc2c_one_chunk(begin, period, (trips - 1 - begin) / period + 1);
}

UPCRI_API upc2c_chunks_t upcri_owned_blocks(int all, int64_t trips, upcr_shared_ptr_t first, int64_t stride,
                                            int64_t block) {
  if (all != 0) return upc2c_owned_if(1, trips);
  const std::int64_t threads = UPCRI_THREADS, mine = upcri_mythread_, thread = upcri_thread_shared(first),
                     phase = upcri_phase_shared(first);
  // Blocks before the first one of this thread. Downwards positions count from the end of the block.
  const std::int64_t blocks = stride > 0 ? mine - thread : thread - mine;
  upc2c_chunks_t chunks = upc2c_one_chunk(0, 1, 0);
  chunks.trips = trips;
  chunks.stride = stride > 0 ? stride : -stride;
  chunks.block = block;
  chunks.round = threads * block;
  chunks.at = (blocks + (blocks < 0 ? threads : 0)) * block - (stride > 0 ? phase : block - 1 - phase);
  return chunks;
}

UPCRI_API int upcri_next_chunk(upc2c_chunks_t* c) {
  if (c->block == 0) return c->round-- == 1 && c->count > 0 ? 1 : 0;
  for (;;) {
    const std::int64_t end = c->at + c->block;  // positive
    const std::int64_t last = std::min((end + c->stride - 1) / c->stride, c->trips);
    c->first = c->at <= 0 ? 0 : (c->at + c->stride - 1) / c->stride;
    if (c->first >= c->trips) return 0;
    c->at += c->round;
    c->count = last - c->first;
    if (c->count > 0) return 1;
  }
}

UPCRI_API upcr_pshared_ptr_t upcri_moved_cyclic(upcr_pshared_ptr_t p, size_t elemsz, ptrdiff_t inc) {
  return upcr_add_pshared1(p, elemsz, inc);
}

UPCRI_API upcr_shared_ptr_t upcri_moved_blocks(upcr_shared_ptr_t p, size_t elemsz, ptrdiff_t inc,
                                               size_t block) {
  return upcr_add_shared(p, elemsz, inc, block);
}

UPCRI_API upc2c_array_t upcri_find_array(upcr_shared_ptr_t first, size_t elemsz, size_t block) {
  upc2c_array_t array = {0, 0, 0, 0, 0};
  const std::uint64_t threads = UPCRI_THREADS, thread = upcri_thread_shared(first);
  // Where the loop has no iteration, `first` may be a pointer without a value.
  if (upcr_isnull_shared(first) != 0 || thread >= threads) return array;
  std::uintptr_t address = 0;
  if (upcri_find(first, 0, 1, &address) == 0) return array;
  if (block == 0) {
    array.start = address;
    array.mapped = 1;
    return array;
  }
  if ((threads & (threads - 1)) != 0) return array;
  const std::uint64_t phase = upcri_phase_shared(first);
#ifdef UPCRI_POINTER_packed
  if (upcri_reach.span >> UPCRI_ADDR_BITS < threads) return array;
  array.start = address - (static_cast<std::uintptr_t>(thread) << UPCRI_ADDR_BITS) - phase * elemsz;
#else
  for (std::uint64_t t = 0; t < threads; t++)
    if (upcri_window.bases[t] == 0) return array;
  array.start = address - upcri_window.bases[thread] - phase * elemsz;
#endif
  array.position = static_cast<std::int64_t>(thread * block + phase);
  array.shift = static_cast<std::uint32_t>(std::countr_zero(threads));
  array.mask = static_cast<std::uint32_t>(threads - 1);
  array.mapped = 1;
  return array;
}

UPCRI_API upc2c_cyclic_t upcri_find_cyclic(upcr_shared_ptr_t first, size_t elemsz, uintptr_t* starts) {
  upc2c_cyclic_t found = {starts, 0, 0, 0};
  const std::uint64_t threads = UPCRI_THREADS;
  if (threads > UPC2C_MAX_STARTS) return found;
  const upc2c_array_t array = upcri_find_array(first, elemsz, 1);
  if (array.mapped == 0) return found;
  for (std::uint64_t t = 0; t < threads; t++)
    starts[t] = upc2c_element(&array, static_cast<std::int64_t>(t), elemsz, 1);
  found.shift = array.shift;
  found.mask = array.mask;
  found.mapped = 1;
  return found;
}

}  // extern "C"
}  // namespace upcr
