// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/statement/repeated.hpp"

#include <algorithm>
#include <utility>

#include "tools/upc2c/analysis/references.hpp"
#include "tools/upc2c/lower/lower.hpp"

namespace upc2c {

void Repeated::add(Repeats repeats) {
  for (RepeatedRead& read : repeats.reads) {
    planned_.insert(read.reads.begin(), read.reads.end());
    reads_[read.before].push_back(std::move(read));
  }
  for (RepeatedElement& element : repeats.elements) {
    for (const ElementAccess& access : element.accesses) planned_.insert(access.element);
    elements_[element.before].push_back(std::move(element));
  }
  for (const ReadAgain& again : repeats.again)
    lower_.diagnostics.report(Diag::kAgain, again.read->tokens.begin, "read again: %: %",
                              {quoted(source_text(again.read, lower_.stream)), again.reason});
}

void Repeated::leave(std::span<Node* const> items) {
  if (values_.empty() && pointers_.empty()) return;
  for (const Node* item : items) {
    if (const auto found = reads_.find(item); found != reads_.end())
      for (const RepeatedRead& read : found->second)
        for (const Expr* access : read.reads) values_.erase(access);
    if (const auto found = elements_.find(item); found != elements_.end())
      for (const RepeatedElement& element : found->second)
        for (const ElementAccess& access : element.accesses) pointers_.erase(access.element);
  }
}

std::string Repeated::elements(const Node* item) {
  const auto found = elements_.find(item);
  if (found == elements_.end()) return {};
  std::string out, names;
  for (const RepeatedElement& element : found->second) {
    // A loop that accesses it through private pointers has found it.
    if (std::any_of(element.accesses.begin(), element.accesses.end(),
                    [this](const ElementAccess& access) { return lower_.private_runs.has(access.access); }))
      continue;
    const Expr* lvalue = element.accesses.front().element;
    const Address place = lower_.addresses.of(lvalue);
    if (place.proxy || place.offset != "0") continue;  // nothing is computed
    const std::string name = lower_.splice.temporary("element");
    out += "const upcr_" + std::string(place.phased ? "shared" : "pshared") + "_ptr_t " + name + " = " +
           place.pointer + "; ";
    names += (names.empty() ? "" : ", ") + quoted(source_text(lvalue, lower_.stream));
    for (const ElementAccess& access : element.accesses) pointers_[access.element] = name;
  }
  if (!names.empty())
    lower_.diagnostics.report(Diag::kFoundOnce, item->tokens.begin, "found once: %", {names});
  return Positions::on_one_line(out);
}

std::string Repeated::values(const Node* item) {
  const auto found = reads_.find(item);
  if (found == reads_.end()) return {};
  std::string out, names;
  for (const RepeatedRead& read : found->second) {
    if (std::any_of(read.reads.begin(), read.reads.end(),
                    [this](const Expr* access) { return lower_.private_runs.has(access); }))
      continue;
    const Expr* first = read.reads.front();
    const std::string name = lower_.splice.temporary("value");
    // Behind the type: a pointer is constant then, not what it points to.
    out +=
        lower_.accesses.specifier(first->type) + " const " + name + " = " + lower_.accesses.get(first) + "; ";
    names += (names.empty() ? "" : ", ") + quoted(source_text(first, lower_.stream));
    for (const Expr* access : read.reads) values_[access] = name;
  }
  if (!names.empty()) lower_.diagnostics.report(Diag::kOnce, item->tokens.begin, "read once: %", {names});
  return Positions::on_one_line(out);
}

std::string Repeated::value(const Expr* access) const {
  const auto found = values_.find(access);
  return found == values_.end() ? "" : found->second;
}

const std::string* Repeated::element(const Expr* lvalue) const {
  const auto found = pointers_.find(lvalue);
  return found == pointers_.end() ? nullptr : &found->second;
}

}  // namespace upc2c
