// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/observe/trace.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "upcr/observe/clock.hpp"
#include "upcr/observe/record_memory.hpp"

namespace upcr::observe {
namespace {

constexpr std::uint32_t kCells = 4096, kNameBytes = 1 << 16, kTextBytes = 1 << 17;
// Of longer parts the rest takes memory when it is used.
constexpr std::size_t kPopulatedBytes = std::size_t{16} << 20;

}  // namespace

std::unique_ptr<Trace> Trace::make(const std::string& path, std::uint32_t events, std::uint64_t kinds) {
  PartHeader h{};
  h.cell_capacity = kCells;
  h.name_capacity = kNameBytes;
  h.text_capacity = (kinds >> static_cast<unsigned>(Kind::kMark) & 1) != 0 ? kTextBytes : 0;
  h.event_capacity = events;
  h.name_bytes = 1;  // the empty name
  const std::size_t bytes = part_bytes(h);
  char* const memory = map_new_file(path, bytes);
  if (memory == nullptr) return nullptr;
  // Or the first event of each page would take a fault. (What an old kernel refuses is done by the faults.)
  (void)::madvise(memory, std::min(bytes, kPopulatedBytes), MADV_POPULATE_WRITE);
  std::memcpy(memory, &h, sizeof h);
  std::unique_ptr<Trace> trace(new Trace(path, kinds, memory));
  PartHeader& header = trace->header();
  const Moment now = Moment::now();
  header.start_ticks = now.ticks;
  header.start_ns = now.ns;
  trace->read_clocks();
  (void)::gethostname(header.host, sizeof header.host - 1);
  header.magic = kPartMagic;
  return trace;
}

Trace::Trace(std::string path, std::uint64_t kinds, char* memory)
    : path_(std::move(path)),
      kinds_(kinds),
      header_(reinterpret_cast<PartHeader*>(memory)),
      events_(first_event()) {}

Trace::~Trace() { (void)::munmap(header_, part_bytes(*header_)); }

void Trace::read_clocks() noexcept {
  const Moment now = Moment::now();
  header_->last_ticks = now.ticks;
  header_->last_ns = now.ns;
}

std::uint32_t Trace::name(const char* file) noexcept {
  if (file == nullptr) return 0;
  if (file == last_file_) return last_name_;
  const std::size_t bytes = std::strlen(file) + 1;
  if (bytes > header_->name_capacity - header_->name_bytes) return 0;
  std::memcpy(names() + header_->name_bytes, file, bytes);
  last_file_ = file;
  last_name_ = header_->name_bytes;
  header_->name_bytes += static_cast<std::uint32_t>(bytes);
  return last_name_;
}

// One that the end of the ring would cut begins at its beginning.
std::uint64_t Trace::text(const char* text) noexcept {
  const std::size_t bytes = std::strlen(text) + 1;
  const std::uint64_t capacity = header_->text_capacity, room = capacity - header_->text_bytes % capacity;
  if (bytes > room) header_->text_bytes += room;
  const std::uint64_t at = header_->text_bytes;
  header_->text_bytes += bytes;  // before it overwrites others
  std::memcpy(texts() + at % capacity, text, bytes);
  return at;
}

void Trace::add_cell(std::uint32_t number, Kind kind, const char* file, int line) noexcept {
  if (number >= header_->cell_capacity) return;
  cells()[number] = {kind, name(file), line, 0};
  header_->cells = number + 1;
}

std::vector<char> Trace::compact() {
  read_clocks();
  PartHeader h = *header_;
  const std::uint64_t kept = std::min<std::uint64_t>(h.events, h.event_capacity);
  h.cell_capacity = h.cells;
  h.name_capacity = h.name_bytes;
  h.text_capacity = static_cast<std::uint32_t>(std::min<std::uint64_t>(h.text_bytes, h.text_capacity));
  h.event_capacity = static_cast<std::uint32_t>(kept);
  h.lost = h.events - kept;
  h.events = kept;
  std::vector<char> copy(part_bytes(h));
  char* at = copy.data();
  const auto put = [&](const void* from, std::size_t bytes) {
    std::memcpy(at, from, bytes);
    at += bytes;
  };
  put(&h, sizeof h);
  put(cells(), h.cells * sizeof(PartCell));
  put(names(), h.name_bytes);
  put(texts(), h.text_capacity);
  for (std::uint64_t i = h.lost; i < h.lost + kept; ++i)
    put(&events_[i % header_->event_capacity], sizeof(PartEvent));
  return copy;
}

void Trace::remove_file() noexcept { (void)::unlink(path_.c_str()); }

}  // namespace upcr::observe
