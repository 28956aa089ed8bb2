// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/vis/vis_over_am.hpp"

#include <algorithm>
#include <vector>

#include "conduits/core/am/args.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/memory/thread_buffer.hpp"

namespace upcr {

// A pending get, on the heap: replies find the local side here. `parts` counts its packets and the thread
// that is still sending; the last of them moves the get to `finished_`.
struct VisService::Get {
  VisSide local;
  std::vector<VisRegion> regions;
  std::vector<std::uint64_t> addresses;
  Pending* done = nullptr;
  std::atomic<std::uint32_t> parts{1};
  Get* next = nullptr;
};

namespace {

// In bulk there is one message more, which is worth it from here on.
constexpr std::size_t kLeastBulk = 8 << 10;
// A list must describe so much in a prefix.
constexpr std::size_t kLeastListedBulk = 2 * kLeastBulk / (kMaxBulkPrefix / kVisPerOffset);

constexpr const char* kWhat = "non-contiguous access";

struct PutArgs {
  std::uint64_t pending;
};
// The position in the local side; sent to the target and back, which does not read it.
struct GetArgs {
  std::uint64_t get, entry, byte;
};

// The buffer in which this thread builds a packet.
char* packet_buffer(std::size_t bytes) {
  static constinit thread_local ThreadBuffer buffer;
  return buffer.of(bytes);
}

// Regions of one length are kept as addresses: half as long, and a number of bytes is skipped without a loop.
bool have_one_length(const VisSide& regions) noexcept {
  if (regions.length != 0) return true;
  const std::size_t bytes = regions.regions->bytes;
  std::size_t differ = 0;
  for (std::size_t i = 1; i < regions.count; ++i) differ |= regions.regions[i].bytes ^ bytes;
  return differ == 0;
}

}  // namespace

VisService::VisService(AmEngine& engine, const AccessGuard& guard, const VisDirect& direct,
                       std::size_t pipelined)
    : engine_(engine),
      guard_(guard),
      direct_(direct),
      pipelined_(pipelined),
      reply_(std::make_unique_for_overwrite<char[]>(engine.max_medium())) {
  engine.set_internal(InternalHandler::kVisPut, on_put, this);
  engine.set_internal(InternalHandler::kVisPutAck, on_put_ack, this);
  engine.set_internal(InternalHandler::kVisGet, on_get, this);
  engine.set_internal(InternalHandler::kVisGetReply, on_get_reply, this);
}

VisService::~VisService() { clean_up(); }

bool VisService::goes_directly(const VisCursor& a, const VisCursor& b, std::size_t bytes) const noexcept {
  return std::min({a.contiguous(), b.contiguous(), bytes}) >= direct_.least;
}

std::size_t VisService::packet_size(std::size_t bytes) const noexcept {
  const std::size_t most = engine_.max_medium();
  if (pipelined_ == 0 || bytes < 2 * pipelined_) return most;
  return std::min(std::max(bytes / 4, pipelined_), most);
}

bool VisService::goes_in_bulk(const VisCursor& remote_side, const VisCursor& local_side,
                              std::size_t bytes) const noexcept {
  return engine_.max_bulk() != 0 && std::min(local_side.contiguous(), bytes) >= kLeastBulk &&
         (!remote_side.is_list() || remote_side.contiguous() >= kLeastListedBulk);
}

void VisService::put(Rank to, VisCursor& remote_side, VisCursor& local_side, std::size_t bytes,
                     Pending& remote, Pending* local) {
  const std::size_t size = packet_size(bytes);
  while (bytes != 0) {
    if (goes_directly(remote_side, local_side, bytes)) {
      const VisRegion source = local_side.next_region(std::min(bytes, remote_side.contiguous()));
      const VisRegion dest = remote_side.next_region(source.bytes);
      direct_.put(direct_.context, to, dest.address, reinterpret_cast<const void*>(source.address),
                  source.bytes, remote, local);
      bytes -= source.bytes;
    } else if (local != nullptr && goes_in_bulk(remote_side, local_side, bytes)) {
      bytes -= put_bulk(to, remote_side, local_side, bytes, remote, *local);
    } else {
      put_packet(to, remote_side, local_side, size, &bytes, remote);
    }
  }
}

void VisService::put_packet(Rank to, VisCursor& remote_side, VisCursor& local_side, std::size_t size,
                            std::size_t* bytes, Pending& remote) {
  char* const packet = packet_buffer(size);
  std::size_t used = 0;
  while (*bytes != 0 && size - used > kVisHead &&
         (used == 0 || !goes_directly(remote_side, local_side, *bytes))) {
    const VisChunk chunk = remote_side.next_chunk({*bytes, size - used, true, packet + used + kVisHead});
    used += vis_describe(chunk, packet + used);
    local_side.pack(packet + used, chunk.bytes);
    used += chunk.bytes;
    *bytes -= chunk.bytes;
  }
  const auto args = to_args(PutArgs{reinterpret_cast<std::uint64_t>(&remote)});
  remote.add();
  engine_.request(to, internal_message(InternalHandler::kVisPut, args, packet, used));
}

// One chunk of the remote side from one contiguous piece. Returns its bytes.
std::size_t VisService::put_bulk(Rank to, VisCursor& remote_side, VisCursor& local_side, std::size_t bytes,
                                 Pending& remote, Pending& local) {
  char description[kMaxBulkPrefix];
  const std::size_t most =
      std::min({bytes, local_side.contiguous(), engine_.max_bulk() - sizeof description});
  const VisChunk chunk = remote_side.next_chunk({most, sizeof description, false, description + kVisHead});
  const VisRegion source = local_side.next_region(chunk.bytes);
  if (chunk.bytes >= kLeastBulk) {
    const std::size_t described = vis_describe(chunk, description);
    const auto args = to_args(PutArgs{reinterpret_cast<std::uint64_t>(&remote)});
    remote.add();
    const auto* data = reinterpret_cast<const void*>(source.address);
    if (engine_.request_bulk(to, internal_message(InternalHandler::kVisPut, args, data, chunk.bytes),
                             {description, described}, local))
      return chunk.bytes;
    remote.complete();
  }
  const VisSide there = chunk.side(), here = VisSide::of({source.address, source.bytes});
  VisCursor r(there), l(here);
  for (std::size_t left = chunk.bytes; left != 0;) put_packet(to, r, l, packet_size(left), &left, remote);
  return chunk.bytes;
}

void VisService::on_put(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data,
                        std::size_t bytes, void* cookie) {
  const auto put = from_args<PutArgs>(args, nargs, token.source, kWhat);
  const auto& self = *static_cast<VisService*>(cookie);
  for (VisReader r(self.guard_, token.source, "write", static_cast<const char*>(data), bytes); r.more();) {
    r.next();
    r.unpack_data();
  }
  token.engine.reply(token, internal_message(InternalHandler::kVisPutAck, to_args(put)));
}

void VisService::on_put_ack(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t,
                            void*) {
  const auto put = from_args<PutArgs>(args, nargs, token.source, kWhat);
  reinterpret_cast<Pending*>(put.pending)->complete();
}

void VisService::get(Rank from, const VisSide& local, VisCursor& remote_side, std::size_t bytes,
                     Pending& done, VisLists lists) {
  clean_up();
  if (bytes == 0) return;
  Get* const get = new Get;
  gets_.fetch_add(1, std::memory_order_relaxed);
  get->local = local;
  get->done = &done;
  if (lists == VisLists::kKept) {
    // They stay where they are.
  } else if (local.kind == VisSide::Kind::kVector && have_one_length(local)) {
    get->addresses.resize(local.count);
    std::transform(local.regions, local.regions + local.count, get->addresses.begin(),
                   [](const VisRegion& r) { return r.address; });
    get->local = VisSide::indexed(get->addresses.data(), local.count, local.regions->bytes);
    get->local.delta = local.delta;
  } else if (local.kind == VisSide::Kind::kVector) {
    get->regions.assign(local.regions, local.regions + local.count);
    get->local.regions = get->regions.data();
  } else if (local.kind == VisSide::Kind::kIndexed) {
    get->addresses.assign(local.addresses, local.addresses + local.count);
    get->local.addresses = get->addresses.data();
  }
  VisCursor local_side(get->local);
  const std::size_t size = packet_size(bytes);
  while (bytes != 0) {
    if (goes_directly(remote_side, local_side, bytes)) {
      const VisRegion dest = local_side.next_region(std::min(bytes, remote_side.contiguous()));
      const VisRegion source = remote_side.next_region(dest.bytes);
      direct_.get(direct_.context, from, reinterpret_cast<void*>(dest.address), source.address, dest.bytes,
                  done);
      bytes -= dest.bytes;
    } else {
      get_packet(from, get, remote_side, local_side, size, &bytes);
    }
  }
  release(get);
}

void VisService::get_packet(Rank from, Get* get, VisCursor& remote_side, VisCursor& local_side,
                            std::size_t size, std::size_t* bytes) {
  char* const packet = packet_buffer(size);
  const VisCursor::Mark mark = local_side.mark();
  std::size_t used = 0, reply_bytes = 0;
  while (*bytes != 0 && size - used > kVisHead && reply_bytes < size &&
         (used == 0 || !goes_directly(remote_side, local_side, *bytes))) {
    const VisChunk chunk = remote_side.next_chunk(
        {std::min(*bytes, size - reply_bytes), size - used, false, packet + used + kVisHead});
    used += vis_describe(chunk, packet + used);
    local_side.skip(chunk.bytes);
    reply_bytes += chunk.bytes;
    *bytes -= chunk.bytes;
  }
  const auto args = to_args(GetArgs{reinterpret_cast<std::uint64_t>(get), mark.entry, mark.byte});
  get->parts.fetch_add(1, std::memory_order_relaxed);
  get->done->add();
  engine_.request(from, internal_message(InternalHandler::kVisGet, args, packet, used));
}

void VisService::on_get(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data,
                        std::size_t bytes, void* cookie) {
  const auto ticket = from_args<GetArgs>(args, nargs, token.source, kWhat);
  const auto& self = *static_cast<VisService*>(cookie);
  const std::size_t size = token.engine.max_medium();
  std::size_t used = 0;
  for (VisReader r(self.guard_, token.source, "read", static_cast<const char*>(data), bytes); r.more();) {
    r.next();
    if (r.bytes() > size - used)
      fatal("rank %u asks for more than %zu bytes in one packet", token.source, size);
    r.pack(self.reply_.get() + used);
    used += r.bytes();
  }
  token.engine.reply(
      token, internal_message(InternalHandler::kVisGetReply, to_args(ticket), self.reply_.get(), used));
}

void VisService::on_get_reply(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data,
                              std::size_t bytes, void* cookie) {
  const auto ticket = from_args<GetArgs>(args, nargs, token.source, kWhat);
  Get* const get = reinterpret_cast<Get*>(ticket.get);
  VisCursor(get->local, {ticket.entry, ticket.byte}).unpack(data, bytes);
  Pending* const done = get->done;
  static_cast<VisService*>(cookie)->release(get);
  done->complete();
}

void VisService::release(Get* get) noexcept {
  if (get->parts.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  get->next = finished_.load(std::memory_order_relaxed);
  while (!finished_.compare_exchange_weak(get->next, get, std::memory_order_release,
                                          std::memory_order_relaxed)) {
  }
}

void VisService::clean_up() noexcept {
  if (finished_.load(std::memory_order_relaxed) == nullptr) return;
  for (Get* get = finished_.exchange(nullptr, std::memory_order_acquire); get != nullptr;) {
    Get* const next = get->next;
    delete get;
    gets_.fetch_sub(1, std::memory_order_relaxed);
    get = next;
  }
}

}  // namespace upcr
