// SPDX-License-Identifier: BSD-3-Clause
// The memory of a record (record.hpp), while its UPC thread runs. Only its own thread uses it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "upcr/observe/record.hpp"

namespace upcr::observe {

// Makes a file of so many bytes, whose memory outlives the process however it ends, and maps it. Null, and
// errno says why, when it cannot be made. Also for timelines (trace.hpp).
char* map_new_file(const std::string& path, std::size_t bytes) noexcept;

// It stays mapped until the process ends, whose end is noted in it by any thread.
class RecordMemory {
 public:
  // Makes the file `path`, or without a path private memory. `about`: what the header says of the thread.
  // Null, and errno says why, when it cannot be made.
  static std::unique_ptr<RecordMemory> make(const std::string& path, const RecordHeader& about);
  RecordMemory(const RecordMemory&) = delete;
  RecordMemory& operator=(const RecordMemory&) = delete;

  const RecordView& view() const noexcept { return view_; }
  // The header's last moment is now.
  void read_clocks() noexcept;
  // Its number; 0: there is no room for more.
  std::uint32_t add_cell(Kind kind, const char* file, int line, std::uint16_t flags) noexcept;
  bool has_file() const noexcept { return !path_.empty(); }
  void remove_file() noexcept;

 private:
  RecordMemory(std::string path, char* memory) : path_(std::move(path)), view_(memory) {}
  std::uint32_t name(const char* file) noexcept;

  std::string path_;
  RecordView view_;
};

}  // namespace upcr::observe
