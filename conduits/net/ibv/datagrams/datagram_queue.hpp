// SPDX-License-Identifier: BSD-3-Clause
// The queue pair of a port for datagrams, with its buffers. What does not fit into a queue gets lost: senders
// repeat. Its Q_Key comes from the job's secret, so that the device drops what others send.
//
// Threads: constructor and destructor on the main thread; the rest on the service thread, but open().
#pragma once
#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "conduits/net/ibv/connector/clock.hpp"
#include "conduits/net/ibv/datagrams/path.hpp"

namespace upcr::ibv {

class DatagramQueue {
 public:
  // Ends the job if the device has no such queue pair.
  explicit DatagramQueue(const Port& port);
  // Waits until what was sent has left, for a moment at most.
  ~DatagramQueue();
  DatagramQueue(const DatagramQueue&) = delete;
  DatagramQueue& operator=(const DatagramQueue&) = delete;

  std::uint32_t number() const noexcept { return qp_->qp_num; }
  // Datagrams arrive from now on. Main thread.
  void open(std::uint64_t secret, std::uint16_t partition);

  int fd() const noexcept { return channel_->fd; }  // readable when something has arrived
  // May something be sent?
  bool has_room();
  // Sends `bytes` bytes, at most kMaxBytes, to the queue pair of this number, if there is room. Returns 0 or
  // errno.
  int send(ibv_ah_attr path, std::uint32_t queue_pair, const void* data, std::size_t bytes);
  // received(data, bytes, from) for each that has arrived; `from`: the address of its sender, for messages.
  template <typename Received>
  void process(Received&& received) {
    acknowledge_events();
    for (ibv_wc completion; ::ibv_poll_cq(receive_cq_, 1, &completion) == 1;) {
      if (!succeeded(completion)) continue;
      char* const buffer = receive_buffer(completion.wr_id);
      if (completion.byte_len > kGlobalHeader)
        received(buffer + kGlobalHeader, completion.byte_len - kGlobalHeader, sender_of(completion, buffer));
      post_receive(completion.wr_id);
    }
    poll_sends();
    if (broken_) restart();
  }

  static constexpr std::size_t kMaxBytes = 64;

 private:
  static constexpr unsigned kReceives = 128, kSends = 32;
  static constexpr std::size_t kGlobalHeader = 40;  // of the device, before what was received
  static constexpr std::size_t kReceiveBytes = kGlobalHeader + kMaxBytes;

  struct Free {
    void operator()(char* memory) const { std::free(memory); }
  };

  void acknowledge_events();
  bool succeeded(const ibv_wc& completion);
  void poll_sends();
  char* receive_buffer(std::uint64_t nth) noexcept { return memory_.get() + nth * kReceiveBytes; }
  char* send_buffer(std::uint64_t nth) noexcept {
    return memory_.get() + kReceives * kReceiveBytes + nth * kMaxBytes;
  }
  std::string sender_of(const ibv_wc& completion, const char* buffer) const;
  void post_receive(std::uint64_t nth);
  int start();
  void restart();

  const Port& port_;
  ibv_comp_channel* channel_ = nullptr;
  ibv_cq* receive_cq_ = nullptr;
  ibv_cq* send_cq_ = nullptr;  // without a channel
  ibv_qp* qp_ = nullptr;
  ibv_mr* mr_ = nullptr;
  std::unique_ptr<char, Free> memory_;  // whole pages: a child of fork() may lose what is registered
  std::vector<std::uint64_t> free_sends_;
  ibv_ah* paths_[kSends]{};  // of what is being sent
  std::uint32_t key_ = 0;
  std::uint16_t partition_ = 0;
  bool broken_ = false;  // a port that is down may leave it in the error state
};

}  // namespace upcr::ibv
