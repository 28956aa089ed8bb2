// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/job/job.hpp"

#include "conduits/core/checksum/packet_sums.hpp"

namespace upcr {
namespace {

const Job& job_of(const void* context) noexcept { return *static_cast<const Job*>(context); }

bool in_my_segments(void* context, std::uint64_t address, std::size_t n) {
  const Job& j = job_of(context);
  return j.segments.mine(j.topology, address, n);
}

std::string why_refused(void* context, std::uint64_t address) {
  const Job& j = job_of(context);
  return j.segments.why_refused(j.topology, address);
}

// Long data for a neighbour whose segment is mapped here is stored directly.
void* mapped_here(void* context, Rank rank, std::uint64_t address, std::size_t n) {
  const Job& j = job_of(context);
  for (Slot s = j.topology.first_slot[rank]; s < j.topology.first_slot[rank + 1]; ++s) {
    const std::uint64_t offset = address - j.segments.remote[s];
    if (j.segments.mapped[s] != 0 && j.segments.holds(offset, n))
      return reinterpret_cast<void*>(j.segments.mapped[s] + offset);
  }
  return nullptr;
}

}  // namespace

AccessGuard Job::access_guard() noexcept {
  return everything ? AccessGuard{} : AccessGuard{in_my_segments, this, why_refused};
}

void Job::make_engine() {
  AmEngine::Config config;
  config.rank = topology.rank;
  config.size = topology.size;
  config.multithreaded = multithreaded;
  config.writable = access_guard();
  // With sums all data is in packets: stored directly it would be there before its packet is checked.
  config.mapped = packet_sums() ? nullptr : mapped_here;
  config.on_handlers_run = [](void* context) { job_of(context).wake_threads(); };
  config.context = this;
  engine = std::make_unique<AmEngine>(*conduit, config);
  progress.attach(*engine, doorbells);
  rma.attach(*conduit, *engine, progress, topology.rank, access_guard());
}

}  // namespace upcr
