// SPDX-License-Identifier: BSD-3-Clause
// Flow control with one peer, and for each request that is not acknowledged what its sender completes when it
// is: so one count gives credits back (core/transport/credited/credits.hpp) and completes puts. wire.hpp says
// which packets need a credit. No MPI here.
//
// Threads: under the conduit's lock.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/model/completion.hpp"
#include "conduits/core/transport/credited/credits.hpp"

namespace upcr::mpi {

// The operations that the sender of a request completes.
struct Outstanding {
  Pending* pending;     // of a put: completed by its acknowledgement; of a get: by its reply
  void* destination;    // of a get; null: no get
  std::uint32_t bytes;  // of a get
};
static_assert(sizeof(Outstanding) == 24);

class PeerFlowControl : public Credits {
 public:
  // `outstanding`: `limit` entries of the caller's. `limit` is a power of two.
  void open(Outstanding* outstanding, unsigned limit) noexcept {
    outstanding_ = outstanding;
    Credits::open(limit);
  }

  // Uses one credit. Returns the request's number.
  std::uint16_t use() noexcept { return use(nullptr, nullptr, 0); }
  std::uint16_t use(Pending* pending, void* destination, std::uint32_t bytes) noexcept {
    const std::uint16_t number = Credits::use();
    entry(number) = {pending, destination, bytes};
    return number;
  }
  // The peer's count has arrived. False: it is impossible, it exceeds what was sent.
  bool on_ack(std::uint16_t count) noexcept {
    return Credits::on_ack(count, [this](std::uint16_t number) {
      const Outstanding& o = entry(number);
      if (o.destination == nullptr && o.pending != nullptr) o.pending->complete();
    });
  }
  // The get of this number if it is outstanding, else null. To be called before the acknowledgement in the
  // header of its reply is applied.
  const Outstanding* outstanding_get(std::uint32_t number) const noexcept {
    if (number > UINT16_MAX || !is_outstanding(static_cast<std::uint16_t>(number))) return nullptr;
    const Outstanding& o = outstanding_[number % limit()];
    return o.destination != nullptr ? &o : nullptr;
  }

 private:
  Outstanding& entry(std::uint16_t number) noexcept { return outstanding_[number % limit()]; }

  Outstanding* outstanding_ = nullptr;
};

}  // namespace upcr::mpi
