// SPDX-License-Identifier: BSD-3-Clause
// The running job as both client faces see it: one per process. Start-up (core/startup/startup.hpp) makes and
// ends it; everybody else reads it.
#pragma once
#include <cstddef>
#include <memory>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/base/system/status.hpp"
#include "conduits/core/base/system/visibility.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/core/memory/memory_file.hpp"
#include "conduits/core/memory/segment.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/core/transport/conduit.hpp"
#include "conduits/core/wait/doorbells.hpp"

namespace upcr {

struct Job {
  std::unique_ptr<Bootstrap> bootstrap;
  std::unique_ptr<Conduit> conduit;
  std::unique_ptr<AmEngine> engine;
  MemoryFile memory_file;          // the window's
  MemoryFile machine_memory_file;  // the machine's, where that is more: for the conduit and the doorbells
  Topology topology;
  SegmentMap segments;
  Doorbells doorbells;
  bool bypass = true;          // UPCR_PSHM: neighbours' segments are mapped
  bool multithreaded = false;  // several client threads, or a progress thread
  bool everything = false;     // remote access may name any address, segments are not used
  bool attached = false;
  bool separate_machine_memory = false;
  bool oversubscribed = false;  // more UPC threads on this machine than CPUs; the same in all its processes
  bool processes_fit = false;   // but each process can have a CPU; the same

  // What conduits may share with the processes of this machine.
  MemoryFile& machine_memory() noexcept {
    return separate_machine_memory ? machine_memory_file : memory_file;
  }
};

// Made when it is asked for first, which is before there are threads, and never destroyed: threads may
// outlive main.
UPCR_MODULE_API Job& make_job() noexcept;
UPCR_MODULE_API extern Job* the_job;
inline Job& job() noexcept { return __builtin_expect(the_job != nullptr, 1) ? *the_job : make_job(); }

}  // namespace upcr
