// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/statement/member_reads.hpp"

#include <algorithm>

#include "tools/upc2c/loop/references.hpp"
#include "tools/upc2c/lower/lower.hpp"

namespace upc2c {
namespace {

constexpr std::uint64_t kMaxWord = 8;  // of one load

// On the line where it is written: the expression of an object may stand on several.
std::string on_one_line(const std::string& text) {
  std::string out = Positions::without_marks(text);
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out;
}

}  // namespace

void MemberReads::enter(const Node* block, std::span<Node* const> items) {
  const Function* function = lower_.functions.current();
  if (!block->has_upc || function == nullptr || lower_.optimized_loops.in_expression()) return;
  if (!lower_.loops.may_coalesce(*function)) return;
  if (!planned_.insert(block).second) return;
  for (MemberGroup& group : find_member_groups(
           items, lower_.stream, [this](const Node* item) { return lower_.loops.is_wanted(*item); }))
    groups_[group.before].push_back(std::move(group));
}

void MemberReads::leave(std::span<Node* const> items) {
  for (const Node* item : items)
    if (const auto found = groups_.find(item); found != groups_.end())
      for (const MemberGroup& group : found->second)
        for (const MemberRead& read : group.reads) values_.erase(read.access);
}

std::string MemberReads::fetch(const Node* item) {
  const auto found = groups_.find(item);
  if (found == groups_.end()) return {};
  std::string out, fetched;
  for (const MemberGroup& group : found->second) {
    if (is_private(group)) continue;
    const std::string text = fetch(group);
    if (!text.empty()) fetched += (fetched.empty() ? "" : "; ") + names(group);
    out += text;
  }
  if (!out.empty() && reported_.insert(item).second)
    lower_.diagnostics.report(Diag::kMembers, item->tokens.begin,
                              "private where mapped, else fetched together: %", {fetched});
  return out;
}

// Whether this is the text of a loop that accesses them through private pointers.
bool MemberReads::is_private(const MemberGroup& group) const {
  return std::any_of(group.reads.begin(), group.reads.end(),
                     [this](const MemberRead& read) { return lower_.private_runs.has(read.access); });
}

std::string MemberReads::fetch(const MemberGroup& group) {
  const MemberPlace& place = group.place;
  const Address object =
      place.pointed ? lower_.addresses.element(place.object) : lower_.addresses.of(place.object);
  if (object.align < group.align) return {};
  const std::string buffer = lower_.splice.temporary("bytes"), members = lower_.splice.temporary("members"),
                    size = std::to_string(place.size), first = std::to_string(place.offset);
  const std::string pointer =
      object.phased ? call("upcr_shared_to_pshared", {object.pointer}) : object.pointer;
  const std::string offset = object.offset == "0" ? first
                             : place.offset == 0  ? object.offset
                                                  : object.offset + " + " + first;
  for (const MemberRead& read : group.reads) {
    const std::string type = lower_.accesses.specifier(read.access->type);
    const std::string address = members + (read.offset == 0 ? "" : " + " + std::to_string(read.offset));
    values_[read.access] = call(read.size <= kMaxWord ? "UPC2C_LOAD" : "UPC2C_COPY", {type, address});
  }
  return on_one_line("char " + buffer + "[" + size + "] __attribute__((aligned(" +
                     std::to_string(group.align) + "))); const char *const " + members + " = " +
                     call("upc2c_members", {buffer, pointer, offset, size}) + "; ");
}

std::string MemberReads::names(const MemberGroup& group) const {
  std::string out;
  for (const MemberRead& read : group.reads)
    if (const std::string name = quoted(source_text(read.access, lower_.stream));
        out.find(name) == std::string::npos)
      out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::string MemberReads::value(const Expr* access) const {
  const auto found = values_.find(access);
  return found == values_.end() ? "" : found->second;
}

}  // namespace upc2c
