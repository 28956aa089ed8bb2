// SPDX-License-Identifier: BSD-3-Clause
// A completion queue of a device, for the queue pairs that were created with it. It grows with them
// (ibv_resize_cq); where the device cannot do that, DeviceQueues creates another one.
//
// Every work request that is posted has room in it, also an unsignalled one: when a queue pair breaks, all of
// them complete.
//
// Threads: open(), add_link() and remove_link() on the service thread, which alone creates and destroys queue
// pairs; the rest under the conduit's lock; close() on the main thread. Verbs allow a queue to be resized
// while it is polled.
#pragma once
#include <infiniband/verbs.h>

#include <algorithm>
#include <cstddef>

namespace upcr::ibv {

// How many entries a completion queue needs.
struct CompletionNeeds {
  unsigned room = 0;         // for work requests of the data path, of all queue pairs together
  unsigned of_link = 0;      // for the receives of one queue pair
  unsigned own_of_link = 0;  // for its work requests beside those of the data path
  std::size_t shared = 0;  // buffers in the shared receive queue, which bound the receives; 0: there is none

  constexpr std::size_t entries(std::size_t links) const noexcept {
    const std::size_t receives = links * of_link;
    return room + links * own_of_link + (shared != 0 ? std::min(receives, shared) : receives);
  }
  // The entries of a queue that is to grow from `now` for so many queue pairs: at least twice as many, so
  // that it grows seldom. 0: the device, which allows `most`, has none that long.
  constexpr std::size_t grown(std::size_t now, std::size_t links, std::size_t most) const noexcept {
    const std::size_t needed = entries(links);
    return needed > most ? 0 : std::min(std::max(needed, 2 * now), most);
  }
};

class CompletionQueue {
 public:
  // Creates one for at least `links` queue pairs. Null on success, else the name of what has failed; then
  // errno says why.
  const char* open(ibv_context* context, ibv_comp_channel* channel, const CompletionNeeds& needs,
                   std::size_t links, std::size_t most);
  void close(const char* device) noexcept;

  ibv_cq* queue() const noexcept { return queue_; }
  std::size_t entries() const noexcept { return entries_; }
  // Makes sure that there is room for one more queue pair; false: it cannot grow.
  bool has_room_for_link();
  void add_link() noexcept { ++links_; }
  void remove_link() noexcept { --links_; }

  // Room for completions of posted work requests of the data path, and how much there is when it is empty.
  unsigned room() const noexcept { return room_; }
  unsigned whole_room() const noexcept { return needs_.room; }
  void set_room(unsigned room) noexcept { needs_.room = room_ = room; }
  void use_room() noexcept { --room_; }
  void release_room(unsigned n) noexcept { room_ += n; }
  // Little room is left: every packet is to be signalled, so that none waits for a later one.
  bool is_nearly_full() const noexcept { return room_ < needs_.room / 2; }
  void note_event() noexcept { ++events_; }
  // Acknowledges the events. The next completion makes the channel readable.
  int arm() noexcept;

 private:
  ibv_cq* queue_ = nullptr;
  CompletionNeeds needs_;
  std::size_t most_ = 0, entries_ = 0, links_ = 0;
  unsigned room_ = 0;
  unsigned events_ = 0;  // of the channel, not acknowledged
};

}  // namespace upcr::ibv
