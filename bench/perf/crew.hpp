// SPDX-License-Identifier: BSD-3-Clause
// What the UPC threads of upcr_perf share: agreement, the partner to measure with, memory that all of them
// can reach without upcr. One object a UPC thread; everything is collective unless it says otherwise.
#pragma once
#include <upcr.h>

#include <cstddef>
#include <cstdint>

namespace perf {

class Crew {
 public:
  static constexpr std::size_t kBlockBytes = 2u << 20;  // shared memory of each thread to put to and get from
  static constexpr std::size_t kRawBytes = 1u << 20;

  Crew();

  // Not collective.
  upcr_thread_t me() const { return me_; }
  upcr_thread_t threads() const { return threads_; }
  bool leads() const { return me_ == 0; }
  // Whom thread 0 measures with: the first thread of another process where there is one, else thread 1,
  // else thread 0 itself.
  upcr_thread_t partner() const { return partner_; }
  bool has_partner() const { return partner_ != 0; }
  bool takes_part() const { return me_ == 0 || me_ == partner_; }
  // A thread's block; the partner's.
  upcr_shared_ptr_t block_of(upcr_thread_t thread) const { return part(thread, 0); }
  upcr_shared_ptr_t target() const { return block_of(partner_); }
  // Where it is mapped in this process, or null.
  std::uint64_t* target_here() const { return static_cast<std::uint64_t*>(upcr_cast(target())); }
  // This thread's own block.
  char* mine_here() const { return static_cast<char*>(upcr_shared_to_local(part(me_, 0))); }
  // kRawBytes that all threads have mapped, or null when they are not on one host.
  char* raw() const { return raw_; }

  void barrier() const { upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS); }
  // The value of that thread.
  std::uint64_t said_by(upcr_thread_t thread, std::uint64_t value) const;
  // The same with a pointer.
  upcr_shared_ptr_t pointer_of(upcr_thread_t thread, upcr_shared_ptr_t pointer) const;
  // Thread 0's value.
  std::uint64_t agree(std::uint64_t value) const { return said_by(0, value); }
  // Do all threads say so?
  bool all(bool mine) const;
  // Of all threads' values.
  std::uint64_t largest(std::uint64_t mine) const;

 private:
  upcr_shared_ptr_t part(upcr_thread_t thread, std::size_t byte) const {
    return upcr_add_shared(block_, 1, static_cast<std::ptrdiff_t>(thread * kBlockBytes + byte), kBlockBytes);
  }
  std::uint64_t word_of(upcr_thread_t thread) const { return upcr_get_shared_val(part(thread, kWord), 0, 8); }
  void set_word(upcr_thread_t thread, std::uint64_t value) const {
    upcr_put_shared_val(part(thread, kWord), 0, value, 8);
  }
  char* map_raw() const;

  static constexpr std::size_t kWord = kBlockBytes - 64;
  const upcr_thread_t me_ = upcr_mythread(), threads_ = upcr_threads();
  upcr_shared_ptr_t block_;
  upcr_thread_t partner_ = 0;
  char* raw_ = nullptr;
};

}  // namespace perf
