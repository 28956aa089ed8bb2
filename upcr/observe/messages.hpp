// SPDX-License-Identifier: BSD-3-Clause
// Active messages as parts of operations: counted where they are sent; in a trace also where they are
// handled, with numbers by which a timeline draws an arrow from the one to the other.
#pragma once
#include <cstdint>

namespace upcr {
class AmEngine;
}

namespace upcr::observe {

// A message among those between its two processes: its handler, its channel, and how many such came before
// it. Both ends count for themselves: messages of one process to another with the same handler arrive in
// their order. (With several UPC threads in the sending process two that are sent at the same moment may be
// taken for each other.)
class MessageNumber {
 public:
  MessageNumber(bool is_request, unsigned handler, std::uint64_t before) noexcept
      : word_((is_request ? std::uint64_t{1} << 63 : 0) | std::uint64_t{handler} << 48 |
              (before & ((std::uint64_t{1} << 48) - 1))) {}
  std::uint64_t word() const noexcept { return word_; }

 private:
  std::uint64_t word_;
};

// From AttachOptions::ready: before any process sends. `multithreaded`: several threads of this process send.
void start_messages(AmEngine& engine, std::uint32_t ranks, bool multithreaded);

}  // namespace upcr::observe
