// SPDX-License-Identifier: BSD-3-Clause
// What a collective of the bootstrap has gathered: an entry of every rank, in rank order, read-only. The
// memory is this process's own, or a file that all processes of the host have mapped.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace upcr {

class Table {
 public:
  Table() = default;
  explicit Table(std::vector<char> own) noexcept
      : own_(std::move(own)), at_(own_.data()), bytes_(own_.size()) {}
  // Takes over the mapping of `bytes` bytes at `mapped`.
  Table(void* mapped, std::size_t bytes) noexcept : mapped_(mapped), at_(mapped), bytes_(bytes) {}
  Table(Table&& other) noexcept { swap(other); }
  Table& operator=(Table&& other) noexcept {
    Table taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~Table() {
    if (mapped_ != nullptr) (void)::munmap(mapped_, bytes_);
  }

  const void* data() const noexcept { return at_; }
  std::size_t bytes() const noexcept { return bytes_; }
  template <typename Entry>
  std::span<const Entry> of() const noexcept {
    return {static_cast<const Entry*>(at_), bytes_ / sizeof(Entry)};
  }
  // Whether the host's processes have one copy of it together.
  bool shared() const noexcept { return mapped_ != nullptr; }

 private:
  void swap(Table& other) noexcept {
    own_.swap(other.own_);
    std::swap(mapped_, other.mapped_);
    std::swap(at_, other.at_);
    std::swap(bytes_, other.bytes_);
  }

  std::vector<char> own_;
  void* mapped_ = nullptr;
  const void* at_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace upcr
