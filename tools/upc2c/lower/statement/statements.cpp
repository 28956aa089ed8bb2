// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/statement/statements.hpp"

#include "tools/upc2c/analysis/facts.hpp"
#include "tools/upc2c/lower/lower.hpp"

namespace upc2c {

std::string StatementLowering::text(const Stmt* statement) {
  switch (statement->kind) {
    case NodeKind::kCompound:
      return compound(as<Compound>(statement));
    case NodeKind::kIf:
      return if_chain(as<IfStmt>(statement));
    case NodeKind::kWhile:
    case NodeKind::kDo:
    case NodeKind::kFor:
      return loop(statement);
    case NodeKind::kSwitch:
      return with_condition(statement, nullptr);
    case NodeKind::kForall:
      return lower_.foralls.text(as<ForallStmt>(statement));
    case NodeKind::kNotify:
    case NodeKind::kWait:
    case NodeKind::kBarrier:
      return barrier(as<BarrierStmt>(statement));
    case NodeKind::kFence:
      return "upcr_poll();";
    case NodeKind::kCase:
    case NodeKind::kDefault:
    case NodeKind::kLabel:
      return labelled(statement);
    default:
      return lower_.splice.spliced(statement);
  }
}

std::string StatementLowering::source_position(const Node* statement) {
  if (!lower_.options.source_positions || !statement->has_upc) return {};
  switch (statement->kind) {
    case NodeKind::kCompound:
    case NodeKind::kCase:
    case NodeKind::kDefault:
    case NodeKind::kLabel:
      return {};  // the statements in them have positions
    default:
      break;
  }
  // A pragma before it may concern the one statement that follows, as #pragma omp master, or a nest of loops.
  const TokenIndex first = statement->tokens.begin;
  const bool in_nest =
      pragma_nest_.contains(statement) || follows_pragma(first, PragmaKind::kLoop, lower_.stream);
  const auto* loop = in_nest ? cast_if<ForStmt>(statement) : nullptr;
  const Node* inner = loop != nullptr ? only_statement(loop->body()) : nullptr;
  if (inner != nullptr && inner->is(NodeKind::kFor)) pragma_nest_.insert(inner);
  if (in_nest || has_pragmas({first, first + 1}, lower_.stream)) return {};
  const Place place = lower_.stream.place(first);
  std::string file;
  for (const char c : place.file) {
    if (c == '"' || c == '\\') file += '\\';
    file += c;
  }
  return "UPCR_SET_SRCPOS(\"" + file + "\", " + std::to_string(place.line) + "); ";
}

std::string StatementLowering::compound(const Compound* block) {
  lower_.block_reads.enter(block, block->items());
  std::string out = lower_.splice.spliced(block, [this](const Node* item) {
    const std::string before = source_position(item) + lower_.block_reads.before(item);
    return Positions::mark(item->tokens.begin) + before + lower_.splice.text(item);
  });
  lower_.block_reads.leave(block->items());
  return out;
}

std::string StatementLowering::body(const Stmt* statement) {
  Node* const items[] = {const_cast<Stmt*>(statement)};
  if (!statement->is(NodeKind::kCompound)) lower_.block_reads.enter(statement, items);
  const std::string before = source_position(statement) + lower_.block_reads.before(statement);
  const std::string text = Positions::mark(statement->tokens.begin) + lower_.splice.text(statement);
  lower_.block_reads.leave(items);
  return before.empty() ? text : "{ " + before + text + " }";
}

// The position of what is behind a label stands behind it too. Labels in a row are written one after the
// other, without nesting.
std::string StatementLowering::labelled(const Stmt* label) {
  std::string out;
  while (label != nullptr) {
    const Node* behind = label->children().back();
    const auto* next = behind != nullptr && is_label(*behind) ? as<Stmt>(behind) : nullptr;
    out += lower_.splice.spliced(label, [&](const Node* part) {
      if (part == next) return Positions::mark(part->tokens.begin);
      if (!part->is_stmt() || part->is(NodeKind::kDeclarationStmt)) return lower_.splice.text(part);
      return body(static_cast<const Stmt*>(part));
    });
    label = next;
  }
  return out;
}

// Chains of else if are long in generated programs: a link after the other, without nesting.
std::string StatementLowering::if_chain(const IfStmt* link) {
  std::string out;
  while (link != nullptr) {
    const auto* next = cast_if<IfStmt>(link->else_branch());
    out += lower_.splice.spliced(link, [&](const Node* part) -> std::string {
      if (part == next) return Positions::mark(part->tokens.begin);
      if (part == link->condition()) return lower_.expressions.condition(link->condition());
      return body(static_cast<const Stmt*>(part));
    });
    link = next;
  }
  return out;
}

std::string StatementLowering::with_condition(const Stmt* statement, const Expr* condition) {
  return lower_.splice.spliced(statement, [&](const Node* part) {
    if (part == condition) return lower_.expressions.condition(condition);
    return part->is_stmt() ? body(static_cast<const Stmt*>(part)) : lower_.splice.text(part);
  });
}

std::string StatementLowering::loop(const Stmt* statement) {
  const LoopPlan plan = lower_.optimized_loops.plan(statement);
  lower_.reads_once.enter(plan.once);
  std::string text;
  if (plan)
    text = lower_.optimized_loops.text(statement, plan);
  else if (const auto* counted = cast_if<ForStmt>(statement))
    text = for_statement(counted);
  else if (const auto* tested = cast_if<WhileStmt>(statement))
    text = with_condition(tested, tested->condition());
  else
    text = with_condition(statement, as<DoStmt>(statement)->condition());
  return lower_.reads_once.leave(*statement, plan.once, std::move(text));
}

std::string StatementLowering::for_statement(const ForStmt* statement) {
  const auto* declaration = cast_if<Declaration>(statement->init());
  if (declaration == nullptr || !lower_.declarations.needs_block(declaration))
    return with_condition(statement, statement->condition());
  std::string out = "{ " + lower_.declarations.text(declaration) + " for (; ";
  if (statement->condition() != nullptr) out += lower_.expressions.condition(statement->condition());
  return out + "; " + lower_.splice.text(statement->step()) + ") " + body(statement->body()) + " }";
}

std::string StatementLowering::barrier(const BarrierStmt* statement) {
  const std::string_view name = statement->is(NodeKind::kNotify) ? "upcr_notify"
                                : statement->is(NodeKind::kWait) ? "upcr_wait"
                                                                 : "upcr_barrier";
  if (statement->operand() == nullptr) return call(name, {"0", "UPCR_BARRIERFLAG_ANONYMOUS"}) + ";";
  return call(name, {"(int)" + grouped(lower_.expressions.text(statement->operand())), "0"}) + ";";
}

}  // namespace upc2c
