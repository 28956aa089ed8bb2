// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/observe/report/timeline_messages.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "upcr/observe/report/text.hpp"

namespace upcr::observe {

void TimelineMessages::add(const Place& place, Kind kind, const PartEvent& e) {
  auto file = files_.find(place.file);
  if (file == files_.end()) file = files_.emplace(place.file).first;
  ends_.push_back(
      {place.row, place.clock, place.at, place.length, &*file, place.line, kind, e.peer, e.bytes, e.waited});
}

// Those whose two ends are there: the other end may be lost, or on a thread that records nothing.
std::vector<TimelineMessages::Pair> TimelineMessages::pairs() const {
  const auto key = [&](std::size_t i) {
    const End& e = ends_[i];
    const bool handled = is_handler(e.kind);
    const std::uint32_t here = e.row.process;
    return std::tuple(handled ? e.peer : here, handled ? here : e.peer, e.number, handled);
  };
  const auto same_message = [&](std::size_t a, std::size_t b) {
    const auto [from_a, to_a, number_a, handled_a] = key(a);
    const auto [from_b, to_b, number_b, handled_b] = key(b);
    return std::tie(from_a, to_a, number_a) == std::tie(from_b, to_b, number_b) && !handled_a && handled_b;
  };
  std::vector<std::size_t> sorted(ends_.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<Pair> found;
  for (std::size_t i = 0; i + 1 < sorted.size(); ++i)
    if (same_message(sorted[i], sorted[i + 1])) found.push_back({sorted[i], sorted[i + 1]});
  return found;
}

// The moment of a short handler is read behind its reply (conduits/core/am/handler_observer.hpp). A thread
// that lost its processor between them has read it when the reply had arrived. The handler's event follows
// that of its reply and has its moment.
void TimelineMessages::place_before_handler(const Pair& pair) {
  End& sent = ends_[pair.sent];
  const End& handled = ends_[pair.handled];
  if (sent.clock != handled.clock || sent.at <= handled.at) return;
  if (pair.sent + 1 < ends_.size()) {
    End& next = ends_[pair.sent + 1];
    if (next.kind == Kind::kRequestHandler && next.row.thread == sent.row.thread && next.at == sent.at)
      next.at = handled.at;
  }
  sent.at = handled.at;
}

void TimelineMessages::write(TraceEvents& out) {
  const std::vector<Pair> arrows = pairs();
  for (const Pair& pair : arrows) place_before_handler(pair);
  for (const End& e : ends_)
    out.span(e.row, name_of(e.kind), kCategory, e.at, e.length, [&](JsonWriter& json) {
      if (!e.file->empty()) json.member("line", text_of_place(*e.file, e.line));
      json.member("bytes", e.bytes);
      json.member(is_handler(e.kind) ? "from process" : "to process", e.peer);
    });
  // In clocks of two hosts the end may be before the start, by less than the clocks' difference.
  for (const auto& [sent, handled] : arrows)
    out.arrow("message", kCategory, {ends_[sent].row, ends_[sent].at},
              {ends_[handled].row, ends_[handled].at});
}

}  // namespace upcr::observe
