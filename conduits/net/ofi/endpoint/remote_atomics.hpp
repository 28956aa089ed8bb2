// SPDX-License-Identifier: BSD-3-Clause
// Atomic operations by the provider (fi_atomic), where they are coherent with those of the processors at the
// target: the other processes of the target's host, and messages, update the same words. Libfabric does not
// promise that (fi_atomic(3), "Concurrency"); has_coherent_atomics() knows the providers that keep it. An
// operation that the provider lacks is a message.
//
// The old value is always fetched: then the completion means that the operation has been executed.
//
// Threads: under the conduit's lock; open() and close() on the main thread.
#pragma once
#include <rdma/fi_atomic.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "conduits/core/model/atomic_op.hpp"
#include "conduits/net/ofi/endpoint/remote_access.hpp"

namespace upcr::ofi {

class RemoteAtomics {
 public:
  // `access` is open. False: all atomic operations are messages.
  bool open(Network& network, const RemoteAccess& access);
  void close();

  // As Conduit::amo64().
  Status start(Rank at, std::uint64_t raddr, AtomOp op, std::uint64_t a, std::uint64_t b, std::uint64_t* old,
               Pending& done);
  // The operation has completed.
  void complete(Operation& operation) noexcept;
  bool idle() const noexcept { return free_.size() == operations_.size(); }

 private:
  static constexpr std::uint32_t kOperations = 64;  // in progress at once

  // What the provider reads and writes during an operation.
  struct Operands {
    std::uint64_t operand, compare, result;
  };

  Network* network_ = nullptr;
  const RemoteAccess* access_ = nullptr;
  Registration registration_;
  std::vector<Operation> operations_;
  std::vector<Operands> operands_;          // of each operation
  std::vector<std::uint64_t*> old_values_;  // of each operation: where the old value goes, or null
  std::vector<std::uint32_t> free_;
};

// Libfabric's name of an operation; false: it has none.
bool provider_operation(AtomOp op, fi_op* name) noexcept;

}  // namespace upcr::ofi
