// SPDX-License-Identifier: BSD-3-Clause
// Wakes the sleeping threads of a process when something arrives from the network: a thread waits in the
// kernel for the conduit's descriptor (Conduit::wait_fd) and rings the process's doorbells. So a waiting
// thread sleeps on its doorbell alone, which a neighbour rings for its messages and the bell's thread for the
// network's.
//
// The thread costs nothing while no thread sleeps: the kernel reports the descriptor once for each watch()
// (one-shot events), and the thread never touches the conduit.
//
// No wake-up is lost. A thread that goes to sleep, in this order,
//   1. announces itself on its doorbell, so that every later ring counts;
//   2. gets the descriptor from the conduit (AmEngine::arm), which fails when there is work already;
//   3. calls watch();
//   4. waits for its doorbell.
// An arrival before 2 makes 2 fail. An arrival between 2 and 3 makes the descriptor readable, which watch()
// notices. An arrival after 3 wakes the bell's thread, which rings after 1, so 4 returns. When another
// sleeper's arm() makes the descriptor unreadable before the bell's thread has seen it, that arm() fails and
// its caller polls; a thread whose poll has received packets rings all threads of the process
// (AmEngine::Config::on_handlers_run), and a thread that has been rung polls and arms again. A ring that
// comes too early (another thread has done the work) costs a poll.
#pragma once
#include <pthread.h>

#include <cstdint>

namespace upcr {

class NetworkBell {
 public:
  NetworkBell() = default;
  NetworkBell(const NetworkBell&) = delete;
  NetworkBell& operator=(const NetworkBell&) = delete;

  // `fd`: what to wait for. ring(context) is called on the thread. After the conduit's attach, before its
  // detach.
  void start(int fd, void (*ring)(void* context), void* context);
  // Does nothing when the thread does not run.
  void stop();
  // The thread rings when the descriptor is next readable, once. Any thread, after arm().
  void watch() noexcept;

 private:
  static void* run(void* self);
  void listen();
  void add(int fd, std::uint32_t events);

  // Written before the thread starts; it ends before they change.
  int network_fd_ = -1, epoll_fd_ = -1, stop_fd_ = -1;
  void (*ring_)(void*) = nullptr;
  void* context_ = nullptr;
  pthread_t thread_{};
};

}  // namespace upcr
