// SPDX-License-Identifier: BSD-3-Clause
// A chunk of a transfer, done at once: the memory that the kernel accesses directly, and the part that passes
// through a buffer.
#pragma once
#include <sys/uio.h>

#include <memory>
#include <vector>

#include "conduits/core/model/completion.hpp"
#include "upcr/io/streams.hpp"

namespace upcr {

class Chunk {
 public:
  // Builds the list of memory for this part of the stream. False: out of memory.
  bool plan(const MemStream& memory, ByteRange range);
  ByteRange range() const noexcept { return range_; }

  // Writes: gathers into the buffer. gather_start() starts the gets, gather_end() waits for them.
  void gather_start();
  void gather_end();
  // Moves bytes between the file and memory. The ranges that a read filled are kept for scatter.
  // Returns an errno value or 0; *moved grows. Any thread.
  int do_file(bool write, int fd, const FileStream& file, std::uint64_t* moved);
  // Reads: scatters from the buffer. scatter_start() starts the puts, scatter_end() waits for them.
  void scatter_start();
  void scatter_end();

 private:
  struct Staged {  // a part of one shared region
    const MemRegion* region;
    ByteRange at;  // in the stream
  };
  bool stage(const MemRegion& region, ByteRange at);
  void add_iovec(char* address, std::uint64_t bytes);
  char* buffer_at(std::uint64_t position) const noexcept { return buffer_.get() + (position - range_.begin); }
  char* pack_at(std::uint64_t position) const noexcept { return pack_.get() + (position - range_.begin); }
  void unpack(const Staged& staged);
  void deliver(const MemRegion& region, ByteRange at);

  ByteRange range_;
  std::vector<iovec> iov_;  // covers the range
  std::vector<Staged> staged_;
  std::vector<ByteRange> read_ranges_;  // by a read, in the stream
  // As long as the chunk, in its order; pages that are not used cost nothing. In pack_ the bytes of one owner
  // are contiguous, as they are in its memory.
  std::unique_ptr<char[]> buffer_, pack_;
  std::uint64_t capacity_ = 0;
  Pending pending_;
};

}  // namespace upcr
