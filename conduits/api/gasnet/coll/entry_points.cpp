// SPDX-License-Identifier: BSD-3-Clause
// The C calls of gasnet/coll.h that move data: each in four forms, with an address or a list of them,
// blocking or not.
#include "conduits/api/gasnet/coll/algorithms.hpp"
#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/api/gasnet/state/thread.hpp"
#include "conduits/api/gasnet/trace/trace.hpp"
#include "conduits/core/base/report/error.hpp"

namespace upcr::gasnet::coll {
namespace {

enum class Kind { kBroadcast, kScatter, kGather, kGatherAll, kExchange };

// This image's part in a collective, with its own addresses.
struct Move {
  Kind kind;
  TeamRank root;
  void* dst;
  const void* src;
  std::size_t bytes;
};
struct Reduce {
  TeamRank root;
  void* dst;
  const void* src;
  Reduction reduction;
};

Task part(Call& c, const Move& m) {
  switch (m.kind) {
    case Kind::kBroadcast:
      return broadcast(c, m.root, m.dst, m.src, m.bytes);
    case Kind::kScatter:
      return scatter(c, m.root, m.dst, m.src, m.bytes);
    case Kind::kGather:
      return gather(c, m.root, m.dst, m.src, m.bytes);
    case Kind::kGatherAll:
      return gather_all(c, m.dst, m.src, m.bytes);
    case Kind::kExchange:
      break;
  }
  return exchange(c, m.dst, m.src, m.bytes);
}
Task part(Call& c, const Reduce& r) { return reduce(c, r.root, r.dst, r.src, r.reduction); }

std::size_t bytes_of(const Move& m) noexcept { return m.bytes; }
std::size_t bytes_of(const Reduce& r) noexcept { return r.reduction.element_bytes * r.reduction.elements; }

template <typename Part>
void blocking(const char* function, Member& m, int flags, const Part& p) {
  const Traced traced(Event::kCollective, kNoNode, bytes_of(p), function);
  Call call(m, function);
  call.start(synchronised(call, flags, part(call, p)));
  call.wait();
}
template <typename Part>
gasnet_coll_handle_t nonblocking(const char* function, Member& m, int flags, const Part& p) {
  const Traced traced(Event::kCollective, kNoNode, bytes_of(p), function);
  auto* const call = new gasneti_coll_op_s(m, function);
  call->start(synchronised(*call, flags, part(*call, p)));
  return call;
}

Member& rooted(const char* function, gasnet_team_handle_t team, gasnet_image_t root) {
  Member& m = member(function, team);
  check_rank(function, m, root);
  return m;
}

// This image's address: the one given, or its entry in a list of the addresses of all members (or of those
// on this node).
void* mine(const Member&, void* address, int) { return address; }
void* mine(const Member& m, void* const list[], int flags) {
  return list[(flags & GASNET_COLL_SINGLE) != 0 ? m.rank : m.local_index];
}

// A collective that moves data; dst and src are addresses or lists of them.
template <typename Dst, typename Src>
void move(const char* function, Member& m, int flags, Kind kind, gasnet_image_t root, Dst dst, Src src,
          std::size_t bytes) {
  blocking(function, m, flags, Move{kind, root, mine(m, dst, flags), mine(m, src, flags), bytes});
}
template <typename Dst, typename Src>
gasnet_coll_handle_t move_nb(const char* function, Member& m, int flags, Kind kind, gasnet_image_t root,
                             Dst dst, Src src, std::size_t bytes) {
  return nonblocking(function, m, flags, Move{kind, root, mine(m, dst, flags), mine(m, src, flags), bytes});
}

Reduction reduction_of(const char* function, std::size_t blocks, std::size_t offset,
                       std::size_t element_bytes, std::size_t elements, gasnet_coll_fn_handle_t f,
                       int argument) {
  if ((blocks != 0 && blocks != elements) || offset != 0)
    fatal(
        "%s: src_blksz is %zu and src_offset %zu; an image's %zu elements are one block from 0 on: pass 0 "
        "for both",
        function, blocks, offset, elements);
  return {reduction(function, f), argument, element_bytes, elements};
}

}  // namespace

extern "C" {

GASNETI_API void gasnet_coll_init(const gasnet_image_t images[], gasnet_image_t my_image,
                                  gasnet_coll_fn_entry_t fn_tbl[], size_t fn_count, int) {
  constexpr const char* kName = "gasnet_coll_init";
  require_attached(kName);
  check_free_thread(kName);
  set_images(kName, images, my_image);
  set_functions(kName, fn_tbl, fn_count);
  blocking(kName, member(kName, GASNET_TEAM_ALL), GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_NOSYNC,
           Move{Kind::kBroadcast, 0, nullptr, nullptr, 0});
}

GASNETI_API void gasnet_coll_broadcast(gasnet_team_handle_t team, void* dst, gasnet_image_t srcimage,
                                       void* src, size_t nbytes, int flags) {
  move(__func__, rooted(__func__, team, srcimage), flags, Kind::kBroadcast, srcimage, dst, src, nbytes);
}

GASNETI_API gasnet_coll_handle_t gasnet_coll_broadcast_nb(gasnet_team_handle_t team, void* dst,
                                                          gasnet_image_t srcimage, void* src, size_t nbytes,
                                                          int flags) {
  return move_nb(__func__, rooted(__func__, team, srcimage), flags, Kind::kBroadcast, srcimage, dst, src,
                 nbytes);
}

GASNETI_API void gasnet_coll_broadcastM(gasnet_team_handle_t team, void* const dstlist[],
                                        gasnet_image_t srcimage, void* src, size_t nbytes, int flags) {
  move(__func__, rooted(__func__, team, srcimage), flags, Kind::kBroadcast, srcimage, dstlist, src, nbytes);
}

GASNETI_API gasnet_coll_handle_t gasnet_coll_broadcastM_nb(gasnet_team_handle_t team, void* const dstlist[],
                                                           gasnet_image_t srcimage, void* src, size_t nbytes,
                                                           int flags) {
  return move_nb(__func__, rooted(__func__, team, srcimage), flags, Kind::kBroadcast, srcimage, dstlist, src,
                 nbytes);
}

GASNETI_API void gasnet_coll_scatter(gasnet_team_handle_t team, void* dst, gasnet_image_t srcimage, void* src,
                                     size_t nbytes, int flags) {
  move(__func__, rooted(__func__, team, srcimage), flags, Kind::kScatter, srcimage, dst, src, nbytes);
}

GASNETI_API gasnet_coll_handle_t gasnet_coll_scatter_nb(gasnet_team_handle_t team, void* dst,
                                                        gasnet_image_t srcimage, void* src, size_t nbytes,
                                                        int flags) {
  return move_nb(__func__, rooted(__func__, team, srcimage), flags, Kind::kScatter, srcimage, dst, src,
                 nbytes);
}

GASNETI_API void gasnet_coll_scatterM(gasnet_team_handle_t team, void* const dstlist[],
                                      gasnet_image_t srcimage, void* src, size_t nbytes, int flags) {
  move(__func__, rooted(__func__, team, srcimage), flags, Kind::kScatter, srcimage, dstlist, src, nbytes);
}

GASNETI_API gasnet_coll_handle_t gasnet_coll_scatterM_nb(gasnet_team_handle_t team, void* const dstlist[],
                                                         gasnet_image_t srcimage, void* src, size_t nbytes,
                                                         int flags) {
  return move_nb(__func__, rooted(__func__, team, srcimage), flags, Kind::kScatter, srcimage, dstlist, src,
                 nbytes);
}

GASNETI_API void gasnet_coll_gather(gasnet_team_handle_t team, gasnet_image_t dstimage, void* dst, void* src,
                                    size_t nbytes, int flags) {
  move(__func__, rooted(__func__, team, dstimage), flags, Kind::kGather, dstimage, dst, src, nbytes);
}

GASNETI_API gasnet_coll_handle_t gasnet_coll_gather_nb(gasnet_team_handle_t team, gasnet_image_t dstimage,
                                                       void* dst, void* src, size_t nbytes, int flags) {
  return move_nb(__func__, rooted(__func__, team, dstimage), flags, Kind::kGather, dstimage, dst, src,
                 nbytes);
}

GASNETI_API void gasnet_coll_gatherM(gasnet_team_handle_t team, gasnet_image_t dstimage, void* dst,
                                     void* const srclist[], size_t nbytes, int flags) {
  move(__func__, rooted(__func__, team, dstimage), flags, Kind::kGather, dstimage, dst, srclist, nbytes);
}

GASNETI_API gasnet_coll_handle_t gasnet_coll_gatherM_nb(gasnet_team_handle_t team, gasnet_image_t dstimage,
                                                        void* dst, void* const srclist[], size_t nbytes,
                                                        int flags) {
  return move_nb(__func__, rooted(__func__, team, dstimage), flags, Kind::kGather, dstimage, dst, srclist,
                 nbytes);
}

GASNETI_API void gasnet_coll_gather_all(gasnet_team_handle_t team, void* dst, void* src, size_t nbytes,
                                        int flags) {
  move(__func__, member(__func__, team), flags, Kind::kGatherAll, 0, dst, src, nbytes);
}

GASNETI_API gasnet_coll_handle_t gasnet_coll_gather_all_nb(gasnet_team_handle_t team, void* dst, void* src,
                                                           size_t nbytes, int flags) {
  return move_nb(__func__, member(__func__, team), flags, Kind::kGatherAll, 0, dst, src, nbytes);
}

GASNETI_API void gasnet_coll_gather_allM(gasnet_team_handle_t team, void* const dstlist[],
                                         void* const srclist[], size_t nbytes, int flags) {
  move(__func__, member(__func__, team), flags, Kind::kGatherAll, 0, dstlist, srclist, nbytes);
}

GASNETI_API gasnet_coll_handle_t gasnet_coll_gather_allM_nb(gasnet_team_handle_t team, void* const dstlist[],
                                                            void* const srclist[], size_t nbytes, int flags) {
  return move_nb(__func__, member(__func__, team), flags, Kind::kGatherAll, 0, dstlist, srclist, nbytes);
}

GASNETI_API void gasnet_coll_exchange(gasnet_team_handle_t team, void* dst, void* src, size_t nbytes,
                                      int flags) {
  move(__func__, member(__func__, team), flags, Kind::kExchange, 0, dst, src, nbytes);
}

GASNETI_API gasnet_coll_handle_t gasnet_coll_exchange_nb(gasnet_team_handle_t team, void* dst, void* src,
                                                         size_t nbytes, int flags) {
  return move_nb(__func__, member(__func__, team), flags, Kind::kExchange, 0, dst, src, nbytes);
}

GASNETI_API void gasnet_coll_exchangeM(gasnet_team_handle_t team, void* const dstlist[],
                                       void* const srclist[], size_t nbytes, int flags) {
  move(__func__, member(__func__, team), flags, Kind::kExchange, 0, dstlist, srclist, nbytes);
}

GASNETI_API gasnet_coll_handle_t gasnet_coll_exchangeM_nb(gasnet_team_handle_t team, void* const dstlist[],
                                                          void* const srclist[], size_t nbytes, int flags) {
  return move_nb(__func__, member(__func__, team), flags, Kind::kExchange, 0, dstlist, srclist, nbytes);
}

GASNETI_API void gasnet_coll_reduce(gasnet_team_handle_t team, gasnet_image_t dstimage, void* dst, void* src,
                                    size_t src_blksz, size_t src_offset, size_t elem_size, size_t elem_count,
                                    gasnet_coll_fn_handle_t func, int func_arg, int flags) {
  Member& m = rooted(__func__, team, dstimage);
  blocking(__func__, m, flags,
           Reduce{dstimage, dst, src,
                  reduction_of(__func__, src_blksz, src_offset, elem_size, elem_count, func, func_arg)});
}

GASNETI_API gasnet_coll_handle_t gasnet_coll_reduce_nb(gasnet_team_handle_t team, gasnet_image_t dstimage,
                                                       void* dst, void* src, size_t src_blksz,
                                                       size_t src_offset, size_t elem_size, size_t elem_count,
                                                       gasnet_coll_fn_handle_t func, int func_arg,
                                                       int flags) {
  Member& m = rooted(__func__, team, dstimage);
  return nonblocking(
      __func__, m, flags,
      Reduce{dstimage, dst, src,
             reduction_of(__func__, src_blksz, src_offset, elem_size, elem_count, func, func_arg)});
}

GASNETI_API void gasnet_coll_reduceM(gasnet_team_handle_t team, gasnet_image_t dstimage, void* dst,
                                     void* const srclist[], size_t src_blksz, size_t src_offset,
                                     size_t elem_size, size_t elem_count, gasnet_coll_fn_handle_t func,
                                     int func_arg, int flags) {
  Member& m = rooted(__func__, team, dstimage);
  blocking(__func__, m, flags,
           Reduce{dstimage, dst, mine(m, srclist, flags),
                  reduction_of(__func__, src_blksz, src_offset, elem_size, elem_count, func, func_arg)});
}

GASNETI_API gasnet_coll_handle_t gasnet_coll_reduceM_nb(gasnet_team_handle_t team, gasnet_image_t dstimage,
                                                        void* dst, void* const srclist[], size_t src_blksz,
                                                        size_t src_offset, size_t elem_size,
                                                        size_t elem_count, gasnet_coll_fn_handle_t func,
                                                        int func_arg, int flags) {
  Member& m = rooted(__func__, team, dstimage);
  return nonblocking(
      __func__, m, flags,
      Reduce{dstimage, dst, mine(m, srclist, flags),
             reduction_of(__func__, src_blksz, src_offset, elem_size, elem_count, func, func_arg)});
}

}  // extern "C"

}  // namespace upcr::gasnet::coll
