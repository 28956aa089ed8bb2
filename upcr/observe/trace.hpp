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
  void add(const PartEvent& event) noexcept;
  // Keeps a copy of a mark's text. Returns where; later ones overwrite it.
  std::uint64_t text(const char* text) noexcept;

  // A copy with nothing but what is used, its events in their order. Then the file may be removed.
  std::vector<char> compact();
  void remove_file() noexcept;

 private:
  Trace(std::string path, std::uint64_t kinds, char* memory);
  PartCell* cells() noexcept { return reinterpret_cast<PartCell*>(header_ + 1); }
  char* names() noexcept { return reinterpret_cast<char*>(cells() + header_->cell_capacity); }
  char* texts() noexcept { return names() + header_->name_capacity; }
  PartEvent* events() noexcept { return reinterpret_cast<PartEvent*>(texts() + header_->text_capacity); }
  std::uint32_t name(const char* file) noexcept;
  void read_clocks() noexcept;

  std::string path_;
  std::uint64_t kinds_;  // a bit for each
  PartHeader* header_;
  std::uint32_t next_ = 0;  // the place of the next event
  const char* last_file_ = nullptr;
  std::uint32_t last_name_ = 0;
};

}  // namespace upcr::observe
