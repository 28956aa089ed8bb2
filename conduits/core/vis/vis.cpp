// SPDX-License-Identifier: BSD-3-Clause
// Chooses the method: kernels if both sides are mapped here, else the conduit or packets (vis_over_am).
#include "conduits/core/vis/vis.hpp"

#include "conduits/core/vis/kernels.hpp"

namespace upcr {
namespace {

// A conduit with its own puts needs no copy and no handler at the target, but each piece is a message of its
// own: pieces of less than half a packet are faster in shared packets. Over active messages a piece that
// fills packets alone saves one copy.
std::size_t least_direct(const Caps& caps, std::size_t packet) noexcept {
  return caps.rma_put && caps.rma_get ? packet / 2 : packet;
}

void direct_put(void* rma, Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
                Pending* local) {
  static_cast<Rma*>(rma)->put(to, raddr, src, bytes, remote, local);
}
void direct_get(void* rma, Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) {
  static_cast<Rma*>(rma)->get(from, dst, raddr, bytes, done);
}

void copy_lists(const VisSide& to, const VisSide& from) noexcept {
  using Kind = VisSide::Kind;
  if (to.kind == Kind::kIndexed && from.kind == Kind::kIndexed && to.length == from.length)
    return vis_move_each(to.addresses, to.delta, from.addresses, from.delta, to.count, to.length);
  if (to.kind == Kind::kIndexed && from.kind == Kind::kIndexed)
    return vis_copy_addresses(to.addresses, to.count, to.length, to.delta, from.addresses, from.count,
                              from.length, from.delta);
  if (to.kind == Kind::kVector && from.kind == Kind::kVector)
    return vis_copy_regions(to.regions, to.count, to.delta, from.regions, from.count, from.delta);
  // One side contiguous: each run of the other one is a kernel call.
  if (to.kind == Kind::kSection && to.section.dims == 0)
    return VisCursor(from).pack(reinterpret_cast<void*>(to.section.base + to.delta), to.section.elem);
  if (from.kind == Kind::kSection && from.section.dims == 0)
    return VisCursor(to).unpack(reinterpret_cast<const void*>(from.section.base + from.delta),
                                from.section.elem);
  VisCursor t(to), f(from);
  while (const std::size_t n = std::min(t.contiguous(), f.contiguous())) {
    const VisRegion dest = t.next_region(n), source = f.next_region(n);
    vis_copy_bytes(reinterpret_cast<void*>(dest.address), reinterpret_cast<const void*>(source.address), n);
  }
}

// Of both sides.
std::size_t bytes_of(const VisSide& a, const VisSide& b) noexcept {
  return a.adds_up() ? b.bytes() : a.bytes();
}

VisSide with_delta(const VisSide& side, std::uint64_t delta) noexcept {
  VisSide s = side;
  s.delta += delta;
  return s;
}

}  // namespace

void Vis::attach(AmEngine& engine, Rma& rma, Conduit& conduit, const Topology& topology,
                 const SegmentMap& segments, bool everything, const AccessGuard& guard) {
  const Caps& caps = conduit.caps();
  conduit_ = &conduit;
  topology_ = &topology;
  segments_ = &segments;
  everything_ = everything;
  const VisDirect direct{least_direct(caps, engine.max_medium()), direct_put, direct_get, &rma};
  service_ = std::make_unique<VisService>(engine, guard, direct, caps.pipelined);
}

void vis_align(VisSide& remote, VisSide& local) noexcept {
  VisPair pair;
  if (remote.kind != VisSide::Kind::kSection || local.kind != VisSide::Kind::kSection ||
      !vis_pair(remote.section, local.section, &pair))
    return;
  vis_fold(pair);
  VisSection r(pair.to, pair.elem), l(pair.from, pair.elem);
  for (unsigned i = 0; i < pair.dims; ++i) {
    r.add(pair.dim[i].count, pair.dim[i].to);
    l.add(pair.dim[i].count, pair.dim[i].from);
  }
  vis_fold(r);
  vis_fold(l);
  remote.section = r;
  local.section = l;
}

bool Vis::mapped(Rank rank, std::uint64_t* delta) const noexcept {
  const Slot first = topology_->first_slot[rank], end = topology_->first_slot[rank + 1];
  const SegmentMap& m = *segments_;
  if (everything_ || m.mapped[first] == 0) {
    *delta = 0;
    return rank == topology_->rank;
  }
  *delta = m.mapped[first] - m.remote[first];
  for (Slot s = first + 1; s < end; ++s)
    if (m.mapped[s] == 0 || m.mapped[s] - m.remote[s] != *delta) return false;
  return true;
}

void vis_copy(const VisSide& to, const VisSide& from) noexcept {
  if (to.bytes() == 0) return;
  if (to.kind == VisSide::Kind::kSection && from.kind == VisSide::Kind::kSection) {
    VisPair pair;
    if (vis_pair(to.section, from.section, &pair)) {
      pair.to += to.delta;
      pair.from += from.delta;
      vis_fold(pair);
      return vis_copy_pair(pair);
    }
  }
  copy_lists(to, from);
}

void Vis::put(Rank to, const VisSide& remote, const VisSide& local, Pending& remote_done,
              Pending* local_done) {
  const std::size_t bytes = bytes_of(local, remote);
  if (bytes == 0) return;
  std::uint64_t delta;
  if (mapped(to, &delta)) return vis_copy(with_delta(remote, delta), local);
  VisSide r = remote, l = local;
  vis_align(r, l);
  VisCursor there(r), here(l);
  put(to, there, here, bytes, remote_done, local_done);
}

void Vis::get(Rank from, const VisSide& local, const VisSide& remote, Pending& done, VisLists lists) {
  const std::size_t bytes = bytes_of(local, remote);
  if (bytes == 0) return;
  std::uint64_t delta;
  if (mapped(from, &delta)) return vis_copy(local, with_delta(remote, delta));
  VisSide r = remote, l = local;
  vis_align(r, l);
  VisCursor there(r);
  get(from, l, there, bytes, done, lists);
}

}  // namespace upcr
