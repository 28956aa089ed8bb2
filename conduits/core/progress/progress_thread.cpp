// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/progress/progress_thread.hpp"

#include <pthread.h>

#include <atomic>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/helper_thread.hpp"
#include "conduits/core/progress/progress.hpp"

namespace upcr {
namespace {

pthread_t thread;
std::atomic<bool> running{false};

void* serve(void*) {
  const Slot slot = job().topology.my_first_slot();
  Waiter waiter(slot, {nullptr});
  waiter.set_background();
  while (running.load(std::memory_order_acquire)) {
    if (make_progress() != 0)
      waiter.success();
    else if (waiter.pause())
      waiter.sleep([] { return !running.load(std::memory_order_acquire); });
  }
  return nullptr;
}

}  // namespace

void start_progress_thread() {
  running.store(true, std::memory_order_release);
  const int error = start_helper_thread(&thread, HelperStack::kClient, serve, nullptr);
  if (error != 0) fatal("cannot start the progress thread (error %d); unset UPCR_PROGRESS_THREAD", error);
}

void stop_progress_thread() {
  if (!running.exchange(false)) return;
  job().doorbells.ring_process(job().topology, job().topology.rank);
  pthread_join(thread, nullptr);
}

}  // namespace upcr
