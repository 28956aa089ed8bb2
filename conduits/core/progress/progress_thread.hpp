// SPDX-License-Identifier: BSD-3-Clause
// The progress thread (UPCR_PROGRESS_THREAD): serves peers while the program computes.
#pragma once
#include <pthread.h>

#include <atomic>

#include "conduits/core/model/topology.hpp"
#include "conduits/core/progress/progress.hpp"

namespace upcr {

class ProgressThread {
 public:
  ProgressThread() = default;
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;

  // At the end of attach. It sleeps on the doorbell of `slot`, one of this process.
  void start(ProgressEngine& progress, Slot slot);
  // Before detach. Does nothing when the thread does not run.
  void stop(const Doorbells& doorbells);

 private:
  static void* run(void* self);
  void serve();

  ProgressEngine* progress_ = nullptr;
  Slot slot_ = 0;
  pthread_t thread_{};
  std::atomic<bool> running_{false};
};

}  // namespace upcr
