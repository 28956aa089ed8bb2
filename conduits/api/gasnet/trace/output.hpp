// SPDX-License-Identifier: BSD-3-Clause
// Where statistics or the trace of a node go: a file of its own, or one that nodes share. Any thread.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace upcr::gasnet {

class Output {
 public:
  // Reads GASNET_<what>FILE, _<what>MASK and _<what>NODES. False: this node writes nothing. A file cannot be
  // opened: a warning. `other`: null, or what is open already, perhaps into the same file.
  bool open(const std::string& what, unsigned node, bool truncate, const Output* other);
  // The mask has this letter. 'U' always is in it.
  bool wants(char letter) const noexcept;
  // Writes a whole line, perhaps later: at the latest when the process has ended, by its keeper (keeper.hpp).
  void add(std::string_view line) noexcept;
  void flush() noexcept;
  // The same in the handler of a fatal signal, unless another thread adds a line at this moment.
  void flush_in_crash() noexcept;
  // In the keeper. The node was killed, perhaps while it wrote: it writes what is not in the file yet, and
  // from then on each line at once.
  void take_over() noexcept;
  // The node was killed while it wrote.
  bool was_writing() const noexcept { return buffer_ != nullptr && buffer_->is_written.load(); }
  int file() const noexcept { return file_; }  // -1: nothing is written
  // Writes each line at once.
  void set_unbuffered() noexcept { flushes_ = true; }

 private:
  static constexpr std::size_t kBuffer = 64 << 10;
  // Outlives the process. Only whole lines are counted.
  struct Buffer {
    std::atomic<std::size_t> used{0};
    std::atomic<bool> is_written{false};  // from now on a part of it may be in the file
    off_t position = 0;                   // of the file before that
    char text[kBuffer];
  };
  void lock_file() const noexcept;
  void unlock_file() const noexcept;
  void write_buffer() noexcept;
  int write_all_of_buffer() noexcept;       // 0, or the error of write()
  int write_from(std::size_t at) noexcept;  // likewise
  std::size_t find_written() const noexcept;

  std::string variable_, name_;  // GASNET_TRACEFILE; the file's name
  int file_ = -1;
  bool is_shared_ = false;      // by nodes
  std::recursive_mutex mutex_;  // guards the buffer; an error while a line is added ends the trace
  Buffer* buffer_ = nullptr;
  std::uint32_t letters_ = 0;
  bool flushes_ = false;
  bool has_warned_ = false;  // that lines are lost
};

// The name of a node's file: runs of % are its number.
std::string file_of_node(const std::string& name, unsigned node);

}  // namespace upcr::gasnet
