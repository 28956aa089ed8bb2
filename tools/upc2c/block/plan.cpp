// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/block/plan.hpp"

#include <utility>

namespace upc2c {
namespace {

bool is_access(const Event& event) {
  return event.kind == Event::Kind::kRead || event.kind == Event::Kind::kWrite;
}

}  // namespace

BlockPlan plan_block(std::span<Node* const> items, const TokenStream& stream,
                     const std::function<bool(const Node*)>& wanted,
                     const std::function<bool(const Expr*)>& done) {
  std::vector<ItemEvents> all;
  std::size_t chances = 0;  // to meet an access again
  bool open = false;        // what was accessed may be accessed again
  for (const Node* item : items) {
    if (item == nullptr || (!open && !item->has_upc)) continue;
    std::vector<Event> events = events_of(item, stream);
    std::erase_if(events,
                  [&](const Event& event) { return event.kind == Event::Kind::kRead && done(event.access); });
    for (const Event& event : events) {
      if (is_access(event)) open = true;
      if (is_access(event) || event.kind == Event::Kind::kBranches) chances++;
      if (event.kind == Event::Kind::kOrder) open = false;
    }
    if (open || !events.empty()) all.push_back({item, std::move(events)});
  }
  if (chances < 2) return {};
  BlockPlan plan;
  plan.groups = find_read_groups(all, stream, wanted);
  plan.repeats = find_repeats(all, plan.groups, stream, wanted, done);
  return plan;
}

}  // namespace upc2c
