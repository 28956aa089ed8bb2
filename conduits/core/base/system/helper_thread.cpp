// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/base/system/helper_thread.hpp"

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

namespace upcr {
namespace {

constexpr std::size_t kOwnBytes = 256 * 1024, kClientBytes = 1024 * 1024;
constexpr std::size_t kLargestBytes = std::size_t{1} << 30;

}  // namespace

int start_helper_thread(pthread_t* thread, HelperStack stack, void* (*body)(void*), void* argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  std::size_t bytes = kOwnBytes;
  if (stack == HelperStack::kClient && pthread_attr_getstacksize(&attributes, &bytes) == 0)
    bytes = std::max(bytes, kClientBytes);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error;
  for (;; bytes *= 2) {
    error = pthread_attr_setstacksize(&attributes, bytes);
    if (error == 0) error = pthread_create(thread, &attributes, body, argument);
    // EINVAL: too small. The loop's bound holds for its own doubling; a default size may be larger (ulimit
    // -s).
    if (error != EINVAL || bytes > kLargestBytes / 2) break;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  return error;
}

}  // namespace upcr
