// SPDX-License-Identifier: BSD-3-Clause
// One place of the tree that runs the bootstrap's collectives (wire.hpp): it collects the contributions of
// consecutive ranks, those of its own processes or of the places below it, until the collective is complete
// here. upcrun, an agent and a relay have one each. Knows nothing of sockets and links.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conduits/core/bootstrap/upcrun/wire.hpp"

namespace upcrun {

// The most bytes of all processes together in one collective: they travel in one frame, and each host has
// memory for them.
inline constexpr std::uint64_t kMaxCollectiveBytes = std::uint64_t{1} << 30;

// What `header` says has been contributed, or is handed out. Of contributions, `total` is the number of bytes
// of each process (kGather), or of the root (kBroadcast).
struct Contribution {
  upcr::wire::Header header;
  std::string bytes;
};

class Collection {
 public:
  // Of `count` ranks from `first` on, of a job of `size` processes.
  Collection(unsigned first, unsigned count, unsigned size);

  // A packet of the process of rank `first` + `member`. Returns what the process has done wrong, for "process
  // ... has ...", or nothing.
  std::string add(unsigned member, const upcr::wire::Header& header, std::string_view chunk);
  // What was collected from `count` members in another place.
  std::string add_range(unsigned member, unsigned count, const upcr::wire::Header& header,
                        std::string_view bytes);

  // Whether some have arrived; or all.
  bool begun() const noexcept { return begun_; }
  bool complete() const noexcept { return arrived_count_ == arrived_.size(); }
  bool arrived(unsigned member) const noexcept { return arrived_[member]; }
  upcr::wire::Type type() const noexcept { return header_.type; }
  // The contributions of all members, and begins the next collective.
  Contribution take();

 private:
  std::string begin(const upcr::wire::Header& header);
  bool has_root(unsigned member, unsigned count) const noexcept;
  // Where the bytes of the member begin, and how many it has to contribute.
  std::size_t offset_of(unsigned member) const noexcept;

  const unsigned first_, size_;
  std::vector<std::size_t> received_;  // bytes of each member
  std::vector<bool> arrived_;
  unsigned arrived_count_ = 0;
  bool begun_ = false;
  upcr::wire::Header header_{};
  std::string bytes_;
};

}  // namespace upcrun
