// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/progress/progress_thread.hpp"

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/helper_thread.hpp"

namespace upcr {

void* ProgressThread::run(void* self) {
  static_cast<ProgressThread*>(self)->serve();
  return nullptr;
}

void ProgressThread::serve() {
  Waiter waiter(*progress_, slot_, {nullptr});
  waiter.set_background();
  while (running_.load(std::memory_order_acquire)) {
    if (progress_->poll() != 0)
      waiter.success();
    else if (waiter.pause())
      waiter.sleep([this] { return !running_.load(std::memory_order_acquire); });
  }
  if (waiter.armed()) waiter.disarm();
}

void ProgressThread::start(ProgressEngine& progress, Slot slot) {
  progress_ = &progress;
  slot_ = slot;
  running_.store(true, std::memory_order_release);
  const int error = start_helper_thread(&thread_, HelperStack::kClient, run, this);
  if (error != 0) fatal("cannot start the progress thread (error %d); unset UPCR_PROGRESS_THREAD", error);
}

void ProgressThread::stop(const Doorbells& doorbells) {
  if (!running_.exchange(false)) return;
  doorbells.of(slot_).ring();
  pthread_join(thread_, nullptr);
}

}  // namespace upcr
