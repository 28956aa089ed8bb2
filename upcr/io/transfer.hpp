// SPDX-License-Identifier: BSD-3-Clause
// One thread's part of a read or write: moves it between memory and the file, in windows. Memory that is
// mapped here and comes in large pieces is read and written by the kernel directly; the rest passes through
// a buffer per window, in the order of the file: small blocks are copied, what is not mapped travels as one
// put or get per thread that owns some of it.
//
// UPC threads, not in a handler; file_part() alone runs on any thread.
#pragma once
#include <memory>
#include <vector>

#include "upcr/io/streams.hpp"

namespace upcr {

class Window;

struct Transfer {
  Transfer();
  ~Transfer();

  bool write = false;
  bool strong = false;  // UPC_STRONG_CA
  int fd = -1;
  MemStream memory;
  FileStream file;
  Share share;

  // The outcome.
  int error = 0;
  std::uint64_t moved = 0;  // bytes

  // All of it; serves peers between windows.
  void run();

  // In three parts, for asynchronous operations: what is not mapped here is brought; the file is read or
  // written, with no other part of the runtime but `moved` and `error` touched; what is not mapped is
  // sent.
  void begin();
  void file_part();
  void finish();

 private:
  void run_in_chunks();
  std::vector<std::unique_ptr<Window>> windows_;
};

}  // namespace upcr
