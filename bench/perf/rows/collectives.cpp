// SPDX-License-Identifier: BSD-3-Clause
// Collectives of all threads, 8 B to 1 MiB of each thread: broadcast, scatter, gather, gather_all, exchange,
// reduce, reduce_all with IN_MYSYNC and OUT_MYSYNC, which promise what MPI's collectives do: a buffer may be
// used again on return, and no thread waits for data that it does not need. Those whose names end in _allsync
// have the flags that ask for a barrier before and after.
//
// A burst ends when the last thread has finished the last operation, with upcr and with MPI.
//
// A reduction combines all elements of all threads to one; `size` is the bytes of one thread.
#include <cstring>
#include <memory>

#include "bench/perf/network/collective_data.hpp"
#include "bench/perf/rows/upcr_rows.hpp"

namespace perf {
namespace {

constexpr std::size_t kSizes[] = {8, 1024, 65536, 1 << 20};
constexpr int kMySync = UPCRI_IN_MYSYNC | UPCRI_OUT_MYSYNC, kAllSync = UPCRI_IN_ALLSYNC | UPCRI_OUT_ALLSYNC;

// Source and target of a row, allocated when it is first measured, freed when it has been: a block for each
// thread on each thread.
class Arrays {
 public:
  Arrays(const UpcrThreadTeam& team, std::size_t bytes) : team_(team), bytes_(bytes) {}
  ~Arrays() {
    for (const Array& array : {src_, dst_})
      if (array.mine != nullptr) upcr_all_free(array.start);
  }
  Arrays(const Arrays&) = delete;
  Arrays& operator=(const Arrays&) = delete;
  // Collective, before anything else is asked for.
  void make() {
    for (Array* array : {&src_, &dst_})
      if (array->mine == nullptr) make(*array);
  }
  upcr_shared_ptr_t src() const { return src_.start; }
  upcr_shared_ptr_t dst() const { return dst_.start; }
  // This thread's part.
  void* src_here() const { return src_.mine; }
  const void* dst_here() const { return dst_.mine; }

 private:
  struct Array {
    upcr_shared_ptr_t start;
    void* mine = nullptr;
  };
  void make(Array& array) {
    const std::size_t mine = team_.threads() * bytes_;
    array.start = upcr_all_alloc(team_.threads(), mine);
    const auto at = static_cast<std::ptrdiff_t>(team_.me() * mine);
    array.mine = upcr_shared_to_local(upcr_add_shared(array.start, 1, at, mine));
    std::memset(array.mine, 0, mine);
    team_.barrier();
  }

  const UpcrThreadTeam& team_;
  std::size_t bytes_;
  Array src_, dst_;
};

template <typename Operation>
Burst burst(const UpcrThreadTeam& team, std::size_t bytes, Collective collective, Operation operation) {
  const auto arrays = std::make_shared<Arrays>(team, bytes);
  const std::size_t source = source_bytes(team, collective, bytes);
  const std::size_t target = target_bytes(team, collective, bytes);
  return on_all_threads(
      team, [arrays] { arrays->make(); },
      [arrays, source, target, operation] {
        write_lines(arrays->src_here(), source);
        operation(arrays->dst(), arrays->src());
        read_lines(arrays->dst_here(), target);
      });
}

void moves(UpcrRows& rows) {
  using Call = void (*)(upcr_shared_ptr_t, upcr_shared_ptr_t, std::size_t, int);
  const auto measure = [&](const std::string& name, const std::string& summary, Call call, Collective same) {
    for (const int flags : {kMySync, kAllSync})
      for (const std::size_t bytes : kSizes)
        rows.add_collective(
            flags == kMySync ? name : name + "_allsync",
            summary + (flags == kMySync ? ", IN_MYSYNC | OUT_MYSYNC" : ", ALLSYNC"),
            burst(rows.team(), bytes, same,
                  [=](upcr_shared_ptr_t dst, upcr_shared_ptr_t src) { call(dst, src, bytes, flags); }),
            same, bytes);
  };
  measure("broadcast", "upc_all_broadcast", bupc_all_broadcast, Collective::kBroadcast);
  measure("scatter", "upc_all_scatter, a block for each thread", bupc_all_scatter, Collective::kScatter);
  measure("gather", "upc_all_gather, a block of each thread", bupc_all_gather, Collective::kGather);
  measure("gather_all", "upc_all_gather_all, a block of each thread", bupc_all_gather_all,
          Collective::kGatherAll);
  measure("exchange", "upc_all_exchange, a block for each thread", bupc_all_exchange, Collective::kExchange);
}

void reductions(UpcrRows& rows) {
  using Call = void (*)(upcr_shared_ptr_t, upcr_shared_ptr_t, upc_op_t, std::size_t, std::size_t,
                        double (*)(double, double), int);
  const auto measure = [&](const std::string& name, const std::string& summary, Call call, Collective same) {
    for (const int flags : {kMySync, kAllSync})
      for (const std::size_t bytes : kSizes) {
        const std::size_t each = bytes / sizeof(double), all = each * rows.team().threads();
        rows.add_collective(flags == kMySync ? name : name + "_allsync",
                            summary + (flags == kMySync ? ", IN_MYSYNC | OUT_MYSYNC" : ", ALLSYNC"),
                            burst(rows.team(), bytes, same,
                                  [=](upcr_shared_ptr_t dst, upcr_shared_ptr_t src) {
                                    call(dst, src, 1 /* UPC_ADD */, all, each, nullptr, flags);
                                  }),
                            same, bytes);
      }
  };
  measure("reduce", "upc_all_reduceD, sum of all threads' elements", bupc_all_reduceD, Collective::kReduce);
  measure("reduce_all", "bupc_all_reduce_allD, the same, to all threads", bupc_all_reduce_allD,
          Collective::kReduceAll);
}

}  // namespace

void add_collectives(UpcrRows& rows) {
  moves(rows);
  reductions(rows);
}

}  // namespace perf
