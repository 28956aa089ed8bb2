// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/base/flush.hpp"

#include <pthread.h>

#include <cstdio>
#include <ctime>

#include "conduits/base/helper_thread.hpp"

namespace upcr {
namespace {

void* flush(void*) {
  std::fflush(nullptr);
  return nullptr;
}

}  // namespace

bool flush_all_files() {
  pthread_t helper;
  if (start_helper_thread(&helper, HelperStack::kClient, flush, nullptr) != 0) return false;
  timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  ++deadline.tv_sec;
  return pthread_timedjoin_np(helper, nullptr, &deadline) == 0;
}

}  // namespace upcr
