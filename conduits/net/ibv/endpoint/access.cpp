// SPDX-License-Identifier: BSD-3-Clause
// Remote access by the devices: put, get, amo64. Any thread, under the lock.
//
// The memory on this side is one of the own segments, which the device knows; or private: then small data
// goes through a bounce buffer, and large is registered for the while. What is short enough goes with the
// work request.
#include <cstring>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/memory/segment.hpp"
#include "conduits/core/rma/rma.hpp"
#include "conduits/core/wait/doorbells.hpp"
#include "conduits/net/ibv/endpoint/conduit.hpp"
#include "conduits/net/ibv/queues/identifier.hpp"

namespace upcr::ibv {

struct IbvConduit::Target {
  Link* link;
  std::uint64_t address;
  std::uint32_t key;
};

namespace {

ibv_send_wr request_for(ibv_wr_opcode opcode, ibv_sge* piece) {
  ibv_send_wr request;
  request.next = nullptr;
  request.sg_list = piece;
  request.num_sge = 1;
  request.opcode = opcode;
  request.send_flags = 0;
  return request;
}

ibv_sge piece_of(const void* at, std::size_t bytes, std::uint32_t key) {
  return {reinterpret_cast<std::uintptr_t>(at), static_cast<std::uint32_t>(bytes), key};
}

}  // namespace

// A word that has to arrive in one piece, of a size that some device of the job may tear.
bool IbvConduit::by_message(std::uint64_t raddr, std::size_t bytes) const noexcept {
  if (!shorts_by_message_ || bytes > 8) return false;
  const bool is_word = bytes == 2 || (words_by_message_ && (bytes == 4 || bytes == 8));
  return is_word && raddr % bytes == 0;
}

// siw answers a short read that crosses a page with wrong bytes (Linux 6.1: it takes the part behind the
// page's end for the part before it, in siw_try_1seg()).
bool IbvConduit::misread(std::uint64_t raddr, std::size_t bytes) const noexcept {
  constexpr std::uint64_t kPage = 4096, kShort = 64;
  return short_reads_keep_to_pages_ && bytes <= kShort && raddr / kPage != (raddr + bytes - 1) / kPage;
}

// Finds the link and the key, with room for one more work request.
Status IbvConduit::resolve_remote(Rank rank, std::uint64_t raddr, std::size_t bytes, Target* target) {
  Link* link = links_[rank];
  if (link == nullptr) return ask(rank);
  bool inside = false;
  const std::uint32_t key = memory_.remote_key(rank, raddr, bytes, link->connection.remote_device, &inside);
  if (!inside) return Status::kNotSupported;
  if (!has_room(*link)) return Status::kNoResource;
  *target = {link, raddr, key};
  return Status::kOk;
}

Status IbvConduit::put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
                       Pending* local) {
  if (by_message(raddr, bytes)) return Status::kNotSupported;
  const OptionalGuard guard(lock_, multithreaded_);
  Target target;
  const Status status = resolve_remote(to, raddr, bytes, &target);
  if (status != Status::kOk) return status;
  const Device& device = target.link->queues->device();
  ibv_sge piece = piece_of(src, bytes, 0);
  ibv_send_wr write = request_for(IBV_WR_RDMA_WRITE, &piece);
  char* buffer = nullptr;
  Registration* registration = nullptr;
  std::uint64_t word;
  if (bytes <= target.link->connection.max_inline) {
    if (bytes <= sizeof word) {  // read by one access, whatever the library's copy does
      atomic_copy(&word, src, bytes);
      piece.addr = reinterpret_cast<std::uintptr_t>(&word);
    }
    write.send_flags = IBV_SEND_INLINE;
    local = nullptr;
  } else if (local != nullptr && memory_.segment_key(device, src, bytes, &piece.lkey)) {
  } else if (bytes <= large_bounces_.buffer_bytes()) {
    BufferPool& pool = bounces_for(bytes);
    buffer = pool.take();
    if (buffer == nullptr) return Status::kNoResource;
    atomic_copy(buffer, src, bytes);
    piece = piece_of(buffer, bytes, pool.key(device));
    local = nullptr;
  } else {
    // The source is wanted back at once (core cuts such puts into pieces of caps().max_inline), or it cannot
    // be registered: packets copy it.
    registration = local != nullptr ? memory_.pin(device, src, bytes, Use::kSource) : nullptr;
    if (registration == nullptr) return Status::kNotSupported;
    piece.lkey = registration->key;
  }
  Operation* op = operations_.take(target.link, What::kPut);
  op->done = &remote;
  op->local = local;
  op->buffer = buffer;
  op->bytes = piece.length;
  op->registration = registration;
  remote.add();
  if (local != nullptr) local->add();
  post_write(target, write, op);
  return Status::kInProgress;
}

