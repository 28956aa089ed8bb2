// SPDX-License-Identifier: BSD-3-Clause
// What is counted of one UPC thread while it runs: plain memory without pointers, which may be a mapped file,
// so that it outlives the process. Times are in ticks of the processor's counter (clock.hpp).
//
// In memory: RecordHeader, CellCounts[kMaxCells], Pair[threads], CellKey[kMaxCells], char[kMaxNameBytes].
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "upcr/observe/block.hpp"

namespace upcr::observe {

inline constexpr std::uint32_t kMaxCells = 4096, kMaxNameBytes = 1 << 16;
static_assert(kMaxCells <= 1u << 16);

// The operations of one kind in one line, or the messages that they send. The first line of the cache is all
// that counting touches, but for one bucket of sizes.
//
// Accesses that are short in the mean are timed by a random sample (thread.hpp). The time of all is then
//   time + sample_time * (count - apart) / sampled
// with what is known of every operation in `time`.
struct alignas(64) CellCounts {
  std::uint64_t count, bytes;
  std::array<std::uint64_t, 4> reach;  // how many of `count`, by Reach
  std::uint32_t skip;                  // so many operations are not timed from now on
  std::uint16_t flags, unused;         // CellFlags
  std::uint64_t timed;                 // of small accesses: whether they are short in the mean of these
  std::uint64_t short_time;
  std::uint64_t sampled, sample_time, sample_waited;
  std::uint64_t time, waited;  // without these
  std::uint64_t apart;         // of `count`: all of their time is in `time`
  std::uint64_t held;          // locks: between acquisition and release
  std::uint32_t gap, unused2;  // as skip, where a trace has the start and the end of every operation
  std::array<std::uint64_t, kBuckets> sizes;
};
enum CellFlags : std::uint16_t { kCellTraced = 1, kCellSampled = 2 };

struct CellKey {
  Kind kind;
  std::uint32_t file;  // offset of its name; 0: not known
  std::int32_t line;
  std::uint32_t unused;
};

// The kinds that are counted by pair: of operations that have an owner, and messages.
inline constexpr std::array kPairKinds{
    Kind::kGet,        Kind::kPut,         Kind::kMemget,       Kind::kMemput,        Kind::kMemcpy,
    Kind::kMemset,     Kind::kNbGet,       Kind::kNbPut,        Kind::kNbCopy,        Kind::kNbSet,
    Kind::kVis,        Kind::kAtomic,      Kind::kLock,         Kind::kLockAttempt,   Kind::kUnlock,
    Kind::kSemPost,    Kind::kSemWait,     Kind::kRequestShort, Kind::kRequestMedium, Kind::kRequestLong,
    Kind::kReplyShort, Kind::kReplyMedium, Kind::kReplyLong,
};
// Where a kind is in kPairKinds. Of others: at the end, where nothing is read.
inline constexpr std::size_t kNoPairKind = kPairKinds.size();
inline constexpr auto kPairIndex = [] {
  std::array<std::uint8_t, kKinds> index{};
  index.fill(kNoPairKind);
  for (std::size_t i = 0; i < kPairKinds.size(); ++i) index[static_cast<unsigned>(kPairKinds[i])] = i;
  return index;
}();

// What the thread did to the memory of another one, or to its own.
struct Pair {
  struct Direction {
    std::uint64_t count, bytes;
    void add(std::uint64_t size) noexcept {
      ++count;
      bytes += size;
    }
  };
  struct OfKind {
    Direction reads, writes;
    // An operation with two ends has its time with the farther one. Of samples: scaled.
    std::uint64_t time, waited;
  };
  std::array<OfKind, kPairKinds.size() + 1> kinds;
  std::array<std::uint64_t, kBuckets> sizes;
};

inline constexpr std::uint64_t kRecordMagic = 0x3252535453525055u;  // "UPRSTSR2"

struct RecordHeader {
  std::uint64_t magic;
  std::uint32_t thread, threads, rank, ranks;
  std::uint32_t cells, name_bytes;  // the cell 0 is that of messages outside of operations, and has no kind
  std::uint64_t start_ticks, start_ns;  // both clocks at two moments
  std::uint64_t last_ticks, last_ns;
  std::uint64_t lost;  // operations whose line found no cell
  std::uint32_t threads_of_job;
  std::uint32_t ended_with_job;  // 1: its process has ended without an error of its own, and was not killed
  char host[64], program[64], conduit[16];
};

inline std::size_t record_bytes(std::uint32_t threads) noexcept {
  constexpr std::size_t kPerCell = sizeof(CellCounts) + sizeof(CellKey);
  return (sizeof(RecordHeader) + 63) / 64 * 64 + kMaxCells * kPerCell + threads * sizeof(Pair) +
         kMaxNameBytes;
}

// The arrays of a record.
class RecordView {
 public:
  explicit RecordView(char* memory) noexcept : memory_(memory) {}
  RecordHeader& header() const noexcept { return *reinterpret_cast<RecordHeader*>(memory_); }
  CellCounts* counts() const noexcept {
    return reinterpret_cast<CellCounts*>(memory_ + (sizeof(RecordHeader) + 63) / 64 * 64);
  }
  Pair* pairs() const noexcept { return reinterpret_cast<Pair*>(counts() + kMaxCells); }
  CellKey* keys() const noexcept { return reinterpret_cast<CellKey*>(pairs() + header().threads); }
  char* names() const noexcept { return reinterpret_cast<char*>(keys() + kMaxCells); }

  // The counts as a block (block.hpp), in nanoseconds, as of the header's last moment. Empty: it is damaged.
  std::vector<char> block() const;

 private:
  char* memory_;
};

}  // namespace upcr::observe
