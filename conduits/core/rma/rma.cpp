// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/rma/rma.hpp"

#include <algorithm>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/core/job/job.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/rma/rma_over_am.hpp"

namespace upcr {
namespace {

LogComponent log_rma("rma");

// True when the conduit took it (complete or started); false: it does not do this at all.
template <typename Start>
bool native(Start&& start) {
  for (;;) {
    switch (start()) {
      case Status::kOk:
      case Status::kInProgress:
        return true;
      case Status::kNotSupported:
        return false;
      case Status::kNoResource:
        if (make_progress() == 0) cpu_relax_or_yield();
        break;
      case Status::kFatal:
        fatal("the conduit could not start a remote memory access");
    }
  }
}

// How many of `bytes` go in one piece of at most `most`: whole cache lines where there is room for them. An
// aligned word is one piece, whatever the limit.
std::size_t first_piece(std::size_t bytes, std::size_t most) noexcept {
  constexpr std::size_t kLine = 64, kWord = sizeof(std::uint64_t);
  if (bytes <= kWord) most = kWord;
  if (bytes > most && most > kLine) most -= most % kLine;
  return std::min(bytes, most);
}

// Calls piece(offset, bytes) for pieces of at most `limit` bytes.
template <typename Piece>
void in_pieces(std::size_t bytes, std::size_t limit, Piece&& piece) {
  const std::size_t most = first_piece(bytes, limit);
  for (std::size_t at = 0; at < bytes; at += most) piece(at, std::min(most, bytes - at));
}

// The longest put that the conduit does as one operation.
std::size_t max_put(const Caps& caps, bool reuse_source) noexcept {
  return reuse_source && caps.max_inline != 0 ? std::min(caps.max_inline, caps.max_rma) : caps.max_rma;
}

}  // namespace

std::uint64_t amo64_here(void* address, AmoOp op, std::uint64_t a, std::uint64_t b) noexcept {
  auto* word = static_cast<std::uint64_t*>(address);
  switch (op) {
    case AmoOp::kGet:
      return __atomic_load_n(word, __ATOMIC_SEQ_CST);
    case AmoOp::kSet:
    case AmoOp::kSwap:
      return __atomic_exchange_n(word, a, __ATOMIC_SEQ_CST);
    case AmoOp::kCas:
      __atomic_compare_exchange_n(word, &a, b, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
      return a;  // what was there: the expected value when it succeeded
    case AmoOp::kAdd:
      return __atomic_fetch_add(word, a, __ATOMIC_SEQ_CST);
    case AmoOp::kAnd:
      return __atomic_fetch_and(word, a, __ATOMIC_SEQ_CST);
    case AmoOp::kOr:
      return __atomic_fetch_or(word, a, __ATOMIC_SEQ_CST);
    case AmoOp::kXor:
      return __atomic_fetch_xor(word, a, __ATOMIC_SEQ_CST);
  }
  return 0;
}

void rma_put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
             Pending* local) {
  if (bytes == 0) return;
  UPCR_LOG(log_rma, kTrace, "put of %zu bytes to rank %u at %#llx", bytes, to,
           static_cast<unsigned long long>(raddr));
  if (to == job().topology.rank) return atomic_copy(reinterpret_cast<void*>(raddr), src, bytes);
  Conduit& conduit = *job().conduit;
  if (!conduit.caps().rma_put) return put_over_am(*job().engine, to, raddr, src, bytes, remote);
  in_pieces(bytes, max_put(conduit.caps(), local == nullptr), [&](std::size_t at, std::size_t n) {
    const char* const from = static_cast<const char*>(src) + at;
    if (!native([&] { return conduit.put(to, raddr + at, from, n, remote, local); }))
      put_over_am(*job().engine, to, raddr + at, from, n, remote);
  });
}

Status rma_try_put(Rank to, std::uint64_t raddr, const void* src, std::size_t* bytes, Pending& remote) {
  Conduit& conduit = *job().conduit;
  AmEngine& engine = *job().engine;
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

void rma_get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) {
  if (bytes == 0) return;
  UPCR_LOG(log_rma, kTrace, "get of %zu bytes from rank %u at %#llx", bytes, from,
           static_cast<unsigned long long>(raddr));
  if (from == job().topology.rank) return atomic_copy(dst, reinterpret_cast<const void*>(raddr), bytes);
  Conduit& conduit = *job().conduit;
  if (!conduit.caps().rma_get) return get_over_am(*job().engine, from, dst, raddr, bytes, done);
  in_pieces(bytes, conduit.caps().max_rma, [&](std::size_t at, std::size_t n) {
    char* const to = static_cast<char*>(dst) + at;
    if (!native([&] { return conduit.get(from, to, raddr + at, n, done); }))
      get_over_am(*job().engine, from, to, raddr + at, n, done);
  });
}

void rma_fill(Rank to, std::uint64_t raddr, unsigned char byte, std::size_t bytes, Pending& done) {
  if (to == job().topology.rank)
    std::memset(reinterpret_cast<void*>(raddr), byte, bytes);
  else
    fill_over_am(*job().engine, to, raddr, byte, bytes, done);
}

void rma_amo64(Rank at, std::uint64_t raddr, AmoOp op, std::uint64_t a, std::uint64_t b, std::uint64_t* old,
               Pending& done) {
  // Local and remote operations on one word must not miss each other: the network's atomics only where they
  // are coherent with the CPU's, which caps().amo64 promises. So a network may leave some operations to
  // messages, and those to neighbours are the CPU's anyway.
  if (at == job().topology.rank) {
    const std::uint64_t before = amo64_here(reinterpret_cast<void*>(raddr), op, a, b);
    if (old != nullptr) *old = before;
    return;
  }
  Conduit& conduit = *job().conduit;
  if (conduit.caps().amo64 && native([&] { return conduit.amo64(at, raddr, op, a, b, old, done); })) return;
  amo_over_am(*job().engine, at, raddr, op, a, b, old, done);
}

}  // namespace upcr
