// SPDX-License-Identifier: BSD-3-Clause
// Where statistics or the trace of a node go: a file of its own, or one that nodes share. Any thread.
#pragma once
#include <cstdint>
#include <mutex>
#include <string>

namespace upcr::gasnet {

class Output {
 public:
  // Reads GASNET_<what>FILE, _<what>MASK and _<what>NODES. False: this node writes nothing. A file cannot be
  // opened: a warning.
  bool open(const std::string& what, unsigned node, bool truncate);
  // The mask has this letter. 'U' always is in it.
  bool wants(char letter) const noexcept;
  // Writes a whole line, perhaps later. Buffered lines are written when the process ends in order, by an
  // error or by a fatal signal.
  void add(const std::string& line) noexcept;
  void flush() noexcept;
  // The same in the handler of a fatal signal, unless another thread adds a line at this moment.
  void flush_in_crash() noexcept;
  // Writes each line at once.
  void set_unbuffered() noexcept { flushes_ = true; }

 private:
  static constexpr std::size_t kBuffer = 64 << 10;
  void write_buffer() noexcept;
  void write_all_of_buffer() noexcept;

  int file_ = -1;
  std::recursive_mutex mutex_;  // guards the buffer; an error while a line is added ends the trace
  std::string buffer_;
  std::uint32_t letters_ = 0;
  bool flushes_ = false;
};

// The name of a node's file: runs of % are its number.
std::string file_of_node(const std::string& name, unsigned node);

}  // namespace upcr::gasnet
