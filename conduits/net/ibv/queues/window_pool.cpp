// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/queues/window_pool.hpp"

#include <algorithm>

namespace upcr::ibv {

void WindowPool::set_capacity(unsigned credits) {
  capacity_ = credits;
  if (!is_covered())
    reclaim(nullptr, dealt_ - capacity_);
  else
    serve();
}

void WindowPool::join(Window& window) {
  window.seen_ = window.asked_ = window.traffic();
  const unsigned half = std::min(capacity_, final_capacity_ / 2);
  if (dealt_ >= half || stopped_) return;
  const unsigned more = std::min({most_ - window.target(), half - dealt_, unused()});
  if (more != 0) raise(window, more);
}

void WindowPool::leave(Window& window) {
  const unsigned extra = window.share() - std::min(window.share(), kMinCredits);
  if (window.target() < window.share()) reclaiming_ -= window.share() - window.target();
  dealt_ -= extra;
  std::erase(sharing_, &window);
  std::erase(waiting_, &window);
  std::erase(settling_, &window);
  std::erase(announcements_, &window);
  window.sharing_ = window.waiting_ = window.to_announce_ = false;
  serve();
}

void WindowPool::starved(Window& window) {
  if (stopped_) return;
  shrink(window);
  if (window.target() <= window.peer_share()) return want(window, 2 * window.target(), true);
  if (window.asks_ || window.unconfirmed()) return;
  window.asks_ = true;
  window.set_target(window.target());
  announce(window);
}

// As starved(), shrink() and want() would decide.
bool WindowPool::may_help(const Window& window) const noexcept {
  if (stopped_) return false;
  if (window.to_shrink_ && window.is_settled()) return true;
  if (window.target() > window.peer_share()) return !window.asks_ && !window.unconfirmed();
  const unsigned share = std::min(2 * window.target(), most_);
  if (share <= window.target()) return false;
  return !window.waiting_ || share > window.wanted_ ||
         static_cast<std::uint16_t>(window.traffic() - window.asked_) >= kPatience;
}

void WindowPool::peer_share_changed(Window& window, unsigned share, bool asks) {
  window.to_shrink_ = share < window.peer_share();
  window.asks_ = false;
  window.set_peer_share(share);
  if (asks && !stopped_) want(window, share, false);
  shrink(window);
}

// What exceeds the peer's share is of no use, unless the peer has been asked to follow. It is given up, and
// so a later starved() asks again.
void WindowPool::shrink(Window& window) {
  const unsigned share = std::max<unsigned>(window.peer_share(), kMinCredits);
  if (!window.to_shrink_ || stopped_ || !window.is_settled()) return;
  window.to_shrink_ = false;
  if (window.target() > share) lower(window, share);
}

// `ask`: this process is starved, and the peer is to be asked for as much.
void WindowPool::want(Window& window, unsigned share, bool ask) {
  share = std::min(share, most_);
  if (share <= window.target()) return;
  if (window.waiting_) {
    window.wanted_ = static_cast<std::uint16_t>(std::max<unsigned>(share, window.wanted_));
  } else {
    const unsigned more = share - window.target(), now = waiting_.empty() ? std::min(more, unused()) : 0;
    if (window.is_settled() && now != 0) {
      raise(window, now);
      window.asks_ = ask;
    }
    if (window.target() == share) return;
    window.wanted_ = static_cast<std::uint16_t>(share);
    window.waiting_ = true;
    waiting_.push_back(&window);
    window.asked_ = static_cast<std::uint16_t>(window.traffic() - kPatience);
  }
  if (static_cast<std::uint16_t>(window.traffic() - window.asked_) < kPatience) return;
  window.asked_ = window.traffic();
  const unsigned missing = std::min<unsigned>(window.wanted_ - window.target(), window.target());
  const unsigned coming = unused() + reclaiming_;
  if (missing > coming) reclaim(&window, missing - coming);
}

void WindowPool::raise(Window& window, unsigned by) {
  dealt_ += by;
  window.set_target(window.target() + by);
  announce(window);
  if (window.sharing_) return;
  window.sharing_ = true;
  window.seen_ = window.traffic();
  sharing_.push_back(&window);
}

void WindowPool::lower(Window& window, unsigned share) {
  reclaiming_ += window.target() - share;
  window.set_target(share);
  settling_.push_back(&window);
  announce(window);
}

// One round of the hand.
void WindowPool::reclaim(const Window* requester, unsigned credits) {
  unsigned found = 0;
  Window* largest = nullptr;
  for (std::size_t visited = 0; visited < sharing_.size() && found < credits; ++visited) {
    hand_ = hand_ + 1 < sharing_.size() ? hand_ + 1 : 0;
    Window& window = *sharing_[hand_];
    if (&window == requester || !window.is_settled() || window.target() <= kMinCredits) continue;
    const std::uint16_t traffic = window.traffic();
    if (traffic == window.seen_ || requester == nullptr) {
      found += window.target() - kMinCredits;
      lower(window, kMinCredits);
      continue;
    }
    window.seen_ = traffic;
    if (largest == nullptr || window.target() > largest->target()) largest = &window;
  }
  if (found == 0 && largest != nullptr && requester != nullptr && largest->target() > 2 * requester->target())
    lower(*largest, largest->target() / 2);
}

// Gives what is unused to those that wait, in turns: a share doubles at most in each.
void WindowPool::serve() {
  for (std::size_t i = 0; i < waiting_.size() && unused() != 0;) {
    Window& window = *waiting_[i];
    const unsigned missing = window.wanted_ > window.target() ? window.wanted_ - window.target() : 0;
    if (missing != 0 && !window.is_settled()) {  // its turn comes when its last change is confirmed
      ++i;
      continue;
    }
    const unsigned now = std::min({missing, unused(), window.target()});
    if (now != 0) raise(window, now);
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
    window.waiting_ = now < missing;
    if (window.waiting_) waiting_.push_back(&window);
  }
}

void WindowPool::confirmed(Window& window) {
  window.confirmed();
  settle_now();
  shrink(window);
  serve();
}

void WindowPool::settle_now() {
  unsigned given_back = 0;
  std::erase_if(settling_, [&](Window* window) {
    given_back += window->settle();
    if (!window->is_settled()) return false;
    if (window->target() <= kMinCredits && window->sharing_) {
      window->sharing_ = false;
      std::erase(sharing_, window);
    }
    return true;
  });
  if (given_back == 0) return;
  dealt_ -= given_back;
  reclaiming_ -= given_back;
  serve();
}

void WindowPool::announce(Window& window) {
  if (window.to_announce_) return;
  window.to_announce_ = true;
  announcements_.push_back(&window);
}

void WindowPool::announced(Window& window) {
  window.to_announce_ = false;
  std::erase(announcements_, &window);
}

}  // namespace upcr::ibv
