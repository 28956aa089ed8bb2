// SPDX-License-Identifier: BSD-3-Clause
// Iterates over the stream of a side and divides it into chunks, each copied by one kernel call and described
// in a few words: a box of a section, or a run of a list's addresses or of its regions of one length. No
// memory, no locks, any thread, handlers too; the side outlives the cursor and does not change.
#pragma once
#include "conduits/core/vis/shape.hpp"

namespace upcr {

// How the description of a run gives its places (wire.hpp): as addresses; as distances from box.base, the
// lowest of them, of 32 bits; as steps from box.base, the first of them, of 16 bits with a sign.
enum class VisPlaces : std::uint8_t { kAddresses, kOffsets, kSteps };
// Of one place.
constexpr std::size_t description_of(VisPlaces places) noexcept {
  return places == VisPlaces::kAddresses ? 8 : places == VisPlaces::kOffsets ? 4 : 2;
}

// Addresses with the side's delta already added.
struct VisChunk {
  VisSection box;                            // dims 0 for a plain piece
  const std::uint64_t* addresses = nullptr;  // not null: a run of addresses of box.elem bytes each instead
  const VisRegion* regions = nullptr;        // not null: the same, as regions
  std::uint64_t delta = 0;                   // to be added to them
  std::size_t count = 0;                     // of the addresses or regions
  VisPlaces places = VisPlaces::kAddresses;  // box.base has the delta added
  unsigned step = 0;                         // of kSteps: the logarithm of its bytes
  std::size_t bytes = 0;

  bool is_run() const noexcept { return addresses != nullptr || regions != nullptr; }
  std::size_t description() const noexcept;  // the length of its description (wire.hpp)
  void pack(void* to) const noexcept;
  void unpack(const void* from) const noexcept;
  VisSide side() const noexcept;  // lists stay where they are
};

class VisCursor {
 public:
  // The position of a cursor, for a later one: in a list the entry and the byte in it, in a section the byte
  // of the stream.
  struct Mark {
    std::uint64_t entry = 0, byte = 0;
  };

  explicit VisCursor(const VisSide& side) noexcept;
  VisCursor(const VisSide& side, Mark mark) noexcept;

  Mark mark() const noexcept { return {entry_, byte_}; }
  bool is_list() const noexcept { return side_.kind != VisSide::Kind::kSection; }
  // Contiguous bytes from here on; 0 at the end.
  std::size_t contiguous() const noexcept;
  // Returns the next piece, of at most `most` bytes (not 0), and advances. Not at the end.
  VisRegion next_region(std::size_t most) noexcept;
  // Advances.
  void skip(std::size_t bytes) noexcept;
  // The limits of a chunk: bytes of data, and `total` for its description (below) alone or, with data_counts,
  // for both. There must be room for the description of a plain piece and one byte. `words`: where the
  // description's places will be, behind its head (wire.hpp); steps are written there in the pass that finds
  // out how far they reach. Null: places are no steps.
  struct Room {
    std::size_t bytes;
    std::size_t total;
    bool data_counts;
    char* words = nullptr;
  };
  VisChunk next_chunk(const Room& room) noexcept;

  // The next `bytes` bytes of the stream to or from contiguous memory.
  void pack(void* to, std::size_t bytes) noexcept;
  void unpack(const void* from, std::size_t bytes) noexcept;

 private:
  void seek_section(std::uint64_t byte) noexcept;
  void skip_empty() noexcept;
  void advance(unsigned level, std::size_t steps) noexcept;
  VisChunk next_box(const Room& room) noexcept;
  VisChunk next_run(const Room& room) noexcept;
  struct Run {
    std::size_t count;
    std::uint64_t low;
  };
  Run near_run(std::size_t most) const noexcept;
  std::size_t write_steps(std::size_t most, unsigned step, char* to) const noexcept;
  std::size_t equal_lengths(std::size_t most) const noexcept;
  VisChunk piece(std::size_t most) noexcept;

  const VisSide& side_;
  std::uint64_t entry_ = 0;   // lists
  std::uint64_t byte_ = 0;    // lists: in the entry; sections: of the stream
  std::uint64_t within_ = 0;  // sections: in the element
  std::uint64_t here_ = 0;    // sections: address of the element
  bool ended_ = false;        // sections
  std::size_t index_[kVisDims];
};

// Lengths of the parts of a chunk's description (wire.hpp).
inline constexpr std::size_t kVisHead = 16, kVisPerDim = 16;
inline constexpr std::size_t kVisPerAddress = description_of(VisPlaces::kAddresses);
inline constexpr std::size_t kVisPerOffset = description_of(VisPlaces::kOffsets);
inline constexpr std::size_t kVisPerStep = description_of(VisPlaces::kSteps);

inline std::size_t VisChunk::description() const noexcept {
  if (!is_run()) return kVisHead + box.dims * kVisPerDim;
  return kVisHead + count * description_of(places);
}

}  // namespace upcr
