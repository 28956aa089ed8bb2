// SPDX-License-Identifier: BSD-3-Clause
// The threads of upcr_perf and of gasnet_perf: barriers and values for all of them, the partner to measure
// with, memory that all of them map without the runtime. One object for each thread; every function is
// collective unless its comment says otherwise. UpcrThreadTeam (upcr_thread_team.hpp) has UPC threads,
// GasnetThreadTeam (bench/gasnet/gasnet_thread_team.hpp) client threads of nodes.
#pragma once
#include <cstddef>
#include <cstdint>

namespace perf {

class ThreadTeam {
 public:
  using Thread = std::uint32_t;
  static constexpr std::size_t kBlockBytes = 2u << 20;  // remote memory of each thread to put to and get from
  static constexpr std::size_t kScratchBytes = 1u << 20;

  virtual ~ThreadTeam() = default;
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  // Not collective.
  Thread me() const { return me_; }
  Thread threads() const { return threads_; }
  Thread process() const { return process_; }
  Thread processes() const { return processes_; }
  bool leads() const { return me_ == 0; }
  // The other thread of measurements: the first one of another process, where there is one, else thread 1,
  // else thread 0 itself.
  Thread partner() const { return partner_; }
  bool has_partner() const { return partner_ != 0; }
  bool partner_in_other_process() const { return partner_elsewhere_; }
  bool participates() const { return me_ == 0 || me_ == partner_; }
  // Where the partner's block is mapped in this process, or null; this thread's own block.
  virtual std::uint64_t* target_here() const = 0;
  virtual char* mine_here() const = 0;
  // kScratchBytes that all threads have mapped; null where they are not on one host.
  char* scratch() const { return scratch_; }

  virtual void barrier() const = 0;
  // The value that `thread` passes.
  std::uint64_t value_of(Thread thread, std::uint64_t value) const;
  // The value that thread 0 passes.
  std::uint64_t value_of_leader(std::uint64_t value) const { return value_of(0, value); }
  // Whether `mine` is true on all threads.
  bool all(bool mine) const;
  // The largest of the values of all threads.
  std::uint64_t largest(std::uint64_t mine) const;

 protected:
  ThreadTeam(Thread me, Thread threads, Thread process, Thread processes)
      : me_(me), threads_(threads), process_(process), processes_(processes) {}
  // To be called once, at the end of the constructor: finds the partner and maps scratch(). `one_host`: is
  // the caller on thread 0's host?
  void find_partner(bool one_host);

  // A word in each thread's block that belongs to the team, kWord bytes from the block's start.
  virtual std::uint64_t word_of(Thread thread) const = 0;
  virtual void set_word(Thread thread, std::uint64_t value) const = 0;
  static constexpr std::size_t kWord = kBlockBytes - 64;

 private:
  char* map_scratch(bool one_host) const;

  const Thread me_, threads_, process_, processes_;
  Thread partner_ = 0;
  bool partner_elsewhere_ = false;
  char* scratch_ = nullptr;
};

}  // namespace perf
