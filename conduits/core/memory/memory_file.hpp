// SPDX-License-Identifier: BSD-3-Clause
// The memory that a group of processes shares: one memfd, with control areas at its start and, in a window
// group's, the segments behind them. It has no name in any file system, so nothing is left behind however the
// job ends. A job has one for each window group; where window groups are smaller than machines
// (UPCR_NODE_SIZE, UPCR_PSHM=no) it has one more for each machine, for conduits and doorbells alone
// (Job::machine_memory).
//
// Order of use: reserve() by every component, the same calls in the same order on every process of the group;
// create(), collective; then at() until the process ends. Untouched pages cost nothing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conduits/core/base/system/status.hpp"
#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

class Bootstrap;
struct Topology;

class UPCR_MODULE_API MemoryFile {
 public:
  struct Area {
    std::size_t offset = 0, bytes = 0;
  };

  MemoryFile() = default;
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  // A zero-filled area of the control part, cache-line aligned. Before create().
  Area reserve(std::size_t bytes, std::size_t alignment = 64);

  // Collective over the job. The group is the ranks first .. first + size - 1, this one among them, on one
  // machine. Its first process creates the memory with `segment_bytes` (a page multiple) behind the control
  // part and passes the file to the others through a socket. Reports its failures.
  void create(Bootstrap& bootstrap, const Topology& topology, Rank first, Rank size,
              std::size_t segment_bytes);

  // The area's address here; different in each process.
  template <typename T>
  T* at(Area area) const noexcept {
    return reinterpret_cast<T*>(control_ + area.offset);
  }
  int fd() const noexcept { return fd_; }
  // The offset of the segments in the file.
  std::size_t segments_offset() const noexcept { return control_bytes_; }

 private:
  std::size_t control_bytes_ = 0;
  char* control_ = nullptr;
  int fd_ = -1;
};

}  // namespace upcr
