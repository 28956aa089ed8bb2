// SPDX-License-Identifier: BSD-3-Clause
// The value collectives in C++, where TYPE may be any type that memcpy may copy. Their behaviour is tested in
// C (allv.c); this is about the macros.
#include "tests/spmd/spmd.h"
#include "upcr_preinclude/upc_collective_bits.h"

namespace {

struct Pair {
  int first;
  double second;
};

void run() {
  const int me = static_cast<int>(upcr_mythread()), threads = static_cast<int>(upcr_threads()),
            last = threads - 1;
  const Pair pair = bupc_allv_broadcast(Pair, (Pair{me, me * 0.5}), last);
  SPMD_CHECK(pair.first == last && pair.second == last * 0.5);
  Pair array[16];
  for (int i = 0; i < threads; ++i) array[i] = {i + 100, i * 2.0};
  SPMD_EQ(bupc_allv_scatter(Pair, 0, array).first, me + 100);
  SPMD_CHECK(bupc_allv_gather(Pair, (Pair{me + 7, 0}), last, array) == array);
  if (me == last)
    for (int i = 0; i < threads; ++i) SPMD_EQ(array[i].first, i + 7);
  SPMD_CHECK(bupc_allv_gather_all(Pair, (Pair{me + 9, 0}), array) == array);
  for (int i = 0; i < threads; ++i) SPMD_EQ(array[i].first, i + 9);
  SPMD_EQ(bupc_allv_permute(Pair, (Pair{me, 0}), (me + 1) % threads).first, (me + threads - 1) % threads);
  const long double sum = bupc_allv_reduce(long double, me, 0, UPC_ADD);
  if (me == 0) SPMD_CHECK(2 * sum == threads * (threads - 1));
  SPMD_EQ(bupc_allv_reduce_all(unsigned short, me, UPC_MAX), last);
  SPMD_CHECK(bupc_allv_prefix_reduce(float, 0.5f, UPC_ADD) == (me + 1) * 0.5f);
}

}  // namespace

SPMD_MAIN(run)
