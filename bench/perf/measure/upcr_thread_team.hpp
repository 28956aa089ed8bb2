// SPDX-License-Identifier: BSD-3-Clause
// The thread team of upcr_perf: the UPC threads of the job.
#pragma once
#include <upcr.h>

#include <cstring>

#include "bench/perf/measure/thread_team.hpp"

namespace perf {

class UpcrThreadTeam final : public ThreadTeam {
 public:
  UpcrThreadTeam();

  // Not collective. A thread's block; the partner's.
  upcr_shared_ptr_t block_of(upcr_thread_t thread) const { return part(thread, 0); }
  upcr_shared_ptr_t target() const { return block_of(partner()); }
  std::uint64_t* target_here() const override { return static_cast<std::uint64_t*>(upcr_cast(target())); }
  char* mine_here() const override { return static_cast<char*>(upcr_shared_to_local(part(me(), 0))); }

  void barrier() const override { upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS); }
  // The pointer of that thread.
  upcr_shared_ptr_t pointer_of(upcr_thread_t thread, upcr_shared_ptr_t pointer) const;

 private:
  upcr_shared_ptr_t part(upcr_thread_t thread, std::size_t byte) const {
    return upcr_add_shared(block_, 1, static_cast<std::ptrdiff_t>(thread * kBlockBytes + byte), kBlockBytes);
  }
  std::uint64_t word_of(Thread thread) const override {
    return upcr_get_shared_val(part(thread, kWord), 0, 8);
  }
  void set_word(Thread thread, std::uint64_t value) const override {
    upcr_put_shared_val(part(thread, kWord), 0, value, 8);
  }

  const upcr_shared_ptr_t block_;
};

inline UpcrThreadTeam::UpcrThreadTeam()
    : ThreadTeam(upcr_mythread(), upcr_threads(), upcr_mynode(), upcr_nodes()),
      block_(upcr_all_alloc(upcr_threads(), kBlockBytes)) {
  find_partner(bupc_thread_distance(0, static_cast<int>(me())) < BUPC_THREADS_VERYFAR);
}

// A pointer-to-shared is one or two words.
inline upcr_shared_ptr_t UpcrThreadTeam::pointer_of(upcr_thread_t thread, upcr_shared_ptr_t pointer) const {
  std::uint64_t words[sizeof pointer / 8];
  std::memcpy(words, &pointer, sizeof pointer);
  for (std::uint64_t& word : words) word = value_of(thread, word);
  std::memcpy(&pointer, words, sizeof pointer);
  return pointer;
}

}  // namespace perf
