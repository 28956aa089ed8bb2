// SPDX-License-Identifier: BSD-3-Clause
// A batch of puts and gets, as Conduit::begin_batch() says, from construction to destruction.
#pragma once
#include "conduits/core/transport/conduit.hpp"

namespace upcr {

class TransferBatch {
 public:
  TransferBatch(Conduit& conduit, Rank peer) : conduit_(conduit), peer_(peer) { conduit_.begin_batch(peer_); }
  ~TransferBatch() { conduit_.end_batch(peer_); }
  TransferBatch(const TransferBatch&) = delete;
  TransferBatch& operator=(const TransferBatch&) = delete;

 private:
  Conduit& conduit_;
  const Rank peer_;
};

}  // namespace upcr
