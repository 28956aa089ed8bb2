// SPDX-License-Identifier: BSD-3-Clause
// Calls of the C library that mean something else to a simulated rank: time is modelled time, sleeping and
// yielding are the simulator's, memory that a host shares is a piece of one mapping, and what a rank
// allocates is counted. libc.cpp defines functions of these names, which the loader prefers to libc's.
#pragma once
#include <cstdint>

namespace upcr::scale::libc {

// The memory that the next memfd is.
void set_next_piece(char* piece);

// While it lives, what operator new gives is added to *counter, and what delete takes is subtracted.
class Counted {
 public:
  explicit Counted(std::int64_t* counter) noexcept;
  ~Counted();

 private:
  std::int64_t* before_;
};
class Uncounted : public Counted {
 public:
  Uncounted() noexcept : Counted(nullptr) {}
};

}  // namespace upcr::scale::libc