void IbvConduit::post_write(const Target& target, ibv_send_wr& write, Operation* op) {
  Link& link = *target.link;
  write.wr.rdma.remote_addr = target.address;
  write.wr.rdma.rkey = target.key;
  if (!iwarp_) return post_signalled(link, write, op);
  // No completion of its own unless it fails: that of a read behind it.
  note_posted(link, op);
  write.wr_id = identifier(op);
  ibv_sge piece;
  ibv_send_wr read;
  if (link.flush.written(op)) {
    prepare_flush(link, &read, &piece);
    write.next = &read;
  }
  post(link, write);
}

// The read of a word that tells that all writes before it are in place. It has room of its own in the queues.
void IbvConduit::prepare_flush(Link& link, ibv_send_wr* read, ibv_sge* piece) noexcept {
  Operation& op = link.flush_read;
  op.link = &link;
  op.what = What::kFlush;
  op.number = link.queue.last();
  *piece = piece_of(flush_sink_, sizeof(std::uint64_t), small_bounces_.key(link.queues->device()));
  *read = request_for(IBV_WR_RDMA_READ, piece);
  read->wr_id = identifier(&op);
  read->send_flags = IBV_SEND_SIGNALED;
  read->wr.rdma.remote_addr = link.flush_address;
  read->wr.rdma.rkey = link.flush_key;
}

Status IbvConduit::get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) {
  if (by_message(raddr, bytes) || misread(raddr, bytes)) return Status::kNotSupported;
  const OptionalGuard guard(lock_, multithreaded_);
  Target target;
  const Status status = resolve_remote(from, raddr, bytes, &target);
  if (status != Status::kOk) return status;
  const Device& device = target.link->queues->device();
  ibv_sge piece = piece_of(dst, bytes, 0);
  char* buffer = nullptr;
  Registration* registration = nullptr;
  // A word through a bounce buffer in any case: the copy out of it is one access.
  if (bytes > sizeof(std::uint64_t) && memory_.segment_key(device, dst, bytes, &piece.lkey)) {
  } else if (bytes <= large_bounces_.buffer_bytes()) {
    BufferPool& pool = bounces_for(bytes);
    buffer = pool.take();
    if (buffer == nullptr) return Status::kNoResource;
    piece = piece_of(buffer, bytes, pool.key(device));
  } else {
    registration = memory_.pin(device, dst, bytes, Use::kSink);
    if (registration == nullptr) return Status::kNotSupported;
    piece.lkey = registration->key;
  }
  Operation* op = operations_.take(target.link, What::kGet);
  op->done = &done;
  op->buffer = buffer;
  op->destination = dst;
  op->bytes = piece.length;
  op->registration = registration;
  done.add();
  ibv_send_wr read = request_for(IBV_WR_RDMA_READ, &piece);
  read.wr.rdma.remote_addr = target.address;
  read.wr.rdma.rkey = target.key;
  post_signalled(*target.link, read, op);
  return Status::kInProgress;
}

Status IbvConduit::amo64(Rank at, std::uint64_t raddr, AtomOp op, std::uint64_t a, std::uint64_t b,
                         std::uint64_t* old, Pending& done) {
  if (op != AtomOp::kAdd && op != AtomOp::kCas) return Status::kNotSupported;
  const OptionalGuard guard(lock_, multithreaded_);
  Target target;
  const Status status = resolve_remote(at, raddr, sizeof a, &target);
  if (status != Status::kOk) return status;
  char* buffer = small_bounces_.take();
  if (buffer == nullptr) return Status::kNoResource;
  Operation* operation = operations_.take(target.link, What::kAtomic);
  operation->done = &done;
  operation->buffer = buffer;
  operation->destination = old;
  operation->bytes = sizeof a;
  done.add();
  ibv_sge piece = piece_of(buffer, sizeof a, small_bounces_.key(target.link->queues->device()));
  ibv_send_wr request =
      request_for(op == AtomOp::kAdd ? IBV_WR_ATOMIC_FETCH_AND_ADD : IBV_WR_ATOMIC_CMP_AND_SWP, &piece);
  request.wr.atomic.remote_addr = target.address;
  request.wr.atomic.rkey = target.key;
  request.wr.atomic.compare_add = a;
  request.wr.atomic.swap = b;
  post_signalled(*target.link, request, operation);
  return Status::kInProgress;
}

}  // namespace upcr::ibv
