// SPDX-License-Identifier: BSD-3-Clause
// A completion queue of a device, for the queue pairs that were created with it. It grows with them
// (ibv_resize_cq); where the device cannot do that, DeviceQueues creates another one.
//
// Every work request that is posted has room in it, also an unsignalled one: when a queue pair breaks, all of
// them complete. Each send path has its part of the room, of which it decides alone.
//
// Threads: open(), add_links() and remove_links() on the service thread, which alone creates and destroys
// queue pairs; close() on the main thread; a CompletionRoom under the lock of its send path; the rest under
// the conduit's. Verbs allow a queue to be resized while it is polled.
#pragma once
#include <infiniband/verbs.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace upcr::ibv {

// How many entries a completion queue needs.
struct CompletionNeeds {
  unsigned room = 0;         // for work requests of the data path, of all queue pairs of a send path together
  unsigned of_link = 0;      // for the receives of one queue pair
  unsigned own_of_link = 0;  // for its work requests beside those of the data path
  std::size_t shared = 0;  // buffers in the shared receive queue, which bound the receives; 0: there is none
  unsigned paths = 1;      // send paths

  // The least for one queue pair of so many connections, beside the room of the data path.
  constexpr std::size_t of_queue_pair(unsigned links) const noexcept {
    return of_link + std::size_t{own_of_link} * links;
  }

  constexpr std::size_t entries(std::size_t links) const noexcept {
    const std::size_t receives = links * of_link;
    return std::size_t{room} * paths + links * own_of_link +
           (shared != 0 ? std::min(receives, shared) : receives);
  }
  // The entries of a queue that is to grow for so many connections: it gets room for twice as many, so that
  // it grows seldom. 0: the device, which allows `most`, has none that long.
  constexpr std::size_t grown(std::size_t links, std::size_t most) const noexcept {
    return entries(links) > most ? 0 : std::min(entries(2 * links), most);
  }
};

// Room for completions of posted work requests of the data path: a send path's part of a completion queue.
class alignas(64) CompletionRoom {
 public:
  void open(unsigned room) noexcept { whole_ = room_ = room; }
  unsigned room() const noexcept { return room_; }
  // How much there is when nothing is posted.
  unsigned whole() const noexcept { return whole_; }
  void use() noexcept { --room_; }
  void release(unsigned n) noexcept { room_ += n; }
  // Little room is left: every packet is to be signalled, so that none waits for a later one.
  bool is_nearly_full() const noexcept { return room_ < whole_ / 2; }

  // Counts operations in progress. is_busy(): any thread.
  void operation_started() noexcept {
    operations_.store(operations_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void operation_ended() noexcept {
    operations_.store(operations_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  }
  bool is_busy() const noexcept { return operations_.load(std::memory_order_relaxed) != 0; }

 private:
  unsigned whole_ = 0, room_ = 0;
  std::atomic<std::uint32_t> operations_{0};
};

class CompletionQueue {
 public:
  // Creates one for at least `links` connections. Null on success, else the name of what has failed; then
  // errno says why.
  const char* open(ibv_context* context, ibv_comp_channel* channel, const CompletionNeeds& needs,
                   std::size_t links, std::size_t most);
  void close(const char* device) noexcept;

  ibv_cq* queue() const noexcept { return queue_; }
  std::size_t entries() const noexcept { return entries_; }
  // Makes sure that there is room for so many more connections; false: it cannot grow.
  bool has_room_for_links(std::size_t links);
  void add_links(std::size_t links) noexcept { links_ += links; }
  void remove_links(std::size_t links) noexcept { links_ -= links; }

  CompletionRoom& room_of(unsigned path) noexcept { return rooms_[path]; }
  // Is an operation in progress? Any thread.
  bool is_busy() const noexcept {
    return std::any_of(&rooms_[0], &rooms_[needs_.paths],
                       [](const CompletionRoom& r) { return r.is_busy(); });
  }
  void note_event() noexcept { ++events_; }
  // Acknowledges the events. The next completion makes the channel readable.
  int arm() noexcept;

 private:
  ibv_cq* queue_ = nullptr;
  CompletionNeeds needs_;
  std::size_t most_ = 0, entries_ = 0, links_ = 0;
  std::unique_ptr<CompletionRoom[]> rooms_;  // of each send path
  unsigned events_ = 0;                      // of the channel, not acknowledged
};

}  // namespace upcr::ibv
