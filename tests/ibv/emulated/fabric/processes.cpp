// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/fabric/processes.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <vector>

#include "tests/ibv/emulated/fabric/forget.hpp"

namespace emulated {
namespace {

using Copy = ssize_t(pid_t, const iovec*, unsigned long, const iovec*, unsigned long, unsigned long);

// The first bytes of a list are done.
void advance(std::vector<iovec>* list, std::size_t bytes) {
  auto at = list->begin();
  while (at != list->end() && bytes >= at->iov_len) bytes -= (at++)->iov_len;
  list->erase(list->begin(), at);
  if (bytes == 0) return;
  list->front().iov_base = static_cast<char*>(list->front().iov_base) + bytes;
  list->front().iov_len -= bytes;
}

// Can this process's memory be read, a byte of each page?
bool is_readable(std::span<const iovec> list) {
  constexpr std::size_t kPage = 4096;
  for (const iovec& part : list)
    for (std::size_t at = 0; at < part.iov_len; at += kPage) {
      char byte;
      iovec to{&byte, 1}, from{static_cast<char*>(part.iov_base) + at, 1};
      if (::process_vm_readv(::getpid(), &to, 1, &from, 1, 0) != 1) return false;
    }
  return true;
}

Copied copy(Copy* how, Fabric& fabric, std::uint16_t process, std::span<const iovec> own,
            std::span<const iovec> other) {
  std::vector<iovec> here(own.begin(), own.end()), there(other.begin(), other.end());
  const pid_t pid = fabric.shared().processes[process].pid;
  std::size_t left = 0;
  for (const iovec& part : own) left += part.iov_len;
  while (left != 0) {
    const ssize_t done = how(pid, here.data(), std::min<std::size_t>(here.size(), IOV_MAX), there.data(),
                             std::min<std::size_t>(there.size(), IOV_MAX), 0);
    if (done < 0 && errno == ESRCH) return Copied::kDead;
    if (done < 0 && errno == EPERM)
      give_up("the memory of another process cannot be reached (kernel.yama.ptrace_scope, or seccomp)");
    if (done <= 0) return is_readable(own) ? Copied::kOtherFault : Copied::kOwnFault;
    left -= static_cast<std::size_t>(done);
    if (left == 0) break;
    advance(&here, static_cast<std::size_t>(done));
    advance(&there, static_cast<std::size_t>(done));
  }
  return Copied::kAll;
}

}  // namespace

bool is_alive(Fabric& fabric, std::uint16_t process) {
  const Process& p = fabric.shared().processes[process];
  if (!p.used) return false;
  if (process == fabric.process()) return true;
  char byte;
  iovec to{&byte, 1}, from{reinterpret_cast<void*>(p.probe), 1};
  return ::process_vm_readv(p.pid, &to, 1, &from, 1, 0) >= 0 || errno != ESRCH;
}

void forget(Fabric& fabric, std::uint16_t process) {
  forget_objects(fabric, process);
  fabric.shared().processes[process].used = false;
}

void forget_dead_processes(Fabric& fabric) {
  for (std::uint16_t i = 0; i < kMaxProcesses; ++i)
    if (fabric.shared().processes[i].used && !is_alive(fabric, i)) forget(fabric, i);
}

Copied write_to(Fabric& fabric, std::uint16_t process, std::span<const iovec> from,
                std::span<const iovec> to) {
  return copy(&::process_vm_writev, fabric, process, from, to);
}

Copied read_from(Fabric& fabric, std::uint16_t process, std::span<const iovec> to,
                 std::span<const iovec> from) {
  return copy(&::process_vm_readv, fabric, process, to, from);
}

}  // namespace emulated
