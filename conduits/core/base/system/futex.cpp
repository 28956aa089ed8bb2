// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/base/system/futex.hpp"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <ctime>

namespace upcr {
namespace {

constexpr std::chrono::microseconds kBackstop{500};
std::atomic<bool> have_membarrier{false};

long membarrier(int command) { return ::syscall(SYS_membarrier, command, 0, 0); }

}  // namespace

void register_sleeper_process() {
  const long commands = membarrier(MEMBARRIER_CMD_QUERY);
  if (commands < 0 || (commands & MEMBARRIER_CMD_GLOBAL_EXPEDITED) == 0) return;
  have_membarrier = membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) == 0;
}

std::uint32_t Doorbell::prepare_wait(bool reliable) noexcept {
  const std::uint32_t epoch = epoch_.load(std::memory_order_acquire);
  const std::uint32_t before = sleepers_.fetch_add(1, std::memory_order_seq_cst);
  if (reliable && (before & kSymmetric) == 0 && have_membarrier.load(std::memory_order_relaxed))
    (void)membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return epoch;
}

bool Doorbell::wait(std::uint32_t epoch, std::chrono::microseconds limit) noexcept {
  if (!is_symmetric() && !have_membarrier.load(std::memory_order_relaxed)) limit = std::min(limit, kBackstop);
  const std::timespec timeout{static_cast<std::time_t>(limit.count() / 1000000),
                              static_cast<long>(limit.count() % 1000000) * 1000};
  const int before = errno;  // the program's: waiting is part of calls that succeed
  (void)::syscall(SYS_futex, &epoch_, FUTEX_WAIT, epoch, &timeout, nullptr, 0);
  errno = before;
  return epoch_.load(std::memory_order_relaxed) != epoch;
}

void Doorbell::wake() noexcept {
  if (is_symmetric()) {
    std::atomic_thread_fence(std::memory_order_seq_cst);  // after the caller's store
    if (sleepers_.load(std::memory_order_relaxed) == kSymmetric) return;
  }
  epoch_.fetch_add(1, std::memory_order_release);
  (void)::syscall(SYS_futex, &epoch_, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace upcr
