// SPDX-License-Identifier: BSD-3-Clause
// Protocol, each line one message:
//   put  kPut(address, pending) + data            -> kPutAck(pending)
//   get  kGet(address, bytes, dst, pending)       -> kGetReply(dst, pending) + data
//   fill kFill(address, bytes, byte, pending)     -> kPutAck(pending)
// Pointers of the requester are sent to the target and back, which does not read them. Large transfers are
// cut into packets that are all in flight at once.
#include "conduits/core/rma/rma_over_am.hpp"

#include <algorithm>
#include <cstring>

#include "conduits/core/am/args.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/rma/rma.hpp"

namespace upcr {
namespace {

constexpr const char* kWhat = "remote access";

struct PutArgs {
  std::uint64_t address, pending;
};
struct PutAckArgs {
  std::uint64_t pending;
};
struct FillArgs {
  std::uint64_t address, bytes, byte, pending;
};
struct GetArgs {
  std::uint64_t address, bytes, dst, pending;
};
struct GetReplyArgs {
  std::uint64_t dst, pending;
};

// One handler fills at most this many bytes, so that none runs for long.
constexpr std::size_t kFillPiece = 256 << 10;

// `guard`: the handlers' cookie.
void check(const void* guard, Rank source, const char* what, std::uint64_t address, std::size_t bytes) {
  const auto& g = *static_cast<const AccessGuard*>(guard);
  if (!g.allows(address, bytes))
    fatal("rank %u wants to %s %zu bytes at %#llx%s", source, what, bytes,
          static_cast<unsigned long long>(address), g.why_refused(address).c_str());
}

void complete(std::uint64_t pending) { reinterpret_cast<Pending*>(pending)->complete(); }

void on_put(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes,
            void* guard) {
  const auto put = from_args<PutArgs>(args, nargs, token.source, kWhat);
  check(guard, token.source, "write", put.address, bytes);
  atomic_copy(reinterpret_cast<void*>(put.address), data, bytes);
  const auto ack = to_args(PutAckArgs{put.pending});
  token.engine.reply(token, internal_message(InternalHandler::kPutAck, ack));
}

void on_put_ack(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  complete(from_args<PutAckArgs>(args, nargs, token.source, kWhat).pending);
}

void on_fill(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void* guard) {
  const auto fill = from_args<FillArgs>(args, nargs, token.source, kWhat);
  check(guard, token.source, "fill", fill.address, fill.bytes);
  std::memset(reinterpret_cast<void*>(fill.address), static_cast<int>(fill.byte), fill.bytes);
  const auto ack = to_args(PutAckArgs{fill.pending});
  token.engine.reply(token, internal_message(InternalHandler::kPutAck, ack));
}

void on_get(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void* guard) {
  const auto get = from_args<GetArgs>(args, nargs, token.source, kWhat);
  check(guard, token.source, "read", get.address, get.bytes);
  if (get.bytes > token.engine.max_medium())
    fatal("rank %u asks for %llu bytes in one packet of at most %zu", token.source,
          static_cast<unsigned long long>(get.bytes), token.engine.max_medium());
  const void* data = reinterpret_cast<const void*>(get.address);
  std::uint64_t small;
  if (get.bytes <= sizeof small) {  // read by one access, whatever the conduit's copy does
    atomic_copy(&small, data, get.bytes);
    data = &small;
  }
  const auto back = to_args(GetReplyArgs{get.dst, get.pending});
  token.engine.reply(token, internal_message(InternalHandler::kGetReply, back, data, get.bytes));
}

void on_get_reply(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes,
                  void*) {
  const auto back = from_args<GetReplyArgs>(args, nargs, token.source, kWhat);
  atomic_copy(reinterpret_cast<void*>(back.dst), data, bytes);
  complete(back.pending);
}

std::uint64_t to_integer(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

}  // namespace

void register_rma_handlers(AmEngine& engine, const AccessGuard& guard) {
  void* const cookie = const_cast<AccessGuard*>(&guard);
  engine.set_internal(InternalHandler::kPut, on_put, cookie);
  engine.set_internal(InternalHandler::kPutAck, on_put_ack, nullptr);
  engine.set_internal(InternalHandler::kFill, on_fill, cookie);
  engine.set_internal(InternalHandler::kGet, on_get, cookie);
  engine.set_internal(InternalHandler::kGetReply, on_get_reply, nullptr);
}

void put_over_am(AmEngine& engine, Rank to, std::uint64_t raddr, const void* src, std::size_t bytes,
                 Pending& remote) {
  for (std::size_t at = 0; at < bytes;) {
    const std::size_t n = std::min(engine.max_medium(), bytes - at);
    const auto args = to_args(PutArgs{raddr + at, to_integer(&remote)});
    remote.add();
    engine.request(to, internal_message(InternalHandler::kPut, args, static_cast<const char*>(src) + at, n));
    at += n;
  }
}

Status try_put_over_am(AmEngine& engine, Rank to, std::uint64_t raddr, const void* src, std::size_t bytes,
                       Pending& remote) {
  const auto args = to_args(PutArgs{raddr, to_integer(&remote)});
  remote.add();
  const Status status = engine.try_request(to, internal_message(InternalHandler::kPut, args, src, bytes));
  if (status != Status::kOk) remote.complete();
  return status;
}

void fill_over_am(AmEngine& engine, Rank to, std::uint64_t raddr, unsigned char byte, std::size_t bytes,
                  Pending& done) {
  for (std::size_t at = 0; at < bytes;) {
    const std::size_t n = std::min(kFillPiece, bytes - at);
    const auto args = to_args(FillArgs{raddr + at, n, byte, to_integer(&done)});
    done.add();
    engine.request(to, internal_message(InternalHandler::kFill, args));
    at += n;
  }
}

void get_over_am(AmEngine& engine, Rank from, void* dst, std::uint64_t raddr, std::size_t bytes,
                 Pending& done) {
  for (std::size_t at = 0; at < bytes;) {
    const std::size_t n = std::min(engine.max_medium(), bytes - at);
    const auto args =
        to_args(GetArgs{raddr + at, n, to_integer(static_cast<char*>(dst) + at), to_integer(&done)});
    done.add();
    engine.request(from, internal_message(InternalHandler::kGet, args));
    at += n;
  }
}

}  // namespace upcr
