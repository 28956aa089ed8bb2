// SPDX-License-Identifier: BSD-3-Clause
// The cells of an inbox, and the memory of the inboxes. See inbox.hpp.
#include "upcr/coll/call/inbox.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "upcr/coll/call/error_reports.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr::coll {
namespace {

MemoryFile::Area area;
std::size_t bytes_of_one;  // inbox and watchers

char* place_of(Slot thread) noexcept {
  const Topology& t = job().topology;
  return job().memory_file.at<char>(area) + std::size_t{thread - t.window_group_first_slot()} * bytes_of_one;
}

}  // namespace

void plan_inboxes(Job& job) {
  const Topology& t = job.topology;
  bytes_of_one = (sizeof(Inbox) + watcher_bytes(t.slots()) + 4095) / 4096 * 4096;
  area = job.memory_file.reserve(t.window_group_slots() * bytes_of_one, 4096);
}

Inbox* inbox_of(Slot thread) noexcept {
  return job().segments.mapped[thread] != 0 ? reinterpret_cast<Inbox*>(place_of(thread)) : nullptr;
}

std::atomic<std::uint64_t>* watchers_of(Slot thread) noexcept {
  return reinterpret_cast<std::atomic<std::uint64_t>*>(place_of(thread) + sizeof(Inbox));
}

unsigned Inbox::allocate() noexcept {
  if (free_ == 0) return ++fresh_;
  const unsigned number = free_;
  free_ = cell(number).next;
  --free_count_;
  return number;
}

void Inbox::release(unsigned number) noexcept {
  cell(number).next = free_;
  free_ = static_cast<std::uint16_t>(number);
  ++free_count_;
}

bool Inbox::deposit(const Header& header, const void* data, std::size_t bytes) noexcept {
  constexpr std::size_t kRoom = sizeof(Cell::data);
  {
    const std::lock_guard guard(lock_);
    const std::size_t need = bytes == 0 ? 1 : (bytes + kRoom - 1) / kRoom;
    if (need > free_count_ + (kCells - fresh_)) return false;
    const unsigned start = allocate();
    Cell* at = &cell(start);
    at->next_message = 0;
    at->bytes = static_cast<std::uint32_t>(bytes);
    at->header = header;
    for (const char* from = static_cast<const char*>(data);;) {
      const std::size_t piece = std::min(bytes, kRoom);
      if (piece != 0) std::memcpy(at->data, from, piece);
      from += piece;
      bytes -= piece;
      at->next = 0;
      if (bytes == 0) break;
      const unsigned next = allocate();
      at->next = static_cast<std::uint16_t>(next);
      at = &cell(next);
    }
    (last_ != 0 ? cell(last_).next_message : first_) = static_cast<std::uint16_t>(start);
    last_ = static_cast<std::uint16_t>(start);
    stored_.store(stored_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  changes_.fetch_add(1, std::memory_order_release);
  return true;
}

bool Inbox::take(const Header& header, void* data, std::size_t bytes, const char* function) noexcept {
  if (stored_.load(std::memory_order_acquire) == 0) return false;
  std::size_t got;
  {
    const std::lock_guard guard(lock_);
    unsigned before = 0, number = first_;
    while (number != 0 && cell(number).header != header) {
      before = number;
      number = cell(number).next_message;
    }
    if (number == 0) return false;
    Cell* at = &cell(number);
    (before != 0 ? cell(before).next_message : first_) = at->next_message;
    if (last_ == number) last_ = static_cast<std::uint16_t>(before);
    stored_.store(stored_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
    got = at->bytes;
    char* to = static_cast<char*>(data);
    for (std::size_t left = std::min(got, bytes); number != 0;) {
      at = &cell(number);
      const std::size_t piece = std::min(left, sizeof at->data);
      if (piece != 0) std::memcpy(to, at->data, piece);
      to += piece;
      left -= piece;
      const unsigned next = at->next;
      release(number);
      number = next;
    }
  }
  if (got != bytes) report_size_mismatch(function, header.from, got, bytes);
  return true;
}

void Inbox::mark(Slot sender) noexcept {
  marks_[sender % kMarks].fetch_add(1, std::memory_order_release);
  changes_.fetch_add(1, std::memory_order_release);
}

}  // namespace upcr::coll
