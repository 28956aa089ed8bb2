// SPDX-License-Identifier: BSD-3-Clause
// Non-contiguous copies of 64 KiB to the partner's memory, and the same as plain loops (which go to private
// memory where the partner's is not mapped). Thread 0 works.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "bench/perf/crew.hpp"

namespace perf {

class Scattered {
 public:
  // Elements of `elem` bytes (8 or 64), every second place is used. In the lists the places are shuffled
  // within pages.
  Scattered(const Crew& crew, std::size_t elem);

  void strided(std::uint64_t n);       // bupc_memput_strided2d
  void indexed(std::uint64_t n);       // bupc_memput_ilist
  void vector(std::uint64_t n);        // bupc_memput_vlist, regions of one element
  void vector_mixed(std::uint64_t n);  // the same, regions of 1 to 4 elements
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

  const Crew& crew_;
  const std::size_t elem_, count_;
  std::vector<char> source_, stand_in_;
  char* target_here_;
  std::vector<upcr_shared_ptr_t> shared_list_;
  std::vector<char*> plain_list_;
  Regions equal_, mixed_;
};

}  // namespace perf
