// SPDX-License-Identifier: BSD-3-Clause
#include "bench/scale/windows.hpp"

#include <algorithm>
#include <vector>

#include "conduits/net/ibv/queues/completion_queue.hpp"
#include "conduits/net/ibv/queues/receives.hpp"
#include "conduits/net/ibv/queues/window_pool.hpp"

namespace upcr::scale {
namespace {

using ibv::Window;

constexpr unsigned kLongest = 32'767, kCredits = 32;
constexpr unsigned kConnected = 256, kTalking = 32;
constexpr unsigned kRounds = 4'000;

// The other end gives what it is asked for and confirms at once.
std::uint64_t answer(ibv::WindowPool& pool) {
  std::uint64_t messages = 0;
  while (Window* window = pool.next_announcement()) {
    const unsigned share = window->target();
    const bool asks = window->asks();
    pool.announced(*window);
    pool.confirmed(*window);
    if (asks || share < window->peer_share()) {
      pool.peer_share_changed(*window, share, false);
      window->confirm_sent();
      messages += 2;
    }
    messages += 2;
  }
  return messages;
}

// Requests until the window is full, all of which are acknowledged.
void flood(ibv::WindowPool& pool, Window& window) {
  while (window.available() != 0) (void)window.use();
  pool.starved(window);
  (void)window.on_ack(window.sent());
}

}  // namespace

Windows talk(Rank ranks) {
  const unsigned peers = ranks - 1, connected = std::min(peers, kConnected);
  const ibv::SharedReceives queue = ibv::shared_receives(peers, kCredits, kLongest);
  ibv::WindowPool pool;
  pool.open(kCredits, queue.pool);
  std::vector<Window> windows(connected);
  Windows result;
  std::size_t posted = 0;
  for (unsigned i = 0; i < connected; ++i) {
    const ibv::ReceiveCapacity capacity = ibv::capacity_for(i + 1, kCredits, queue, &posted);
    windows[i].open(nullptr, kMinCredits);
    pool.set_capacity(capacity.credits);
    pool.join(windows[i]);
    result.messages += answer(pool);
  }
  // Those that have connected last, which found little in the pool.
  const unsigned talking = std::min(connected, kTalking);
  for (unsigned round = 0; round < kRounds; ++round)
    for (unsigned i = 0; i < talking; ++i) {
      flood(pool, windows[connected - 1 - i]);
      result.messages += answer(pool);
    }
  result.requests = kCredits;
  for (unsigned i = 0; i < talking; ++i)
    result.requests = std::min(result.requests, windows[connected - 1 - i].limit());
  unsigned dealt = 0;
  for (const Window& window : windows) dealt += window.share() - kMinCredits;
  result.right = dealt == pool.dealt() && pool.is_covered() &&
                 connected * ibv::receives_for(kMinCredits) + 2 * dealt <= posted && posted <= queue.most;
  const ibv::CompletionNeeds needs{2048, ibv::receives_for(kCredits), 2, queue.most};
  result.connections = connected;
  result.memory = posted * sizeof(ibv::ReceiveBuffer) + (needs.entries(connected) + queue.most) * 64;
  return result;
}

}  // namespace upcr::scale
