// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ofi/endpoint/remote_atomics.hpp"

namespace upcr::ofi {

bool provider_operation(AtomOp op, fi_op* name) noexcept {
  switch (op) {
    case AtomOp::kGet:
      *name = FI_ATOMIC_READ;
      return true;
    case AtomOp::kSet:
    case AtomOp::kSwap:
      *name = FI_ATOMIC_WRITE;
      return true;
    case AtomOp::kCas:
      *name = FI_CSWAP;
      return true;
    case AtomOp::kAdd:
      *name = FI_SUM;
      return true;
    case AtomOp::kMult:
      *name = FI_PROD;
      return true;
    case AtomOp::kMin:
      *name = FI_MIN;
      return true;
    case AtomOp::kMax:
      *name = FI_MAX;
      return true;
    case AtomOp::kAnd:
      *name = FI_BAND;
      return true;
    case AtomOp::kOr:
      *name = FI_BOR;
      return true;
    case AtomOp::kXor:
      *name = FI_BXOR;
      return true;
    case AtomOp::kMaskedCas:
    case AtomOp::kMaskedSwap:
      break;
  }
  return false;
}

bool RemoteAtomics::open(Network& network, const RemoteAccess& access) {
  if (!network.has_atomics()) return false;
  network_ = &network;
  access_ = &access;
  operations_.resize(kOperations);
  operands_.resize(kOperations);
  old_values_.resize(kOperations);
  registration_ =
      network.memory().add_local(operands_.data(), kOperations * sizeof(Operands), FI_READ | FI_WRITE);
  for (std::uint32_t i = 0; i < kOperations; ++i) {
    operations_[i].kind = OperationKind::kAtomic;
    operations_[i].buffer = i;
    free_.push_back(i);
  }
  return true;
}

void RemoteAtomics::close() {
  if (network_ != nullptr) network_->memory().remove(registration_);
}

Status RemoteAtomics::start(Rank at, std::uint64_t raddr, AtomOp op, std::uint64_t a, std::uint64_t b,
                            std::uint64_t* old, Pending& done) {
  RemoteAccess::Target target;
  fi_op name;
  if (!provider_operation(op, &name) || !network_->has_atomic(name) ||
      !access_->find_remote(at, raddr, sizeof a, &target))
    return Status::kNotSupported;
  if (free_.empty()) return Status::kNoResource;
  const std::uint32_t index = free_.back();
  Operation& operation = operations_[index];
  Operands& here = operands_[index];
  operation.peer = at;
  operation.done = &done;
  operation.local = nullptr;
  old_values_[index] = old;
  here.operand = op == AtomOp::kCas ? b : a;
  here.compare = a;
  void* const desc = registration_.desc();
  const ssize_t error =
      op == AtomOp::kCas
          ? ::fi_compare_atomic(network_->endpoint(), &here.operand, 1, desc, &here.compare, desc,
                                &here.result, desc, target.process, target.address, target.key, FI_UINT64,
                                name, &operation)
          : ::fi_fetch_atomic(network_->endpoint(), &here.operand, 1, desc, &here.result, desc,
                              target.process, target.address, target.key, FI_UINT64, name, &operation);
  if (error == -FI_EAGAIN) return Status::kNoResource;
  check(error, "an atomic operation of libfabric's");
  free_.pop_back();
  done.add();
  return Status::kInProgress;
}

void RemoteAtomics::complete(Operation& operation) noexcept {
  if (std::uint64_t* const old = old_values_[operation.buffer]; old != nullptr)
    *old = operands_[operation.buffer].result;
  operation.done->complete();
  free_.push_back(operation.buffer);
}

}  // namespace upcr::ofi
