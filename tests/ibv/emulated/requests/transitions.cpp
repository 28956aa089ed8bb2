// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/requests/transitions.hpp"

#include <cerrno>
#include <cstdio>

#include "tests/ibv/emulated/fabric/device.hpp"
#include "tests/ibv/emulated/fabric/ports.hpp"
#include "tests/ibv/emulated/fabric/settings.hpp"
#include "tests/ibv/emulated/objects/completion_queues.hpp"
#include "tests/ibv/emulated/objects/queue_pairs.hpp"
#include "tests/ibv/emulated/objects/receive_ring.hpp"
#include "tests/ibv/emulated/objects/retry.hpp"
#include "tests/ibv/emulated/requests/post.hpp"

namespace emulated {
namespace {

struct Transition {
  ibv_qp_type type;
  ibv_qp_state from, to;
  int needed, allowed;
};

constexpr int kPath = IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
constexpr int kResponder = IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
constexpr int kRequester =
    IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC;
constexpr int kFirst = IBV_QP_PKEY_INDEX | IBV_QP_PORT;
constexpr int kAlternative = IBV_QP_ALT_PATH | IBV_QP_PATH_MIG_STATE;
constexpr int kLate = IBV_QP_ACCESS_FLAGS | IBV_QP_CUR_STATE | kAlternative;

constexpr Transition kTransitions[] = {
    {IBV_QPT_RC, IBV_QPS_RESET, IBV_QPS_INIT, kFirst | IBV_QP_ACCESS_FLAGS, 0},
    {IBV_QPT_RC, IBV_QPS_INIT, IBV_QPS_INIT, 0, kFirst | IBV_QP_ACCESS_FLAGS},
    {IBV_QPT_RC, IBV_QPS_INIT, IBV_QPS_RTR, kPath | kResponder,
     IBV_QP_ALT_PATH | IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX},
    {IBV_QPT_RC, IBV_QPS_RTR, IBV_QPS_RTS, kRequester, kLate | IBV_QP_MIN_RNR_TIMER},
    {IBV_QPT_RC, IBV_QPS_RTS, IBV_QPS_RTS, 0, kLate | IBV_QP_MIN_RNR_TIMER},
    {IBV_QPT_UD, IBV_QPS_RESET, IBV_QPS_INIT, kFirst | IBV_QP_QKEY, 0},
    {IBV_QPT_UD, IBV_QPS_INIT, IBV_QPS_INIT, 0, kFirst | IBV_QP_QKEY},
    {IBV_QPT_UD, IBV_QPS_INIT, IBV_QPS_RTR, 0, IBV_QP_PKEY_INDEX | IBV_QP_QKEY},
    {IBV_QPT_UD, IBV_QPS_RTR, IBV_QPS_RTS, IBV_QP_SQ_PSN, IBV_QP_CUR_STATE | IBV_QP_QKEY},
    {IBV_QPT_UD, IBV_QPS_RTS, IBV_QPS_RTS, 0, IBV_QP_CUR_STATE | IBV_QP_QKEY},
    {IBV_QPT_XRC_SEND, IBV_QPS_RESET, IBV_QPS_INIT, kFirst | IBV_QP_ACCESS_FLAGS, 0},
    {IBV_QPT_XRC_SEND, IBV_QPS_INIT, IBV_QPS_INIT, 0, kFirst | IBV_QP_ACCESS_FLAGS},
    {IBV_QPT_XRC_SEND, IBV_QPS_INIT, IBV_QPS_RTR, kPath,
     IBV_QP_ALT_PATH | IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX},
    {IBV_QPT_XRC_SEND, IBV_QPS_RTR, IBV_QPS_RTS, kRequester, kLate},
    {IBV_QPT_XRC_SEND, IBV_QPS_RTS, IBV_QPS_RTS, 0, kLate},
    {IBV_QPT_XRC_RECV, IBV_QPS_RESET, IBV_QPS_INIT, kFirst | IBV_QP_ACCESS_FLAGS, 0},
    {IBV_QPT_XRC_RECV, IBV_QPS_INIT, IBV_QPS_INIT, 0, kFirst | IBV_QP_ACCESS_FLAGS},
    {IBV_QPT_XRC_RECV, IBV_QPS_INIT, IBV_QPS_RTR, kPath | kResponder,
     IBV_QP_ALT_PATH | IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX},
    {IBV_QPT_XRC_RECV, IBV_QPS_RTR, IBV_QPS_RTS, IBV_QP_TIMEOUT | IBV_QP_SQ_PSN,
     kLate | IBV_QP_MIN_RNR_TIMER},
    {IBV_QPT_XRC_RECV, IBV_QPS_RTS, IBV_QPS_RTS, 0, kLate | IBV_QP_MIN_RNR_TIMER},
};

// What the attributes say is possible on this device.
bool is_possible(Fabric& fabric, const QueuePair& qp, const ibv_qp_attr& a, int mask) {
  const unsigned number = (mask & IBV_QP_PORT) != 0 ? a.port_num : qp.attr.port_num;
  const Port* port = find_port(fabric, qp.device, number);
  if ((mask & IBV_QP_PORT) != 0 && port == nullptr) return false;
  if ((mask & IBV_QP_PKEY_INDEX) != 0 && a.pkey_index >= settings().partitions.size()) return false;
  if ((mask & IBV_QP_PATH_MTU) != 0 && (a.path_mtu < IBV_MTU_256 || a.path_mtu > settings().mtu))
    return false;
  if ((mask & IBV_QP_MAX_QP_RD_ATOMIC) != 0 && a.max_rd_atomic > settings().max_reads) return false;
  if ((mask & IBV_QP_MAX_DEST_RD_ATOMIC) != 0 && a.max_dest_rd_atomic > settings().max_reads) return false;
  if ((mask & IBV_QP_TIMEOUT) != 0 && a.timeout > 31) return false;
  if ((mask & IBV_QP_RETRY_CNT) != 0 && a.retry_cnt > 7) return false;
  if ((mask & IBV_QP_RNR_RETRY) != 0 && a.rnr_retry > 7) return false;
  if ((mask & IBV_QP_MIN_RNR_TIMER) != 0 && a.min_rnr_timer > 31) return false;
  if ((mask & IBV_QP_AV) == 0) return true;
  if (a.ah_attr.port_num != number) return false;
  if (a.ah_attr.is_global != 0) return a.ah_attr.grh.sgid_index < port->gids;
  return port->link_layer == IBV_LINK_LAYER_INFINIBAND;  // RoCE has no addresses but GIDs
}

void set_attributes(const ibv_qp_attr& from, int mask, ibv_qp_attr* to) {
  const auto has = [mask](int flag) { return (mask & flag) != 0; };
  if (has(IBV_QP_ACCESS_FLAGS)) to->qp_access_flags = from.qp_access_flags;
  if (has(IBV_QP_PKEY_INDEX)) to->pkey_index = from.pkey_index;
  if (has(IBV_QP_PORT)) to->port_num = from.port_num;
  if (has(IBV_QP_QKEY)) to->qkey = from.qkey;
  if (has(IBV_QP_AV)) to->ah_attr = from.ah_attr;
  if (has(IBV_QP_PATH_MTU)) to->path_mtu = from.path_mtu;
  if (has(IBV_QP_TIMEOUT)) to->timeout = from.timeout;
  if (has(IBV_QP_RETRY_CNT)) to->retry_cnt = from.retry_cnt;
  if (has(IBV_QP_RNR_RETRY)) to->rnr_retry = from.rnr_retry;
  if (has(IBV_QP_RQ_PSN)) to->rq_psn = from.rq_psn & 0xffffff;
  if (has(IBV_QP_SQ_PSN)) to->sq_psn = from.sq_psn & 0xffffff;
  if (has(IBV_QP_MAX_QP_RD_ATOMIC)) to->max_rd_atomic = from.max_rd_atomic;
  if (has(IBV_QP_MAX_DEST_RD_ATOMIC)) to->max_dest_rd_atomic = from.max_dest_rd_atomic;
  if (has(IBV_QP_MIN_RNR_TIMER)) to->min_rnr_timer = from.min_rnr_timer;
  if (has(IBV_QP_DEST_QPN)) to->dest_qp_num = from.dest_qp_num;
}

void log_path(const QueuePair& qp) {
  const ibv_ah_attr& path = qp.attr.ah_attr;
  std::fprintf(stderr,
               "emulated verbs: queue pair %u: partition 0x%04x, service level %u, traffic class %u\n", qp.id,
               qp.partition, path.sl, path.is_global != 0 ? path.grh.traffic_class : 0U);
}

// Nothing that was posted completes any more.
void reset(Fabric& fabric, QueuePairHandle* handle, QueuePair* qp) {
  Shared& s = fabric.shared();
  forget_waiting(handle);
  handle->pending.clear();
  remove_completions_of(fabric, s.cqs.find(qp->send_cq), qp->id);
  remove_completions_of(fabric, s.cqs.find(qp->recv_cq), qp->id);
  qp->posted = qp->retired = 0;
  qp->receives.head = qp->receives.tail = qp->receives.held = 0;
  qp->attr = {};
  qp->state = IBV_QPS_RESET;
}

}  // namespace

int check_transition(ibv_qp_type type, ibv_qp_state from, ibv_qp_state to, int mask) {
  mask &= ~IBV_QP_STATE;
  if (to == IBV_QPS_RESET || to == IBV_QPS_ERR) return (mask & ~IBV_QP_CUR_STATE) == 0 ? 0 : EINVAL;
  for (const Transition& t : kTransitions)
    if (t.type == type && t.from == from && t.to == to)
      return (mask & t.needed) == t.needed && (mask & ~(t.needed | t.allowed)) == 0 ? 0 : EINVAL;
  return EINVAL;
}

}  // namespace emulated

