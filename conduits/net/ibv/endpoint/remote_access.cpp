// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/endpoint/remote_access.hpp"

#include <algorithm>
#include "conduits/core/base/config/config.hpp"
#include "conduits/core/rma/rma.hpp"
#include "conduits/net/ibv/queues/identifier.hpp"

namespace upcr::ibv {
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

// Is a put one of a run? Who waits for the Pending of several operations waits for all of them, so the first
// ones may complete with later ones. A few are signalled all the same: as many as one completion in their
// place would cost.
bool is_in_run(const Pending& done) {
  constexpr std::uint32_t kFew = 4;
  return done.n.load(std::memory_order_relaxed) >= kFew;
}

}  // namespace

void RemoteAccess::open(std::span<Device* const> devices, const Agreement& agreement, bool multithreaded) {
  const unsigned paths = agreement.depths.paths;
  multithreaded_ = multithreaded;
  words_by_message_ = agreement.words_by_message;
  shorts_by_message_ = agreement.shorts_by_message;
  siw_ = agreement.siw;
  small_bounces_.open(devices, kSmallBounceBytes, kSmallBounces / paths, "small transfers", paths);
  const std::size_t large = std::max<std::size_t>(config_size("UPCR_IBV_BOUNCE"), kSmallBounceBytes);
  large_bounces_.open(devices, large, kLargeBounces, "transfers (UPCR_IBV_BOUNCE)");
  flush_sink_ = small_bounces_.acquire();
}

void RemoteAccess::close() noexcept {
  small_bounces_.close();
  large_bounces_.close();
}

// Finds link and key. kOk: there is room for one more work request.
Status RemoteAccess::resolve_remote(Rank rank, std::uint64_t raddr, std::size_t bytes, Target* target) {
  Link* link = links_.find(rank);
  if (link == nullptr) return links_.connect(rank);
  bool inside = false;
  const std::uint32_t key = memory_.remote_key(rank, raddr, bytes, link->connection.remote_device, &inside);
  if (!inside) return Status::kNotSupported;
  if (!link->path->has_room(*link) || link->leaving != Leaving::kNo) return Status::kNoResource;
  *target = {link, raddr, key};
  return Status::kOk;
}

char* RemoteAccess::acquire_bounce(const Link& link, std::size_t bytes, ibv_sge* piece) noexcept {
  const bool small = bytes <= kSmallBounceBytes;
  BufferPool& pool = small ? small_bounces_ : large_bounces_;
  char* buffer;
  if (small) {
    buffer = pool.acquire(link.path->index());
  } else {
    const auto guard = lock_if(large_lock_, multithreaded_);
    buffer = pool.acquire();
  }
  if (buffer != nullptr) *piece = piece_of(buffer, bytes, pool.key(link.queues->device()));
  return buffer;
}

void RemoteAccess::release_bounce(const Link& link, std::size_t bytes, char* buffer) noexcept {
  if (bytes <= kSmallBounceBytes) return small_bounces_.release(buffer, link.path->index());
  const auto guard = lock_if(large_lock_, multithreaded_);
  large_bounces_.release(buffer);
}

Operation* RemoteAccess::begin(const Target& target, OperationKind kind, const ibv_sge& piece, char* buffer,
                               Pending& done) noexcept {
  Operation* op = target.link->path->begin(*target.link, kind);
  op->done = &done;
  op->buffer = buffer;
  op->bytes = piece.length;
  done.add();
  return op;
}

Status RemoteAccess::put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
                         Pending* local) {
  if (local != nullptr && links_.rails().is_large(bytes)) {
    const Status status = move_in_parts(OperationKind::kPut, to, raddr, src, bytes, remote, local);
    if (status != Status::kNotSupported) return status;
  }
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
    buffer = acquire_bounce(*target.link, bytes, &piece);
    if (buffer == nullptr) return Status::kNoResource;
    atomic_copy(buffer, src, bytes);
    local = nullptr;
  } else {
    // Messages copy it if the source is to be reusable on return (core cuts such puts into pieces of
    // caps().max_inline), or cannot be registered.
    registration = local != nullptr ? memory_.pin(device, src, bytes, Use::kSource) : nullptr;
    if (registration == nullptr) return Status::kNotSupported;
    piece.lkey = registration->key;
  }
  const bool in_run = is_in_run(remote);
  Operation* op = begin(target, OperationKind::kPut, piece, buffer, remote);
  op->registration = registration;
  op->local = local;
  if (local != nullptr) local->add();
  const std::size_t copied = buffer != nullptr ? bytes : 0;
  write.wr.rdma.remote_addr = target.address;
  write.wr.rdma.rkey = target.key;
  post_write(*target.link, write, op, in_run, is_batched(*target.link, copied, registration));
  return Status::kInProgress;
}

