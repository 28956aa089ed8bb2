// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/endpoint/completion_error.hpp"

#include <cstdio>

#include "conduits/core/base/config/config.hpp"
#include "conduits/net/ibv/queues/device_queues.hpp"
#include "conduits/net/ibv/queues/identifier.hpp"

namespace upcr::ibv {
namespace {

const char* name_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::kMessage:
      return "a message";
    case OperationKind::kPut:
      return "a put";
    case OperationKind::kGet:
      return "a get";
    case OperationKind::kAtomic:
      return "an atomic operation";
    case OperationKind::kFlush:
      return "the read that completes puts";
    case OperationKind::kSignal:
      return "the empty write that completes puts";
    case OperationKind::kHello:
      return "the first packet";
  }
  return "an operation";
}

[[gnu::cold]] std::string meaning_of(ibv_wc_status status) {
  switch (status) {
    case IBV_WC_RETRY_EXC_ERR:
    case IBV_WC_RESP_TIMEOUT_ERR:
      return "nothing has acknowledged it for UPCR_IBV_TIMEOUT=" +
             std::to_string(config_int("UPCR_IBV_TIMEOUT")) +
             " seconds: the process or the host there has gone, or the network on the way loses everything; "
             "a network that pauses for longer needs a larger UPCR_IBV_TIMEOUT";
    case IBV_WC_RNR_RETRY_EXC_ERR:
      return "it has no receive buffer, which should not be; are all processes the same upcr?";
    case IBV_WC_WR_FLUSH_ERR:
      return "the connection is broken; its process has ended, or an earlier error says why";
    case IBV_WC_REM_ACCESS_ERR:
    case IBV_WC_REM_INV_REQ_ERR:
    case IBV_WC_REM_OP_ERR:
    case IBV_WC_REM_INV_RD_REQ_ERR:
    case IBV_WC_REM_ABORT_ERR:
      return "the device there refuses it: memory that is not registered, or less than was asked for";
    case IBV_WC_LOC_LEN_ERR:
    case IBV_WC_LOC_PROT_ERR:
    case IBV_WC_LOC_ACCESS_ERR:
      return "the device here refuses it: memory that is not registered or has been unmapped, or too much of "
             "it";
    case IBV_WC_LOC_QP_OP_ERR:
      return "the device here cannot do it: its port has lost its link, or memory is not registered or has "
             "been unmapped";
    case IBV_WC_FATAL_ERR:
    case IBV_WC_GENERAL_ERR:
      return "the device or its driver has failed; the kernel's log may say more";
    default:
      return "the kernel's log may say more";
  }
}

}  // namespace

std::string describe_failure(const ibv_wc& completion, const Link& link, const Operation* op,
                             const std::string& peer) {
  char what[64] = "a message";
  if (op != nullptr && op->bytes != 0)
    std::snprintf(what, sizeof what, "%s of %u bytes", name_of(op->kind), op->bytes);
  else if (op != nullptr)
    std::snprintf(what, sizeof what, "%s", name_of(op->kind));
  const bool incoming =
      op != nullptr ? op->kind == OperationKind::kGet : tag_of(completion.wr_id) == WorkRequestTag::kReceive;
  const char* const shared =
      link.connection.shared ? ", by the queue pair for all processes of its host," : "";
  return std::string(what) + (incoming ? " from " : " to ") + peer + shared + " failed on " +
         link.queues->device().name() + ": " + ibv_wc_status_str(completion.status) + " (status " +
         std::to_string(static_cast<int>(completion.status)) + "): " + meaning_of(completion.status);
}

}  // namespace upcr::ibv