using namespace emulated;  // NOLINT(google-build-using-namespace): the functions below are those of the
                           // header

extern "C" int ibv_modify_qp(ibv_qp* qp, ibv_qp_attr* attributes, int mask) {
  auto* handle = static_cast<QueuePairHandle*>(qp);
  Guard guard;
  Fabric& fabric = guard.fabric();
  QueuePair* entry = entry_of(fabric, qp);
  if ((mask & IBV_QP_CUR_STATE) != 0 && attributes->cur_qp_state != entry->state) return EINVAL;
  const ibv_qp_state to = (mask & IBV_QP_STATE) != 0 ? attributes->qp_state : entry->state;
  if (const int error = check_transition(entry->type, entry->state, to, mask); error != 0) return error;
  if (!is_possible(fabric, *entry, *attributes, mask)) return EINVAL;
  set_attributes(*attributes, mask, &entry->attr);
  if ((mask & IBV_QP_PKEY_INDEX) != 0) entry->partition = settings().partitions[attributes->pkey_index];
  if ((mask & IBV_QP_AV) != 0 && settings().log_paths) log_path(*entry);
  if (to == IBV_QPS_RESET)
    reset(fabric, handle, entry);
  else if (to == IBV_QPS_ERR)
    set_error(fabric, entry);
  else
    entry->state = to;
  qp->state = to;
  run(fabric, handle);
  return 0;
}
