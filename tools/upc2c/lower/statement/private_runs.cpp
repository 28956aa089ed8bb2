// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/statement/private_runs.hpp"

#include <utility>

#include "tools/upc2c/lower/lower.hpp"

namespace upc2c {

std::string PrivateRuns::lvalue(const Expr* shared) const {
  const auto found = accesses_.find(shared);
  if (found == accesses_.end() || found->second.pointed) return {};
  const std::string irregular = address(shared);
  if (irregular.empty()) return found->second.lvalue;
  return "(*(" + lower_.type_texts.spell(shared->type.unqualified()) + " *)(" + irregular + "))";
}

std::string PrivateRuns::address(const Expr* shared) const {
  const auto found = accesses_.find(shared);
  if (found == accesses_.end()) return {};
  if (!found->second.array.empty()) return lower_.addresses.in_array(shared, found->second.array).address;
  if (!found->second.anywhere) return {};
  const Address address =
      found->second.pointed ? lower_.addresses.element(shared) : lower_.addresses.of(shared);
  return call("upc2c_mapped" + std::string(address.kind()), {address.pointer, address.offset});
}

std::string PrivateRuns::value(const Expr* shared) const {
  const auto found = accesses_.find(shared);
  // A pointer to the object of an atomic operation may be read from shared memory: that is no access of it.
  if (found == accesses_.end() || found->second.pointed) return {};
  std::string element = lvalue(shared);
  if (found->second.plain) return element;
  return call("UPC2C_LOAD", {lower_.type_texts.spell(shared->type.unqualified()), "&" + element});
}

const std::string* PrivateRuns::step(const Expr* expr) const {
  const auto found = steps_.find(expr);
  return found == steps_.end() ? nullptr : &found->second;
}

PrivateRuns::Steps PrivateRuns::replace_steps(Steps steps) { return std::exchange(steps_, std::move(steps)); }

PrivateRuns::Accesses PrivateRuns::replace(Accesses accesses) {
  return std::exchange(accesses_, std::move(accesses));
}

}  // namespace upc2c
