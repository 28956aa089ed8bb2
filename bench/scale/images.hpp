// SPDX-License-Identifier: BSD-3-Clause
// Many processes in one: the static data of the product (job(), the barrier, thread-local variables, whatever
// a file keeps for itself) is one process's, so each simulated rank has a copy, which is put in place while
// the rank runs. So the product needs no changes, and what somebody adds to it tomorrow is found.
//
// All writable static and thread-local data of libupcr_scale.so is cut into lines. At first all ranks have
// what was there at the start. A line that a rank changes becomes everybody's own from there on. Nothing is
// missed: what a rank leaves behind is compared as a whole.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conduits/core/base/system/status.hpp"

namespace upcr::scale {

class Images {
 public:
  // Looks at the object of the loader that `address` is in. Now is the start.
  Images(const void* address, Rank ranks);
  ~Images();
  Images(const Images&) = delete;
  Images& operator=(const Images&) = delete;

  void enter(Rank rank);  // puts its data in place
  void leave();           // back to the start's, as long as no rank runs
  std::size_t bytes_per_rank() const noexcept { return own_.size() * kLine; }
  std::size_t bytes() const noexcept { return lines_.size() * kLine; }

 private:
  static constexpr std::size_t kLine = 64;
  static constexpr Rank kNobody = ~Rank{0};
  struct Copy {
    char* data = nullptr;
    std::uint32_t lines = 0;  // of own_, the first so many
    std::uint32_t room = 0;
  };
  void add_range(char* begin, std::size_t bytes);
  void find_own();
  void save(Copy& copy);

  std::vector<char*> lines_;  // where each is
  std::vector<char> start_;   // what each was
  std::vector<std::uint8_t> is_own_;
  std::vector<std::uint32_t> own_;  // lines that some rank has changed
  std::vector<Copy> copies_;
  Rank running_rank_ = kNobody;
};

}  // namespace upcr::scale
