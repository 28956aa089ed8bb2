// SPDX-License-Identifier: BSD-3-Clause
// Defaults of a conduit that has active messages only.
#include "conduits/core/transport/conduit.hpp"

namespace upcr {

std::string Conduit::describe() const { return name(); }
std::string Conduit::details() const { return ""; }
void Conduit::plan(MemoryFile&, const Topology&) {}
bool Conduit::pending() const noexcept { return true; }
int Conduit::wait_fd() { return -1; }
bool Conduit::arm() { return !pending(); }
Status Conduit::am_send_bulk(Rank, const AmPacket&, Pending&) { return Status::kNotSupported; }
Rings* Conduit::rings() noexcept { return nullptr; }

Status Conduit::put(Rank, std::uint64_t, const void*, std::size_t, Pending&, Pending*) {
  return Status::kNotSupported;
}
Status Conduit::get(Rank, void*, std::uint64_t, std::size_t, Pending&) { return Status::kNotSupported; }
Status Conduit::amo64(Rank, std::uint64_t, AtomOp, std::uint64_t, std::uint64_t, std::uint64_t*, Pending&) {
  return Status::kNotSupported;
}
void Conduit::begin_batch(Rank) {}
void Conduit::end_batch(Rank) {}

}  // namespace upcr
