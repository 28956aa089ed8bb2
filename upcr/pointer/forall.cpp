// SPDX-License-Identifier: BSD-3-Clause
// The functions that translated upc_forall loops call. UPC threads only (upcrt_gcd: any thread).
#include "upcr/pointer/forall.hpp"

#include <climits>
#include <cstdint>
#include <numeric>

#include "include/upcr/bulk.h"
#include "include/upcr/forall.h"
#include "include/upcr/window.h"

#undef _upcrt_forall_start

namespace upcr {
namespace {

// v modulo m in [0, m).
std::int64_t modulo(std::int64_t v, std::int64_t m) {
  const std::int64_t r = v % m;
  return r < 0 ? r + m : r;
}

// x with a * x = 1 modulo m, for a and m without a common divisor, m >= 1.
std::int64_t inverse(std::int64_t a, std::int64_t m) {
  std::int64_t r0 = m, r1 = modulo(a, m), x0 = 0, x1 = 1;
  while (r1 != 0) {
    const std::int64_t q = r0 / r1;
    const std::int64_t r2 = r0 - q * r1, x2 = x0 - q * x1;
    r0 = r1, r1 = r2, x0 = x1, x1 = x2;
  }
  return modulo(x0, m);
}

}  // namespace

int forall_start(int start_thread, int step, int lo, int scale, int threads, int me) {
  const int none = step < 0 ? INT_MIN : INT_MAX;
  // The smallest k >= 0 with start_thread + k * stride = me (modulo threads).
  const std::int64_t stride = modulo(std::int64_t{step} * scale, threads);
  const std::int64_t distance = modulo(std::int64_t{me} - start_thread, threads);
  const std::int64_t divisor = std::gcd(stride, std::int64_t{threads});
  if (distance % divisor != 0) return none;
  const std::int64_t period = threads / divisor;
  const std::int64_t k = distance / divisor % period * inverse(stride / divisor, period) % period;
  const std::int64_t value = lo + k * step;
  return value < INT_MIN || value > INT_MAX ? none : static_cast<int>(value);
}

}  // namespace upcr

extern "C" {

UPCRI_API int upcrt_gcd(int a, int b) { return static_cast<int>(std::gcd(std::int64_t{a}, std::int64_t{b})); }

UPCRI_API int _upcrt_forall_start(int start_thread, int step, int lo, int scale) {
  return upcr::forall_start(start_thread, step, lo, scale, static_cast<int>(upcri_window.threads),
                            static_cast<int>(upcri_mythread_));
}

UPCRI_API int upcri_forall_start3(int start_thread, int step, int lo) {
  return _upcrt_forall_start(start_thread, step, lo, 1);
}

// Blocking, because the translator's pass removes the sync that would follow.
UPCRI_API void _upcrt_memput_nb(upcr_shared_ptr_t dst, const void* src, size_t n) {
  upcr_memput(dst, src, n);
}

}  // extern "C"
