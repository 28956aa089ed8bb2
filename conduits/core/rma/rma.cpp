// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/rma/rma.hpp"

#include <algorithm>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/core/rma/rma_over_am.hpp"
#include "conduits/core/rma/start_native.hpp"
#include "conduits/core/transport/transfer_batch.hpp"

namespace upcr {
namespace {

LogComponent log_rma("rma");

// The length of the next piece of `bytes` bytes, at most `most`: whole cache lines if that allows one. An
// aligned word is one piece, whatever the limit.
std::size_t first_piece(std::size_t bytes, std::size_t most) noexcept {
  constexpr std::size_t kLine = 64, kWord = sizeof(std::uint64_t);
  if (bytes <= kWord) most = kWord;
  if (bytes > most && most > kLine) most -= most % kLine;
  return std::min(bytes, most);
}

// Calls piece(offset, bytes) for pieces of at most `limit` bytes of a transfer with `peer`.
template <typename Piece>
void in_pieces(Conduit& conduit, Rank peer, std::size_t bytes, std::size_t limit, Piece&& piece) {
  const std::size_t most = first_piece(bytes, limit);
  if (bytes <= most) return piece(0, bytes);
  const TransferBatch batch(conduit, peer);
  for (std::size_t at = 0; at < bytes; at += most) piece(at, std::min(most, bytes - at));
}

// The longest put that the conduit does as one operation.
std::size_t max_put(const Caps& caps, bool reuse_source) noexcept {
  return reuse_source && caps.max_inline != 0 ? std::min(caps.max_inline, caps.max_rma) : caps.max_rma;
}

}  // namespace

void Rma::attach(Conduit& conduit, AmEngine& engine, ProgressEngine& progress, Rank rank,
                 const AccessGuard& guard) {
  conduit_ = &conduit;
  engine_ = &engine;
  progress_ = &progress;
  rank_ = rank;
  guard_ = guard;
  register_rma_handlers(engine, guard_);
}

void Rma::put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
              Pending* local) {
  if (bytes == 0) return;
  UPCR_LOG(log_rma, kTrace, "put of %zu bytes to rank %u at %#llx", bytes, to,
           static_cast<unsigned long long>(raddr));
  if (to == rank_) return atomic_copy(reinterpret_cast<void*>(raddr), src, bytes);
  Conduit& conduit = *conduit_;
  if (!conduit.caps().rma_put) return put_over_am(*engine_, to, raddr, src, bytes, remote);
  const std::size_t limit = max_put(conduit.caps(), local == nullptr);
  in_pieces(conduit, to, bytes, limit, [&](std::size_t at, std::size_t n) {
    const char* const from = static_cast<const char*>(src) + at;
    if (!start_native(*progress_, [&] { return conduit.put(to, raddr + at, from, n, remote, local); }))
      put_over_am(*engine_, to, raddr + at, from, n, remote);
  });
}

Status Rma::try_put(Rank to, std::uint64_t raddr, const void* src, std::size_t* bytes, Pending& remote) {
  Conduit& conduit = *conduit_;
  AmEngine& engine = *engine_;
  Status status = Status::kNotSupported;
  std::size_t n = 0;
  if (conduit.caps().rma_put) {
    n = first_piece(*bytes, conduit.caps().max_rma);
    status = conduit.put(to, raddr, src, n, remote, &remote);
  }
  if (status == Status::kFatal) fatal("the conduit could not start a remote memory access");
  if (status == Status::kNotSupported) {
    n = first_piece(*bytes, engine.max_medium());
    status = try_put_over_am(engine, to, raddr, src, n, remote);
  }
  if (status == Status::kNoResource) return status;
  UPCR_LOG(log_rma, kTrace, "put of %zu bytes to rank %u at %#llx", n, to,
           static_cast<unsigned long long>(raddr));
  *bytes = n;
  return status;
}

void Rma::get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) {
  if (bytes == 0) return;
  UPCR_LOG(log_rma, kTrace, "get of %zu bytes from rank %u at %#llx", bytes, from,
           static_cast<unsigned long long>(raddr));
  if (from == rank_) return atomic_copy(dst, reinterpret_cast<const void*>(raddr), bytes);
  Conduit& conduit = *conduit_;
  if (!conduit.caps().rma_get) return get_over_am(*engine_, from, dst, raddr, bytes, done);
  in_pieces(conduit, from, bytes, conduit.caps().max_rma, [&](std::size_t at, std::size_t n) {
    char* const to = static_cast<char*>(dst) + at;
    if (!start_native(*progress_, [&] { return conduit.get(from, to, raddr + at, n, done); }))
      get_over_am(*engine_, from, to, raddr + at, n, done);
  });
}

void Rma::fill(Rank to, std::uint64_t raddr, unsigned char byte, std::size_t bytes, Pending& done) {
  if (to == rank_)
    std::memset(reinterpret_cast<void*>(raddr), byte, bytes);
  else
    fill_over_am(*engine_, to, raddr, byte, bytes, done);
}

}  // namespace upcr
