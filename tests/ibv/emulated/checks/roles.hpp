// SPDX-License-Identifier: BSD-3-Clause
// Tests of the emulated libibverbs take several processes, which tell each other numbers and keys by a board.
// The process of GoogleTest itself does not use the library: its children do, each with a role.
#pragma once
#include <infiniband/verbs.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace emulated::checks {

// What a process tells the others.
struct Told {
  std::uint32_t queue_pair = 0, receive_queue = 0, key = 0;
  std::uint16_t lid = 0;
  ibv_gid gid = {};
  std::uint64_t address = 0;
};

class Board {
 public:
  void tell(unsigned n, const Told& what = {});
  // Waits until it is told.
  Told hear(unsigned n);

 private:
  static constexpr unsigned kPlaces = 32;
  struct Place {
    std::uint32_t told = 0;  // atomic
    Told what;
  };
  Place places_[kPlaces];
};

using Role = std::function<void(Board&)>;
// Each in a process of its own. True if all of them return, but for `killed`, the number of one that is
// killed.
bool all_succeed(const std::vector<Role>& roles, int killed = -1);

// Ends the process of a role with a message unless it holds.
void need(bool holds, const char* what, const char* file = __builtin_FILE(), int line = __builtin_LINE());

}  // namespace emulated::checks
