// SPDX-License-Identifier: BSD-3-Clause
// The wire format of chunks: a packet's payload is a sequence of descriptions, each followed by its data if
// data is sent with them. A box is 16 bytes and 16 for each dimension, whatever its size; a run of addresses
// is 16 and 2 for each where they are within some hundred kilobytes, 4 within 4 GiB, else 8.
//
//   head   { u64 base; u32 elem; u32 n }     n: dimensions, or kVisRun and, of a run:
//                                               bits 29 and 30: VisPlaces; 24 to 28: of steps, the logarithm
//                                               of a step; 0 to 23: the number of addresses
//   box    { i64 stride; u64 count } * n
//   run    { u64 address } * n               base is not used
//   run    { u32 offset } * n                from base
//   run    { i16 steps } * n                 from base
//
// Nothing is aligned. The reader checks all that may be wrong in a malformed or hostile packet: sizes, and
// that all memory lies in this process's segments. Private to core/vis.
#pragma once
#include "conduits/core/memory/access_guard.hpp"
#include "conduits/core/transport/conduit.hpp"
#include "conduits/core/vis/cursor.hpp"

namespace upcr {

// Writes the chunk's description, without steps: those are there already (VisCursor::Room). Returns its
// length.
std::size_t vis_describe(const VisChunk& chunk, char* to) noexcept;

// Reads the descriptions of a payload one by one; ends the job if one is malformed or not allowed.
class VisReader {
 public:
  // `what`: "write" or "read", for messages.
  VisReader(const AccessGuard& guard, Rank source, const char* what, const char* payload,
            std::size_t bytes) noexcept
      : guard_(guard), source_(source), what_(what), at_(payload), end_(payload + bytes) {}
  bool more() const noexcept { return at_ != end_; }
  // Reads the next description, for one call of unpack_data() or pack().
  void next() noexcept;
  std::size_t bytes() const noexcept { return bytes_; }
  void pack(char* to) const noexcept;
  // Unpacks the data that follows the description, and skips it.
  void unpack_data() noexcept;

 private:
  void read(void* to, std::size_t n) noexcept;
  void read_box(std::uint32_t n) noexcept;
  void read_run(std::uint32_t n) noexcept;
  bool is_one_range_allowed() const noexcept;
  // Calls body(addresses, count, index of the first) for one batch after the other.
  template <typename Body>
  void in_batches(Body&& body) const noexcept;
  void check(std::uint64_t address, std::size_t n) const noexcept;

  const AccessGuard& guard_;
  const Rank source_;
  const char* const what_;
  const char* at_;
  const char* const end_;
  VisSection box_;
  const char* addresses_ = nullptr;
  VisPlaces places_ = VisPlaces::kAddresses;  // addresses_ are these
  unsigned step_ = 0;
  std::size_t count_ = 0, bytes_ = 0;
};

}  // namespace upcr