void RemoteAccess::post_write(Link& link, ibv_send_wr& write, Operation* op, bool in_run, bool in_batch) {
  SendPath& sends = *link.path;
  if (!sends.iwarp()) {
    if (in_batch) return sends.post_in_batch(link, write, op);
    return in_run ? sends.post_in_run(link, write, op) : sends.post_signalled(link, write, op);
  }
  // It is unsignalled: that of a read behind it is its completion, unless it fails.
  sends.count(link, op, false);
  write.wr_id = identifier(op);
  ibv_sge piece;
  ibv_send_wr read;
  if (link.flush.written(op)) {
    prepare_flush(link, &read, &piece);
    write.next = &read;
  } else if (in_batch && sends.can_keep(link, write)) {
    return sends.keep(link, write);
  }
  sends.post(link, write);
}

// The read whose completion says that all writes before it are in place. It has room of its own in the
// queues.
void RemoteAccess::prepare_flush(Link& link, ibv_send_wr* read, ibv_sge* piece) noexcept {
  Operation& op = link.flush_read;
  op.link = &link;
  op.kind = OperationKind::kFlush;
  op.number = link.queue.last();
  *piece = piece_of(flush_sink_, kFlushBytes, small_bounces_.key(link.queues->device()));
  *read = request_for(IBV_WR_RDMA_READ, piece);
  read->wr_id = identifier(&op);
  read->send_flags = IBV_SEND_SIGNALED;
  read->wr.rdma.remote_addr = link.flush_address;
  read->wr.rdma.rkey = link.flush_key;
}

Status RemoteAccess::get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) {
  if (links_.rails().is_large(bytes)) {
    const Status status = move_in_parts(OperationKind::kGet, from, raddr, dst, bytes, done, nullptr);
    if (status != Status::kNotSupported) return status;
  }
  Target target;
  const Status status = resolve_remote(from, raddr, bytes, &target);
  if (status != Status::kOk) return status;
  const Device& device = target.link->queues->device();
  ibv_sge piece = piece_of(dst, bytes, 0);
  char* buffer = nullptr;
  Registration* registration = nullptr;
  // A word always through a bounce buffer: the copy out of it is one access.
  if (bytes > sizeof(std::uint64_t) && memory_.segment_key(device, dst, bytes, &piece.lkey)) {
  } else if (bytes <= large_bounces_.buffer_bytes()) {
    buffer = acquire_bounce(*target.link, bytes, &piece);
    if (buffer == nullptr) return Status::kNoResource;
  } else {
    registration = memory_.pin(device, dst, bytes, Use::kSink);
    if (registration == nullptr) return Status::kNotSupported;
    piece.lkey = registration->key;
  }
  Operation* op = begin(target, OperationKind::kGet, piece, buffer, done);
  op->registration = registration;
  op->destination = dst;
  ibv_send_wr read = request_for(IBV_WR_RDMA_READ, &piece);
  read.wr.rdma.remote_addr = target.address;
  read.wr.rdma.rkey = target.key;
  SendPath& sends = *target.link->path;
  if (!sends.iwarp() && is_batched(*target.link, 0, registration))
    sends.post_in_batch(*target.link, read, op);
  else
    sends.post_signalled(*target.link, read, op);
  return Status::kInProgress;
}

Status RemoteAccess::amo64(Rank at, std::uint64_t raddr, AtomOp op, std::uint64_t a, std::uint64_t b,
                           std::uint64_t* old, Pending& done) {
  if (op != AtomOp::kAdd && op != AtomOp::kCas) return Status::kNotSupported;
  Target target;
  const Status status = resolve_remote(at, raddr, sizeof a, &target);
  if (status != Status::kOk) return status;
  ibv_sge piece;
  char* buffer = acquire_bounce(*target.link, sizeof a, &piece);
  if (buffer == nullptr) return Status::kNoResource;
  Operation* operation = begin(target, OperationKind::kAtomic, piece, buffer, done);
  operation->destination = old;
  ibv_send_wr request =
      request_for(op == AtomOp::kAdd ? IBV_WR_ATOMIC_FETCH_AND_ADD : IBV_WR_ATOMIC_CMP_AND_SWP, &piece);
  request.wr.atomic.remote_addr = target.address;
  request.wr.atomic.rkey = target.key;
  request.wr.atomic.compare_add = a;
  request.wr.atomic.swap = b;
  target.link->path->post_signalled(*target.link, request, operation);
  return Status::kInProgress;
}

void RemoteAccess::complete(Operation& op) {
  note_complete(op);
  if (op.buffer != nullptr) {
    if (op.destination != nullptr) atomic_copy(op.destination, op.buffer, op.bytes);
    release_bounce(*op.link, op.bytes, op.buffer);
  }
  if (op.registration != nullptr) memory_.unpin(op.registration);
  if (op.local != nullptr) op.local->complete();
  op.done->complete();
}

}  // namespace upcr::ibv
