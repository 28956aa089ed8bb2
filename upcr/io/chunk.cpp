// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/io/chunk.hpp"

#include <limits.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "upcr/access/data.hpp"
#include "upcr/io/owners.hpp"

namespace upcr {
namespace {

constexpr std::uint64_t kDirectBytes = 4096;  // smaller blocks are copied: an iovec costs as much as that
constexpr std::size_t kMaxIov = IOV_MAX;

ByteRange common_part(ByteRange a, ByteRange b) {
  const std::uint64_t begin = std::max(a.begin, b.begin);
  return {begin, std::max(begin, std::min(a.end, b.end))};
}

// A position in an iovec list, which advances as far as each system call got.
class IovCursor {
 public:
  explicit IovCursor(const std::vector<iovec>& list) : list_(list) {}
  // The next `bytes` bytes, or as many of them as one system call accepts.
  int next(std::uint64_t bytes, iovec* out) const {
    int n = 0;
    std::size_t i = index_, skip = skip_;
    for (; bytes != 0 && n < static_cast<int>(kMaxIov); ++i, skip = 0, ++n) {
      out[n].iov_base = static_cast<char*>(list_[i].iov_base) + skip;
      out[n].iov_len = std::min<std::uint64_t>(list_[i].iov_len - skip, bytes);
      bytes -= out[n].iov_len;
    }
    return n;
  }
  void advance(std::uint64_t bytes) {
    while (bytes != 0) {
      const std::uint64_t left = list_[index_].iov_len - skip_;
      if (bytes < left) {
        skip_ += bytes;
        return;
      }
      bytes -= left;
      ++index_, skip_ = 0;
    }
  }

