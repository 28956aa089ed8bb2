// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/statement/foralls.hpp"

#include "tools/upc2c/ast/walk.hpp"
#include "tools/upc2c/lower/lower.hpp"
#include "tools/upc2c/type/compat.hpp"

namespace upc2c {
namespace {

// Whether it calls a function that may have a upc_forall in it: any but those of the system's and of the UPC
// library's headers.
bool calls_loops(const Node* node) {
  const auto* call = cast_if<CallExpr>(node);
  if (call == nullptr) return false;
  const auto* callee = cast_if<NameExpr>(call->callee());
  if (callee == nullptr) return true;
  // Without a symbol: a function of the C compiler, or one that is not declared.
  if (callee->symbol == nullptr) return !callee->type.is_unknown();
  return callee->symbol->kind != SymbolKind::kFunction || callee->symbol->origin == Origin::kUser;
}

bool may_call_loops(const Node* body) { return find_below(body, calls_loops) != nullptr; }

}  // namespace

// The declaration of `all`, which says whether every iteration is run. Functions that may have a loop must
// find the control word set.
std::string Foralls::control(const std::string& all, bool calls) {
  return calls ? "upc2c_forall_t " + all + " = upc2c_forall_enter(); "
               : "const int " + all + " = upc2c_in_forall(); ";
}

std::string Foralls::head(const ForallStmt* loop, std::string& before) {
  const auto* declaration = cast_if<Declaration>(loop->init());
  std::string out = "for (";
  if (declaration != nullptr && lower_.declarations.needs_block(declaration)) {
    before = lower_.declarations.text(declaration) + " ";
    out += ";";
  } else {
    out += lower_.splice.text(loop->init());
    if (declaration == nullptr) out += ";";  // a declaration has its own
  }
  out += " " + (loop->condition() == nullptr ? "" : lower_.expressions.condition(loop->condition())) + "; ";
  return out + lower_.splice.text(loop->step()) + ") ";
}

std::string Foralls::owned(const Expr* affinity) {
  const QualType type = lower_.expressions.natural(affinity);
  const std::string value = lower_.expressions.text(affinity);
  if (type.is_pointer_to_shared())
    return call("upcr_hasMyAffinity" + std::string(kind_suffix(type)), {value});
  if (type.is(TypeKind::kInt128) || type.is(TypeKind::kUInt128))
    return call("upc2c_has_affinity", {grouped(value) + " % (__int128)upcr_threads()"});
  const bool wide = type.is_integer() && width_of(type) == 64 && is_unsigned(type, lower_.types.target());
  return call(wide ? "upc2c_has_affinity_unsigned" : "upc2c_has_affinity", {value});
}

std::string Foralls::optimized(const ForallStmt* loop, const LoopPlan& plan, bool distributed) {
  if (!distributed) return lower_.optimized_loops.text(loop, plan, "", "");
  const std::string all = lower_.splice.temporary("all");
  const bool calls = may_call_loops(loop->body());
  const Function* outer = distributed_in_;
  distributed_in_ = lower_.functions.current();
  std::string out = lower_.optimized_loops.text(loop, plan, control(all, calls), calls ? all + ".all" : all);
  distributed_in_ = outer;
  return out;
}

std::string Foralls::text(const ForallStmt* loop) {
  const bool nested = distributed_in_ != nullptr && distributed_in_ == lower_.functions.current();
  const bool distributed = loop->affinity() != nullptr && !nested;
  const LoopPlan plan = lower_.optimized_loops.plan(loop, distributed);
  lower_.reads_once.enter(plan.once);
  std::string text = plan ? optimized(loop, plan, distributed) : general(loop, distributed);
  return lower_.reads_once.leave(*loop, plan.once, std::move(text));
}

std::string Foralls::general(const ForallStmt* loop, bool distributed) {
  const Function* function = lower_.functions.current();
  std::string before;
  if (!distributed) {
    const std::string plain = head(loop, before) + lower_.statements.body(loop->body());
    return before.empty() ? plain : "{ " + before + plain + " }";
  }
  const Function* outer = distributed_in_;
  distributed_in_ = function;
  const std::string all = lower_.splice.temporary("all");
  const std::string first = head(loop, before), own = owned(loop->affinity()),
                    body = lower_.statements.body(loop->body());
  distributed_in_ = outer;
  const bool calls = may_call_loops(loop->body());
  // The C compiler would warn of an if whose body is empty, or is an if with an else.
  return "{ " + before + control(all, calls) + first + "if (" + all + (calls ? ".all || " : " || ") + own +
         ") { " + body + " } }";
}

}  // namespace upc2c
