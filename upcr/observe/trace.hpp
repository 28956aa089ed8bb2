// SPDX-License-Identifier: BSD-3-Clause
// Records the operations of one UPC thread in its part (part.hpp). Only its own thread uses it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "upcr/observe/part.hpp"

namespace upcr::observe {

class Trace {
 public:
  // Makes the file `path` for a thread, with room for `events`. Null, and errno says why, when it cannot be
  // made.
  static std::unique_ptr<Trace> make(const std::string& path, std::uint32_t events, std::uint64_t kinds);
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  PartHeader& header() noexcept { return *header_; }
  bool wants(Kind kind) const noexcept { return (kinds_ >> static_cast<unsigned>(kind) & 1) != 0; }
  // Cells are numbered in the order of their creation.
  void add_cell(std::uint32_t number, Kind kind, const char* file, int line) noexcept;
  // Where it is recorded, until later ones take its place (still_has).
  PartEvent* add(const PartEvent& event) noexcept {
    PartEvent* const at = &events_[next_];
    *at = event;
    if (++next_ == header_->event_capacity) next_ = 0;
    // The next event's line comes from afar. Stores leave a processor in their order, so a message behind the
    // event would wait for it.
    __builtin_prefetch(reinterpret_cast<char*>(&events_[next_]) + 64, 1);
    if (++header_->events % kClockInterval == 0) read_clocks();
    return at;
  }
  // How many have been added.
  std::uint64_t events() const noexcept { return header_->events; }
  // Is the last of the first `number` events still recorded?
  bool still_has(std::uint64_t number) const noexcept {
    return header_->events - number < header_->event_capacity;
  }
  // Keeps a copy of a mark's text. Returns where; later ones overwrite it.
  std::uint64_t text(const char* text) noexcept;

  // A copy with nothing but what is used, its events in their order. Then the file may be removed.
  std::vector<char> compact();
  void remove_file() noexcept;

 private:
  // How often both clocks are read, in events: after a crash the length of a tick is known as of then.
  static constexpr std::uint64_t kClockInterval = 256;

  Trace(std::string path, std::uint64_t kinds, char* memory);
  PartCell* cells() noexcept { return reinterpret_cast<PartCell*>(header_ + 1); }
  char* names() noexcept { return reinterpret_cast<char*>(cells() + header_->cell_capacity); }
  char* texts() noexcept { return names() + header_->name_capacity; }
  PartEvent* first_event() noexcept { return reinterpret_cast<PartEvent*>(texts() + header_->text_capacity); }
  std::uint32_t name(const char* file) noexcept;
  void read_clocks() noexcept;

  std::string path_;
  std::uint64_t kinds_;  // a bit for each
  PartHeader* header_;
  PartEvent* const events_;
  std::uint32_t next_ = 0;  // the place of the next event
  const char* last_file_ = nullptr;
  std::uint32_t last_name_ = 0;
};

}  // namespace upcr::observe