 private:
  const std::vector<iovec>& list_;
  std::size_t index_ = 0, skip_ = 0;
};

}  // namespace

void Chunk::add_iovec(char* address, std::uint64_t bytes) {
  if (!iov_.empty() && static_cast<char*>(iov_.back().iov_base) + iov_.back().iov_len == address)
    iov_.back().iov_len += bytes;
  else
    iov_.push_back({address, bytes});
}

bool Chunk::stage(const MemRegion& region, ByteRange at) {
  if (capacity_ < range_.bytes() || buffer_ == nullptr) {
    buffer_.reset(new (std::nothrow) char[range_.bytes()]);
    pack_.reset(new (std::nothrow) char[range_.bytes()]);
    capacity_ = range_.bytes();
    if (buffer_ == nullptr || pack_ == nullptr) {
      capacity_ = 0;
      return false;
    }
  }
  if (!staged_.empty() && staged_.back().region == &region && staged_.back().at.end == at.begin)
    staged_.back().at.end = at.end;
  else
    staged_.push_back({&region, at});
  add_iovec(buffer_at(at.begin), at.bytes());
  return true;
}

bool Chunk::plan(const MemStream& memory, ByteRange range) {
  range_ = range;
  iov_.clear(), staged_.clear(), read_ranges_.clear();
  const auto& regions = memory.regions();
  std::uint64_t at = range.begin;
  for (std::size_t r = memory.find(at); at < range.end; ++r) {
    const MemRegion& region = regions[r];
    const ByteRange here = common_part(region.at, range);
    if (region.local != nullptr) {
      add_iovec(region.local + (here.begin - region.at.begin), here.bytes());
    } else if (region.block != 0 && region.block < kDirectBytes) {
      if (!stage(region, here)) return false;
    } else {
      while (at < here.end) {
        const SharedPiece piece = region.piece(at - region.at.begin);
        const std::uint64_t end = std::min(at + piece.bytes, here.end);
        if (void* const address = mapped(piece.address))
          add_iovec(static_cast<char*>(address), end - at);
        else if (!stage(region, {at, end}))
          return false;
        at = end;
      }
    }
    at = here.end;
  }
  return true;
}

void Chunk::gather_start() {
  for (const Staged& staged : staged_) {
    std::uint64_t packed = staged.at.begin;
    each_owner(*staged.region, staged.at, [&](const Owned& owned) {
      if (const char* from = static_cast<const char*>(mapped(owned.address))) {
        each_piece(*staged.region, staged.at, owned, [&](std::uint64_t position, std::uint64_t bytes) {
          std::memcpy(buffer_at(position), from, bytes);
          from += bytes;
        });
      } else if (owned.pieces == 1) {
        each_piece(*staged.region, staged.at, owned, [&](std::uint64_t position, std::uint64_t bytes) {
          get_bytes_nb(buffer_at(position), owned.address, bytes, pending_);
        });
      } else {
        get_bytes_nb(pack_at(packed), owned.address, owned.bytes, pending_);
        packed += owned.bytes;
      }
    });
  }
}

void Chunk::unpack(const Staged& staged) {
  std::uint64_t packed = staged.at.begin;
  each_owner(*staged.region, staged.at, [&](const Owned& owned) {
    if (owned.pieces == 1 || mapped(owned.address) != nullptr) return;
    each_piece(*staged.region, staged.at, owned, [&](std::uint64_t position, std::uint64_t bytes) {
      std::memcpy(buffer_at(position), pack_at(packed), bytes);
      packed += bytes;
    });
  });
}

void Chunk::gather_end() {
  wait_for(pending_, "memory of other UPC threads that is written to a file");
  for (const Staged& staged : staged_) unpack(staged);
}

int Chunk::do_file(bool write, int fd, const FileStream& file, std::uint64_t* moved) {
  iovec part[kMaxIov];
  IovCursor cursor(iov_);
  const auto& extents = file.extents();
  std::uint64_t at = range_.begin;
  for (std::size_t e = file.find(at); at < range_.end; ++e) {
    const ByteRange here = common_part(extents[e].at, range_);
    while (at < here.end) {
      const int count = cursor.next(here.end - at, part);
      const auto offset = static_cast<off_t>(extents[e].offset + (at - extents[e].at.begin));
      const ssize_t n = write ? pwritev(fd, part, count, offset) : preadv(fd, part, count, offset);
      if (n < 0) {
        if (errno == EINTR) continue;
        return errno;
      }
      if (n == 0) {
        if (write) return EIO;
        break;  // the file's end
      }
      at += static_cast<std::uint64_t>(n);
      *moved += static_cast<std::uint64_t>(n);
      cursor.advance(static_cast<std::uint64_t>(n));
    }
    if (!write && at > here.begin) read_ranges_.push_back({here.begin, at});
    cursor.advance(here.end - at);
    at = here.end;
  }
  return 0;
}

// Scatters the buffer's bytes of [at) to their owners.
void Chunk::deliver(const MemRegion& region, ByteRange at) {
  std::uint64_t packed = at.begin;
  each_owner(region, at, [&](const Owned& owned) {
    if (char* to = static_cast<char*>(mapped(owned.address))) {
      each_piece(region, at, owned, [&](std::uint64_t position, std::uint64_t bytes) {
        std::memcpy(to, buffer_at(position), bytes);
        to += bytes;
      });
      return;
    }
    const char* from = nullptr;
    if (owned.pieces == 1) {
      each_piece(region, at, owned,
                 [&](std::uint64_t position, std::uint64_t) { from = buffer_at(position); });
    } else {
      from = pack_at(packed);
      each_piece(region, at, owned, [&](std::uint64_t position, std::uint64_t bytes) {
        std::memcpy(pack_at(packed), buffer_at(position), bytes);
        packed += bytes;
      });
    }
    put_bytes_nb(owned.address, from, owned.bytes, pending_, &pending_);
  });
}

void Chunk::scatter_start() {
  std::size_t next = 0;
  for (const Staged& staged : staged_) {
    while (next < read_ranges_.size() && read_ranges_[next].end <= staged.at.begin) ++next;
    for (std::size_t g = next; g < read_ranges_.size() && read_ranges_[g].begin < staged.at.end; ++g) {
      const ByteRange valid = common_part(read_ranges_[g], staged.at);
      if (valid.bytes() != 0) deliver(*staged.region, valid);
    }
  }
}

void Chunk::scatter_end() { wait_for(pending_, "memory of other UPC threads that is read from a file"); }

}  // namespace upcr
