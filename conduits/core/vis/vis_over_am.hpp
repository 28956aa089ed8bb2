// SPDX-License-Identifier: BSD-3-Clause
// Non-contiguous access by active messages: packs, sends, unpacks, packet by packet. Private to core/vis and
// its tests. Not from a handler. Any thread.
//
//   put  kVisPut(pending) + descriptions and data       -> kVisPutAck(pending)
//        (of a long contiguous piece in bulk: the data is read from where it is)
//   get  kVisGet(ticket) + descriptions                 -> kVisGetReply(ticket) + data
//
// All packets are in flight at once; each is complete in itself, so they may arrive in any order, and one is
// unpacked while the next one is packed. If both
// sides are contiguous over a long piece, it is transferred by Rma::put or Rma::get instead, without packing.
#pragma once
#include <memory>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/model/completion.hpp"
#include "conduits/core/vis/wire.hpp"

namespace upcr {

// The transfer of long pieces, without packing.
struct VisDirect {
  std::size_t least = SIZE_MAX;  // bytes from which it is worth it
  void (*put)(void* context, Rank to, std::uint64_t raddr, const void* src, std::size_t bytes,
              Pending& remote, Pending* local) = nullptr;
  void (*get)(void* context, Rank from, void* dst, std::uint64_t raddr, std::size_t bytes,
              Pending& done) = nullptr;
  void* context = nullptr;
};

// Does the caller of a get keep its lists as they are until the get is done, or only until it has begun?
enum class VisLists : bool { kReused, kKept };

// One process's (one engine's) part in serving and issuing accesses. Lives as long as the engine.
class VisService {
 public:
  // Registers the four handlers. `pipelined`: as Caps::pipelined.
  VisService(AmEngine& engine, const AccessGuard& guard, const VisDirect& direct, std::size_t pipelined = 0);
  ~VisService();

  // Sends the next `bytes` bytes of both streams. The source is reusable on return but for pieces that went
  // directly or in bulk, which count in `local` when that is not null. `remote` counts the pending packets
  // and pieces.
  void put(Rank to, VisCursor& remote_side, VisCursor& local_side, std::size_t bytes, Pending& remote,
           Pending* local);
  // Fetches `bytes` bytes of the remote stream to the beginning of `local`, whose lists are copied unless the
  // caller keeps them.
  void get(Rank from, const VisSide& local, VisCursor& remote_side, std::size_t bytes, Pending& done,
           VisLists lists = VisLists::kReused);

  // Gets that are pending or not yet deleted, for tests.
  std::size_t gets() const noexcept { return gets_.load(std::memory_order_relaxed); }

 private:
  struct Get;
  static void on_put(AmToken&, const std::uint32_t*, unsigned, void*, std::size_t, void*);
  static void on_put_ack(AmToken&, const std::uint32_t*, unsigned, void*, std::size_t, void*);
  static void on_get(AmToken&, const std::uint32_t*, unsigned, void*, std::size_t, void*);
  static void on_get_reply(AmToken&, const std::uint32_t*, unsigned, void*, std::size_t, void*);
  bool goes_directly(const VisCursor& a, const VisCursor& b, std::size_t bytes) const noexcept;
  // The bytes of each packet of an access of `bytes` bytes: of some packets the first is unpacked while the
  // next is packed, but many are as few as possible.
  std::size_t packet_size(std::size_t bytes) const noexcept;
  bool goes_in_bulk(const VisCursor& remote_side, const VisCursor& local_side,
                    std::size_t bytes) const noexcept;
  std::size_t put_bulk(Rank to, VisCursor& remote_side, VisCursor& local_side, std::size_t bytes,
                       Pending& remote, Pending& local);
  void put_packet(Rank to, VisCursor& remote_side, VisCursor& local_side, std::size_t size,
                  std::size_t* bytes, Pending& remote);
  void get_packet(Rank from, Get* get, VisCursor& remote_side, VisCursor& local_side, std::size_t size,
                  std::size_t* bytes);
  void release(Get* get) noexcept;
  void clean_up() noexcept;

  AmEngine& engine_;
  const AccessGuard guard_;
  const VisDirect direct_;
  const std::size_t pipelined_;
  const std::unique_ptr<char[]> reply_;  // packed by the handler that runs; one runs at a time
  std::atomic<Get*> finished_{nullptr};  // pushed by handlers, freed by the next caller
  std::atomic<std::size_t> gets_{0};
};

}  // namespace upcr
