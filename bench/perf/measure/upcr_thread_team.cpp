// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/measure/upcr_thread_team.hpp"

#include <cstring>

namespace perf {

UpcrThreadTeam::UpcrThreadTeam()
    : ThreadTeam(upcr_mythread(), upcr_threads(), upcr_mynode(), upcr_nodes()),
      block_(upcr_all_alloc(upcr_threads(), kBlockBytes)) {
  meet(bupc_thread_distance(0, static_cast<int>(me())) < BUPC_THREADS_VERYFAR);
}

// A pointer-to-shared is one or two words.
upcr_shared_ptr_t UpcrThreadTeam::pointer_of(upcr_thread_t thread, upcr_shared_ptr_t pointer) const {
  std::uint64_t words[sizeof pointer / 8];
  std::memcpy(words, &pointer, sizeof pointer);
  for (std::uint64_t& word : words) word = said_by(thread, word);
  std::memcpy(&pointer, words, sizeof pointer);
  return pointer;
}

}  // namespace perf
