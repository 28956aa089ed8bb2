// SPDX-License-Identifier: BSD-3-Clause
// A process's end of the socket to upcrun. Any thread writes (a packet is one send, so packets of several
// threads never mix); the control thread alone reads. It hands replies to the main thread and ends the
// process when the job ends or the launcher is gone. Private to conduits/core/bootstrap.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "conduits/core/base/system/status.hpp"
#include "conduits/core/base/system/unique_fd.hpp"
#include "conduits/core/bootstrap/open_file.hpp"
#include "conduits/core/bootstrap/upcrun/wire.hpp"

namespace upcr {

class ControlLink {
 public:
  explicit ControlLink(int fd) noexcept;
  ControlLink(const ControlLink&) = delete;
  ControlLink& operator=(const ControlLink&) = delete;
  ~ControlLink() = delete;  // the control thread uses it until the process is gone

  struct Callbacks {
    void (*ended)(int status);          // runs once, after stdio was flushed, when the launcher ends the job
    std::string (*describe_threads)();  // the answer to wire::Type::kWaits
  };
  // Starts the control thread, on which the callbacks run.
  void start(const Callbacks& callbacks);
  // The launcher's part of a collective.
  struct Reply {
    std::size_t total = 0;    // bytes
    std::vector<char> bytes;  // they are here, or in the file
    UniqueFd file;
  };
  // Sends `bytes` bytes and waits for the reply. `value`: the header's.
  Reply collective(wire::Type type, int value, const void* mine, std::size_t bytes);
  // The same without a wait: the collective is complete when has_replied(). For one whose reply has no bytes.
  void begin_collective(wire::Type type, int value, const void* mine, std::size_t bytes);
  bool has_replied() const noexcept { return replied_.load(std::memory_order_acquire); }
  void send(wire::Type type, int value, std::uint64_t total = 0);
  // With a payload, in packets of at most wire::kChunk bytes. Does nothing in a child that the program
  // forked.
  void send(wire::Type type, int value, const std::string& payload);
  // Returns when upcrun says that the process of that rank is alive, and after 20 s at most.
  void await_death_report(Rank peer);
  // Flushes stdio and ends this process; the launcher ends the others.
  [[noreturn]] void global_exit(int status);
  // The same, but the other processes have `grace_ms` to end by themselves.
  [[noreturn]] void leave(int status, unsigned grace_ms);
  // The same without the flush; async-signal-safe.
  [[noreturn]] void abort(int status) noexcept;

 private:
  static void send_crashed(int signal) noexcept;
  static void* run(void* self);
  void wait_for_reply();
  void receive();
  void note_alive(Rank peer);
  void answer(int question);
  void receive_reply(wire::Header header);
  [[noreturn]] void end_process(int status);
  [[noreturn]] void send_and_exit(const wire::Header& header);
  void send_chunk(const wire::Header& header, const void* payload, std::size_t bytes);
  // A child that the program forked is no member of the job: it only ends itself.
  bool in_forked_child() const noexcept;

  const int fd_;
  const OpenFile socket_, errors_;  // what it is, and what standard error is, at the start
  const pid_t pid_;
  Callbacks callbacks_{};
  std::atomic_flag ending_ = ATOMIC_FLAG_INIT;

  std::mutex mutex_;  // guards the reply that the main thread waits for; it reads replied_ without
  std::condition_variable arrived_;
  wire::Type awaited_{};
  Reply reply_;
  std::size_t reply_got_ = 0;
  std::atomic<bool> replied_ = false;  // the reply is complete

  std::mutex alive_mutex_;
  std::condition_variable alive_changed_;
  std::set<Rank> alive_;  // guarded by alive_mutex_: of the processes about which this one has asked
};

}  // namespace upcr
