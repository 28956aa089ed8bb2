// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/io/transfer.hpp"

#include <fcntl.h>

#include <cerrno>

#include "conduits/core/progress/progress.hpp"
#include "upcr/io/chunk.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {
namespace {

constexpr std::uint64_t kChunkBytes = 2 << 20;

// A lock on the part of the file that a transfer touches. It belongs to the open file, which each UPC thread
// has for itself. The holder only reads or writes, so waiting for it in the kernel cannot deadlock.
class ExtentLock {
 public:
  ExtentLock(int fd, bool write, ByteRange hull) : fd_(fd) {
    lock_.l_type = static_cast<short>(write ? F_WRLCK : F_RDLCK);
    lock_.l_whence = SEEK_SET;
    lock_.l_start = static_cast<off_t>(hull.begin);
    lock_.l_len = static_cast<off_t>(hull.bytes());
    int status;
    while ((status = fcntl(fd_, F_OFD_SETLKW, &lock_)) != 0 && errno == EINTR) {
    }
    error_ = status == 0 ? 0 : errno;
  }
  ~ExtentLock() {
    if (error_ != 0) return;
    lock_.l_type = F_UNLCK;
    (void)fcntl(fd_, F_OFD_SETLK, &lock_);
  }
  ExtentLock(const ExtentLock&) = delete;
  int error() const noexcept { return error_; }

 private:
  int fd_, error_ = 0;
  struct flock lock_ {};
};

// The smallest range of the file that contains all of the share.
ByteRange hull_of(const FileStream& file, const Share& share) {
  ByteRange hull{UINT64_MAX, 0};
  const auto& extents = file.extents();
  share.each([&](ByteRange range) {
    for (std::size_t e = file.find(range.begin); e < extents.size() && extents[e].at.begin < range.end; ++e) {
      const std::uint64_t begin = std::max(range.begin, extents[e].at.begin),
                          end = std::min(range.end, extents[e].at.end);
      hull.begin = std::min(hull.begin, extents[e].offset + (begin - extents[e].at.begin));
      hull.end = std::max(hull.end, extents[e].offset + (end - extents[e].at.begin));
    }
    return true;
  });
  return hull.end == 0 ? ByteRange{} : hull;
}

}  // namespace

Transfer::Transfer() = default;
Transfer::~Transfer() = default;

void Transfer::begin() {
  share.each([&](ByteRange range) {
    chunks_.emplace_back(new Chunk);
    if (!chunks_.back()->plan(memory, range)) error = ENOMEM;
    return error == 0;
  });
  if (!write || error != 0) return;
  for (const auto& chunk : chunks_) chunk->gather_start();
  for (const auto& chunk : chunks_) chunk->gather_end();
}

void Transfer::file_part() {
  if (error != 0 || chunks_.empty()) return;
  const auto all = [&] {
    for (const auto& chunk : chunks_)
      if (error == 0) error = chunk->do_file(write, fd, file, &moved);
  };
  if (!strong) return all();
  const ExtentLock lock(fd, write, hull_of(file, share));
  error = lock.error();
  all();
}

void Transfer::finish() {
  if (!write && error == 0) {
    for (const auto& chunk : chunks_) chunk->scatter_start();
    for (const auto& chunk : chunks_) chunk->scatter_end();
  }
  chunks_.clear();
}

// Two buffers in turn: while the kernel uses one, transfers with remote memory fill or empty the other one.
void Transfer::run_in_chunks() {
  Chunk pair[2];
  Chunk* before = nullptr;  // of a write: brought, or being brought
  unsigned turn = 0;
  const auto finish_before = [&] {
    if (before == nullptr) return;
    before->gather_end();
    error = before->do_file(true, fd, file, &moved);
  };
  share.each([&](ByteRange range) {
    for (std::uint64_t at = range.begin; at < range.end && error == 0; at += kChunkBytes) {
      Chunk& chunk = pair[turn];
      turn ^= 1;
      if (!write) chunk.scatter_end();
      if (!chunk.plan(memory, {at, std::min(at + kChunkBytes, range.end)})) {
        error = ENOMEM;
        break;
      }
      if (write) {
        chunk.gather_start();
        finish_before();
        before = &chunk;
      } else {
        const std::uint64_t moved_before = moved;
        error = chunk.do_file(false, fd, file, &moved);
        if (error == 0) chunk.scatter_start();
        // The file's end: nothing more comes of the one extent that there is.
        if (file.extents().size() == 1 && moved - moved_before < chunk.range().bytes()) return false;
      }
      job().progress.poll();
    }
    return error == 0;
  });
  if (write && error == 0) finish_before();
  for (Chunk& chunk : pair) chunk.scatter_end();  // nothing is under way when the buffers go
}

void Transfer::run() {
  if (!strong) return run_in_chunks();
  begin();
  file_part();
  finish();
}

}  // namespace upcr
