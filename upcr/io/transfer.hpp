// SPDX-License-Identifier: BSD-3-Clause
// One thread's part of a read or write: moves it between memory and the file, in chunks. The kernel reads and
// writes memory directly where it is mapped here and in large pieces; the rest passes through a buffer per
// chunk, in the order of the file: small blocks are copied, memory that is not mapped here is transferred by
// one put or get per thread that owns some of it (data sieving).
//
// UPC threads, not in a handler; file_part() alone runs on any thread.
#pragma once
#include <memory>
#include <vector>

#include "upcr/io/streams.hpp"

namespace upcr {

class Chunk;

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

  // All of it; polls for messages between chunks.
  void run();

  // In three parts, for asynchronous operations. begin(): gets the memory that is not mapped here, of a
  // write. file_part(): reads or writes the file, using nothing of the runtime but `moved` and `error`.
  // finish(): puts the memory that is not mapped here, of a read.
  void begin();
  void file_part();
  void finish();

 private:
  void run_in_chunks();
  std::vector<std::unique_ptr<Chunk>> chunks_;
};

}  // namespace upcr
