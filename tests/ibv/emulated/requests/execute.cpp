// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/requests/execute.hpp"

#include <atomic>
#include <cstring>

#include "tests/ibv/emulated/fabric/processes.hpp"
#include "tests/ibv/emulated/fabric/settings.hpp"
#include "tests/ibv/emulated/objects/receive_ring.hpp"
#include "tests/ibv/emulated/objects/regions.hpp"
#include "tests/ibv/emulated/requests/deliver.hpp"

namespace emulated {
namespace {

constexpr std::uint64_t kWord = 8;  // bytes of an atomic

unsigned remote_access_of(const Request& request) {
  if (request.is_write()) return IBV_ACCESS_REMOTE_WRITE;
  return request.opcode == IBV_WR_RDMA_READ ? IBV_ACCESS_REMOTE_READ : IBV_ACCESS_REMOTE_ATOMIC;
}

std::uint64_t changed(const Request& request, std::uint64_t before) {
  if (request.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) return before + request.compare_add;
  return before == request.compare_add ? request.swap : before;
}

// Atomic with regard to other requests. Also to processors, if the memory is that of this process.
Copied change_word(Fabric& fabric, std::uint16_t process, const Request& request, iovec word,
                   std::uint64_t* before) {
  const iovec old{before, kWord};
  Copied copied = read_from(fabric, process, {&old, 1}, {&word, 1});
  if (copied != Copied::kAll) return copied;
  if (process == fabric.process()) {
    const std::atomic_ref<std::uint64_t> here(*static_cast<std::uint64_t*>(word.iov_base));
    while (!here.compare_exchange_weak(*before, changed(request, *before))) {
    }
    return copied;
  }
  std::uint64_t after = changed(request, *before);
  const iovec from{&after, kWord};
  return after == *before ? copied : write_to(fabric, process, {&from, 1}, {&word, 1});
}

// Reads, writes and atomics.
Outcome access_memory(Fabric& fabric, const QueuePair& from, const Request& request, const Responder& to,
                      std::span<const iovec> own) {
  const unsigned access = remote_access_of(request);
  const bool atomic = request.is_atomic();
  if ((to.qp->attr.qp_access_flags & access) == 0) return refuse(fabric, to.qp, IBV_WC_REM_INV_REQ_ERR);
  if (!request.is_write()) {
    if (from.attr.max_rd_atomic == 0) return {Answer::kDone, IBV_WC_LOC_QP_OP_ERR};
    if (to.qp->attr.max_dest_rd_atomic == 0) return refuse(fabric, to.qp, IBV_WC_REM_INV_REQ_ERR);
  }
  if (atomic && request.address % kWord != 0) return refuse(fabric, to.qp, IBV_WC_REM_INV_REQ_ERR);
  iovec there{};
  if (request.bytes != 0 &&
      find_remote(fabric, to.pd, request.key, request.address, request.bytes, access, &there) == nullptr)
    return refuse(fabric, to.qp, IBV_WC_REM_ACCESS_ERR);
  if (request.opcode == IBV_WR_RDMA_WRITE_WITH_IMM && front(fabric, to.receives()) == nullptr)
    return not_ready(fabric, to);
  Copied copied = Copied::kAll;
  if (request.bytes == 0) {
    if (!is_alive(fabric, to.process)) copied = Copied::kDead;
  } else if (request.is_write()) {
    copied = write_to(fabric, to.process, own, {&there, 1});
  } else if (!atomic) {
    copied = read_from(fabric, to.process, own, {&there, 1});
  } else {
    std::uint64_t before = 0;
    copied = change_word(fabric, to.process, request, there, &before);
    const iovec result{&before, kWord};
    if (copied == Copied::kAll && write_to(fabric, fabric.process(), {&result, 1}, own) != Copied::kAll)
      copied = Copied::kOwnFault;
  }
  if (copied != Copied::kAll)
    return not_copied(fabric, to, copied == Copied::kDead, copied == Copied::kOwnFault);
  if (request.opcode == IBV_WR_RDMA_WRITE_WITH_IMM) return deliver(fabric, to, from, request, {});
  return {};
}

}  // namespace

bool find_own_memory(Fabric& fabric, const QueuePair& from, const Request& request, unsigned access,
                     std::vector<iovec>* memory) {
  if (request.has_inline) {
    if (request.bytes != 0)
      memory->push_back({const_cast<char*>(request.inline_data.data()), request.inline_data.size()});
    return true;
  }
  for (const ibv_sge& piece : request.pieces)
    if (piece.length != 0 && find_local(fabric, from.pd, piece, access, &memory->emplace_back()) == nullptr)
      return false;
  return true;
}

Outcome execute(Fabric& fabric, QueuePair& from, const Request& request) {
  if (request.bytes > settings().max_message) return {Answer::kDone, IBV_WC_LOC_LEN_ERR};
  if (request.is_atomic() && request.bytes != kWord) return {Answer::kDone, IBV_WC_LOC_LEN_ERR};
  const bool fetches = !request.is_send() && !request.is_write();
  std::vector<iovec> own;
  if (!find_own_memory(fabric, from, request, fetches ? IBV_ACCESS_LOCAL_WRITE : 0, &own))
    return {Answer::kDone, IBV_WC_LOC_PROT_ERR};
  QueuePair* peer = find_peer(fabric, from);
  if (peer == nullptr) return {Answer::kNone};
  Responder to;
  if (!find_responder(fabric, *peer, request, &to)) return refuse(fabric, peer, IBV_WC_REM_INV_REQ_ERR);
  if (request.is_send()) return deliver(fabric, to, from, request, own);
  return access_memory(fabric, from, request, to, own);
}

}  // namespace emulated
