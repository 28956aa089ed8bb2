// SPDX-License-Identifier: BSD-3-Clause
// Remote access by the devices: RDMA writes and reads, atomics.
//
// The memory on this side is in a segment, which the devices know; or it is private: then small transfers go
// through a bounce buffer, and the memory of large ones is registered. Puts that are short enough are sent
// inline. Large transfers are distributed over several connections, where the peer has rails (rails/).
//
// Threads: under the lock of the peer's send path; open() and close() on the main thread.
#pragma once
#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/core/transport/conduit.hpp"
#include "conduits/net/ibv/endpoint/link_table.hpp"
#include "conduits/net/ibv/endpoint/post_parts.hpp"
#include "conduits/net/ibv/memory/buffer_pool.hpp"
#include "conduits/net/ibv/memory/memory.hpp"
#include "conduits/net/ibv/sending/send_path.hpp"

namespace upcr::ibv {

// Bounce buffers: small ones, which the send paths have parts of, and those of UPCR_IBV_BOUNCE bytes.
inline constexpr unsigned kSmallBounces = 1024, kLargeBounces = 64;
inline constexpr std::size_t kSmallBounceBytes = 256;
// siw answers reads of up to 24 bytes in a way of their own (MAX_HDR_INLINE). A read that flushes is longer.
inline constexpr std::size_t kShortRead = 64;
static_assert(kFlushBytes > kShortRead && kFlushBytes <= kSmallBounceBytes);
// Of a put that waits for the next one of its batch: copying more takes longer than a doorbell.
inline constexpr std::size_t kMostCopiedInBatch = 1024;

class RemoteAccess {
 public:
  RemoteAccess(LinkTable& links, Memory& memory) noexcept : links_(links), memory_(memory) {}
  // `multithreaded`: several threads call at once, under the locks of different send paths.
  void open(std::span<Device* const> devices, const Agreement& agreement, bool multithreaded);
  void close() noexcept;

  // Bytes of a put that are copied at once: Caps::max_inline.
  std::size_t max_copied() const noexcept { return large_bounces_.buffer_bytes(); }
  // Must this access, of an aligned word that has to arrive in one piece, be a message? Of sizes that some
  // device of the job may tear. Any thread.
  bool by_message(std::uint64_t raddr, std::size_t bytes) const noexcept {
    if (!shorts_by_message_ || bytes > 8) return false;
    const bool is_word = bytes == 2 || (words_by_message_ && (bytes == 4 || bytes == 8));
    return is_word && raddr % bytes == 0;
  }
  // Might this read return wrong bytes? siw's short ones do (Linux 6.1, siw_try_1seg()): of one that crosses
  // a page it takes the part behind the page's end for the part before it; and while a thread of the target
  // returns from a post (`in_syscall`), a kernel thread may answer, which then reads the address in whatever
  // process has run before it. Any thread.
  bool is_misread(std::size_t bytes) const noexcept { return siw_ && bytes <= kShortRead; }

  // As the functions of Conduit; not if by_message() or, of a get, is_misread().
  Status put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
             Pending* local);
  Status get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done);
  Status amo64(Rank at, std::uint64_t raddr, AtomOp op, std::uint64_t a, std::uint64_t b, std::uint64_t* old,
               Pending& done);

  // Is this transfer one that rails may carry, and are they to be asked for? request_rails() does that, under
  // the conduit's lock as well.
  bool is_large(std::size_t bytes) const noexcept { return links_.rails().is_large(bytes); }  // any thread
  bool lacks_rails(Rank peer) const noexcept;
  void request_rails(Rank peer);

  // A put, get or atomic is complete. The operation itself stays the caller's.
  void complete(Operation& op);
  // iWARP: a read that flushes is complete, and so are the writes before it. ended(write) for each.
  template <typename Ended>
  void flushed(Link& link, Ended&& ended) {
    if (!link.flush.flushed([&](Operation* write) { ended(*write); })) return;
    ibv_sge piece;
    ibv_send_wr read;
    prepare_flush(link, &read, &piece);
    link.path->post(link, read);
  }

 private:
  struct Target {
    Link* link;
    std::uint64_t address;
    std::uint32_t key;
  };
  Status resolve_remote(Rank rank, std::uint64_t raddr, std::size_t bytes, Target* target);
  // A bounce buffer as this side's memory of a transfer, if there is one; null: all are in use. Copying out
  // of or into a large one takes longer than a lock, and all paths share them.
  char* acquire_bounce(const Link& link, std::size_t bytes, ibv_sge* piece) noexcept;
  void release_bounce(const Link& link, std::size_t bytes, char* buffer) noexcept;
  // A new operation on `piece`, through the bounce buffer `buffer` (null: none), which counts in `done`.
  Operation* begin(const Target& target, OperationKind kind, const ibv_sge& piece, char* buffer,
                   Pending& done) noexcept;
  // `in_run`: another operation will follow. `in_batch`: and may be posted together with it.
  void post_write(Link& link, ibv_send_wr& write, Operation* op, bool in_run, bool in_batch);
  // May an operation in a batch wait for the next one? One that takes a while to be prepared is not to delay
  // those before it.
  bool is_batched(const Link& link, std::size_t copied, const Registration* registration) const noexcept {
    return link.path->is_batched(link) && copied <= kMostCopiedInBatch && registration == nullptr;
  }
  void prepare_flush(Link& link, ibv_send_wr* read, ibv_sge* piece) noexcept;

  // -- large_access.cpp
  std::span<Part> prepare_parts(Link& first, RailSet& rails, std::uint64_t raddr, const void* at,
                                std::size_t bytes, Use use, Part (&parts)[kMaxPorts]);
  Status move_in_parts(OperationKind kind, Rank peer, std::uint64_t raddr, const void* at, std::size_t bytes,
                       Pending& done, Pending* local);

  LinkTable& links_;
  Memory& memory_;
  BufferPool small_bounces_, large_bounces_;
  SpinLock large_lock_;  // of large_bounces_
  bool multithreaded_ = false;
  char* flush_sink_ = nullptr;  // a small bounce buffer, the destination of the reads that flush
  bool words_by_message_ = false, shorts_by_message_ = false, siw_ = false;
};

}  // namespace upcr::ibv
