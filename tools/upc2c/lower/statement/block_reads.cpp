// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/statement/block_reads.hpp"

#include <algorithm>

#include "tools/upc2c/analysis/references.hpp"
#include "tools/upc2c/lower/lower.hpp"

namespace upc2c {
namespace {

constexpr std::uint64_t kMaxWord = 8;  // of one load
// Of the buffers in a function's frame, which may be there many times.
constexpr std::size_t kMaxBuffers = 2048;

}  // namespace

void BlockReads::enter(const Node* block, std::span<Node* const> items) {
  const Function* function = lower_.functions.current();
  if (!block->has_upc || function == nullptr || lower_.optimized_loops.in_expression()) return;
  if (!lower_.loops.may_coalesce(*function)) return;
  if (!planned_.insert(block).second) return;
  BlockPlan plan = plan_block(
      items, lower_.stream, [this](const Node* item) { return lower_.loops.is_wanted(*item); },
      [this](const Expr* part) { return lower_.repeated.is_planned(part) || lower_.reads_once.has(part); });
  for (ReadGroup& group : plan.groups) groups_[group.before].push_back(std::move(group));
  lower_.repeated.add(std::move(plan.repeats));
}

void BlockReads::leave(std::span<Node* const> items) {
  for (const Node* item : items)
    if (const auto found = groups_.find(item); found != groups_.end())
      for (const ReadGroup& group : found->second)
        for (const GroupedRead& read : group.reads) values_.erase(read.access);
  lower_.repeated.leave(items);
}

std::string BlockReads::before(const Node* item) {
  std::string out = lower_.repeated.elements(item);
  out += fetch(item);
  return out + lower_.repeated.values(item);
}

std::string BlockReads::fetch(const Node* item) {
  const auto found = groups_.find(item);
  if (found == groups_.end()) return {};
  std::vector<std::pair<const ReadGroup*, Address>> together;
  std::string read;
  std::size_t bytes = 0;
  for (const ReadGroup& group : found->second) {
    if (is_private(group)) continue;
    const ReadPlace& place = group.place;
    const Address object =
        place.pointed ? lower_.addresses.element(place.object) : lower_.addresses.of(place.object);
    if (object.align < group.align) continue;  // in a packed structure
    read += (read.empty() ? "" : "; ") + names(group);
    bytes += place.size;
    together.emplace_back(&group, object);
  }
  if (together.empty() || (together.size() == 1 && !together[0].first->several) || !have_room(bytes))
    return {};
  std::vector<Fetch> fetches;
  for (const auto& [group, object] : together) fetches.push_back(fetch(*group, object));
  const bool split = fetches.size() > 1;
  if (reported_.insert(item).second)
    lower_.diagnostics.report(Diag::kFetched, item->tokens.begin, "private where mapped, else fetched %: %",
                              {split ? "at the same time" : "together", read});
  if (split) return Positions::on_one_line(started_together(fetches));
  const Fetch& one = fetches[0];
  return Positions::on_one_line(one.declaration + "const char *const " + one.name + " = " +
                                call("upc2c_object", {one.bytes, one.pointer, one.offset, one.size}) + "; ");
}

bool BlockReads::have_room(std::size_t bytes) {
  if (const Function* function = lower_.functions.current(); function != function_) {
    function_ = function;
    buffers_ = 0;
  }
  if (buffers_ + bytes > kMaxBuffers) return false;
  buffers_ += bytes;
  return true;
}

std::string BlockReads::started_together(const std::vector<Fetch>& fetches) {
  const std::string gets = lower_.splice.temporary("gets"), started = lower_.splice.temporary("started");
  std::string declarations, far, starts;
  for (const Fetch& one : fetches) {
    const std::string pointer = lower_.splice.temporary("p");
    declarations += one.declaration + "const upcr_pshared_ptr_t " + pointer + " = " + one.pointer +
                    "; const char *" + one.name + "; ";
    far += (far.empty() ? "" : " | ") + call("upc2c_is_far", {"&" + one.name, pointer, one.offset, one.size});
    starts += one.name + " = " +
              call("upc2c_start_get", {one.bytes, pointer, one.offset, one.size, gets, "&" + started}) + "; ";
  }
  return declarations + "if (__builtin_expect(" + far + ", 0)) { upcr_handle_t " + gets + "[" +
         std::to_string(fetches.size()) + "]; size_t " + started + " = 0; " + starts +
         call("upc2c_finish_gets", {gets, started}) + "; } ";
}

// Whether this is the text of a loop that accesses them through private pointers.
bool BlockReads::is_private(const ReadGroup& group) const {
  return std::any_of(group.reads.begin(), group.reads.end(),
                     [this](const GroupedRead& read) { return lower_.private_runs.has(read.access); });
}

BlockReads::Fetch BlockReads::fetch(const ReadGroup& group, const Address& object) {
  const ReadPlace& place = group.place;
  const std::string first = std::to_string(place.offset);
  Fetch out;
  out.bytes = lower_.splice.temporary("bytes");
  out.name = lower_.splice.temporary("object");
  out.size = std::to_string(place.size);
  out.declaration = "char " + out.bytes + "[" + out.size + "] __attribute__((aligned(" +
                    std::to_string(group.align) + "))); ";
  out.pointer = object.phased ? call("upcr_shared_to_pshared", {object.pointer}) : object.pointer;
  out.offset = object.offset == "0" ? first
               : place.offset == 0  ? object.offset
                                    : object.offset + " + " + first;
  for (const GroupedRead& read : group.reads) {
    const std::string type = lower_.accesses.specifier(read.access->type);
    const std::string address = out.name + (read.offset == 0 ? "" : " + " + std::to_string(read.offset));
    values_[read.access] = call(read.size <= kMaxWord ? "UPC2C_LOAD" : "UPC2C_COPY", {type, address});
  }
  return out;
}

std::string BlockReads::names(const ReadGroup& group) const {
  std::string out;
  for (const GroupedRead& read : group.reads)
    if (const std::string name = quoted(source_text(read.access, lower_.stream));
        out.find(name) == std::string::npos)
      out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::string BlockReads::value(const Expr* access) const {
  const auto found = values_.find(access);
  return found == values_.end() ? "" : found->second;
}

}  // namespace upc2c
