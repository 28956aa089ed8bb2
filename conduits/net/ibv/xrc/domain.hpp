// SPDX-License-Identifier: BSD-3-Clause
// The XRC domain of a host: what its processes share, so that a queue pair of one of them receives for all.
// It belongs to a file, a memfd that the first process hands to the others. Processes of a host are those
// with ranks that follow on (core/model/topology.hpp); other runs of ranks on it have domains of their own.
//
// Main thread; host_of() any.
#pragma once
#include <memory>
#include <span>
#include <string>

#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/core/memory/memory_file.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/net/ibv/device/device.hpp"

namespace upcr::ibv {

class XrcDomain {
 public:
  // Opens the domain of each device. Collective. Returns an empty text, or why a process has none; then no
  // process has.
  std::string open(Bootstrap& bootstrap, const Topology& topology, std::span<Device* const> devices);
  // The devices have been closed.
  void close() noexcept { file_.reset(); }
  // Can be used?
  bool is_open() const noexcept { return file_ != nullptr; }
  // The lowest rank of this process's host.
  Rank host_of(Rank rank) const noexcept { return hosts_.of<Rank>()[rank]; }

 private:
  std::unique_ptr<MemoryFile> file_;
  Table hosts_;  // of each rank: one copy for all processes of the host, where the launcher can
};

}  // namespace upcr::ibv
