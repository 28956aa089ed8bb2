// SPDX-License-Identifier: BSD-3-Clause
// Interposes functions of the C library for simulated ranks: the clock shows modelled time, a sleep or a
// yield switches to another rank, memory that a host shares is a piece of one mapping, and allocations are
// counted. libc.cpp defines functions of these names, which the loader prefers to libc's.
#pragma once
#include <cstdint>

namespace upcr::scale::libc {

// The memory that the next memfd_create() stands for.
void set_next_piece(char* piece);

// During its lifetime operator new adds to *counter, and operator delete subtracts from it.
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
