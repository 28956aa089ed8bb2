// SPDX-License-Identifier: BSD-3-Clause
// Non-contiguous copies of 64 KiB to and from the partner's memory, and the same as plain loops (which use
// private memory where the partner's is not mapped). The loops know the length of a piece when they are
// compiled, as a caller does, except where lengths differ. Only thread 0 works.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "bench/perf/measure/upcr_thread_team.hpp"

namespace perf {

class Scattered {
 public:
  // Elements of `elem` bytes (8 or 64), every second place is used. In the lists the places are shuffled
  // within pages.
  Scattered(const UpcrThreadTeam& team, std::size_t elem);

  void strided(std::uint64_t n);        // bupc_memput_strided2d
  void indexed(std::uint64_t n);        // bupc_memput_ilist
  void vector(std::uint64_t n);         // bupc_memput_vlist, regions of one element
  void vector_mixed(std::uint64_t n);   // the same, regions of 1 to 4 elements
  void vector_lists(std::uint64_t n);   // bupc_memput_vlist, list to list
  void vector_get(std::uint64_t n);     // bupc_memget_vlist, list to list
  void vector_gather(std::uint64_t n);  // bupc_memget_vlist, many regions to one
  void indexed_lists(std::uint64_t n);  // bupc_memput_ilist, list to list
  void plain_vector_lists(std::uint64_t n);
  void plain_vector_get(std::uint64_t n);
  void plain_vector_gather(std::uint64_t n);
  void plain_indexed_lists(std::uint64_t n);
  void plain_strided(std::uint64_t n);
  void plain_indexed(std::uint64_t n);
  void plain_vector(std::uint64_t n);
  void plain_vector_mixed(std::uint64_t n);

 private:
  static constexpr std::size_t kBytes = 64 << 10;
  struct Regions {
    std::vector<bupc_smemvec_t> shared;
    std::vector<bupc_pmemvec_t> plain;
  };
  void put(const Regions& regions, std::uint64_t n);
  void copy(const Regions& regions, std::uint64_t n);

  const UpcrThreadTeam& team_;
  const std::size_t elem_, count_;
  std::vector<char> source_, scattered_source_, fallback_;
  char* target_here_;
  std::vector<upcr_shared_ptr_t> shared_list_;
  std::vector<char*> plain_list_;
  std::vector<void*> source_list_;
  Regions equal_, shuffled_, mixed_;
  std::vector<bupc_pmemvec_t> source_regions_;
};

}  // namespace perf
