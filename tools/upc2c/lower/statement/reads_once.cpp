// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/statement/reads_once.hpp"

#include "tools/upc2c/analysis/references.hpp"
#include "tools/upc2c/lower/lower.hpp"

namespace upc2c {

void ReadsOnce::enter(const std::vector<FixedRead>& reads) {
  for (const FixedRead& read : reads) {
    objects_.push_back({lower_.splice.temporary("value"), lower_.splice.temporary("is_read"), false});
    for (const Expr* access : read.reads) of_[access] = objects_.size() - 1;
  }
}

std::string ReadsOnce::leave(const Node& loop, const std::vector<FixedRead>& reads, std::string text) {
  std::string declarations, names;
  const std::size_t first = objects_.size() - reads.size();
  for (std::size_t i = 0; i < reads.size(); i++) {
    const Object& object = objects_[first + i];
    const Expr* lvalue = reads[i].reads.front();
    for (const Expr* access : reads[i].reads) of_.erase(access);
    if (!object.used) continue;
    declarations += lower_.accesses.specifier(lvalue->type) + " " + object.value + " = {0}; char " +
                    object.is_read + " = 0; ";
    names += (names.empty() ? "" : ", ") + quoted(source_text(lvalue, lower_.stream));
  }
  objects_.resize(first);
  if (declarations.empty()) return text;
  lower_.diagnostics.report(Diag::kOnce, loop.tokens.begin, "read once for the loop: %", {names});
  return "{ " + Positions::on_one_line(declarations) + text + " }";
}

std::string ReadsOnce::value(const Expr* access, const std::function<std::string()>& read) {
  const auto found = of_.find(access);
  if (found == of_.end()) return {};
  Object& object = objects_[found->second];
  object.used = true;
  return call("UPC2C_ONCE", {object.value, object.is_read, read()});
}

}  // namespace upc2c
