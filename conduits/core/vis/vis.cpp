// SPDX-License-Identifier: BSD-3-Clause
// Chooses the method: kernels if both sides are mapped here, else the conduit or packets (vis_over_am).
#include "conduits/core/vis/vis.hpp"

#include "conduits/core/job/job.hpp"
#include "conduits/core/rma/rma.hpp"
#include "conduits/core/vis/kernels.hpp"
#include "conduits/core/vis/vis_over_am.hpp"

namespace upcr {
namespace {

VisService* service = nullptr;  // this process's, for good

// A conduit that puts by itself needs no copy and no handler at the far end, but every piece is a message of
// its own there: pieces of less than half a packet had better share packets. By messages a piece that fills
// packets alone saves one copy.
std::size_t least_direct(const Caps& caps, std::size_t packet) noexcept {
  return caps.rma_put && caps.rma_get ? packet / 2 : packet;
}

void direct_put(AmEngine&, Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
                Pending* local) {
  rma_put(to, raddr, src, bytes, remote, local);
}
void direct_get(AmEngine&, Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) {
  rma_get(from, dst, raddr, bytes, done);
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
    const VisRegion dest = t.take(n), source = f.take(n);
    vis_copy_bytes(reinterpret_cast<void*>(dest.address), reinterpret_cast<const void*>(source.address), n);
  }
}

VisSide with_delta(const VisSide& side, std::uint64_t delta) noexcept {
  VisSide s = side;
  s.delta += delta;
  return s;
}

}  // namespace

void vis_attach(AmEngine& engine, bool (*allowed)(void*, std::uint64_t, std::size_t), void* context) {
  const std::size_t least = least_direct(job().conduit->caps(), engine.max_medium());
  service = new VisService(engine, {allowed, context}, {least, direct_put, direct_get});
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

bool vis_mapped(Rank rank, std::uint64_t* delta) noexcept {
  const Job& j = job();
  const Slot first = j.topology.first_slot[rank], end = j.topology.first_slot[rank + 1];
  if (j.everything || j.segments.mapped[first] == 0) {
    *delta = 0;
    return rank == j.topology.rank;
  }
  *delta = j.segments.mapped[first] - j.segments.remote[first];
  for (Slot s = first + 1; s < end; ++s)
    if (j.segments.mapped[s] == 0 || j.segments.mapped[s] - j.segments.remote[s] != *delta) return false;
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

void vis_put(Rank to, const VisSide& remote, const VisSide& local, Pending& remote_done,
             Pending* local_done) {
  const std::size_t bytes = local.bytes();
  if (bytes == 0) return;
  std::uint64_t delta;
  if (vis_mapped(to, &delta)) return vis_copy(with_delta(remote, delta), local);
  VisSide r = remote, l = local;
  vis_align(r, l);
  VisCursor there(r), here(l);
  service->put(to, there, here, bytes, remote_done, local_done);
}

void vis_get(Rank from, const VisSide& local, const VisSide& remote, Pending& done) {
  const std::size_t bytes = local.bytes();
  if (bytes == 0) return;
  std::uint64_t delta;
  if (vis_mapped(from, &delta)) return vis_copy(local, with_delta(remote, delta));
  VisSide r = remote, l = local;
  vis_align(r, l);
  VisCursor there(r);
  service->get(from, l, there, bytes, done);
}

void vis_put(Rank to, VisCursor& remote, VisCursor& local, std::size_t bytes, Pending& remote_done,
             Pending* local_done) {
  service->put(to, remote, local, bytes, remote_done, local_done);
}

void vis_get(Rank from, const VisSide& local, VisCursor& remote, std::size_t bytes, Pending& done) {
  service->get(from, local, remote, bytes, done);
}

}  // namespace upcr
