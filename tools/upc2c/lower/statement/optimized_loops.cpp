// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/statement/optimized_loops.hpp"

#include "tools/upc2c/lower/lower.hpp"
#include "tools/upc2c/type/compat.hpp"

namespace upc2c {
namespace {

// An Extent as C text of type int64_t.
std::string number(Extent extent) {
  std::string out = std::to_string(extent.factor);
  if (!extent.threads) return extent.factor < 0 ? "(" + out + ")" : out;
  return "(" + out + " * (int64_t)upcr_threads())";
}

std::string wide(const std::string& text) { return "(int64_t)" + grouped(text); }

}  // namespace

std::string OptimizedLoops::text(const ForStmt* loop) {
  const Function* function = lower_.functions.current();
  if (function == nullptr || in_expression_ > 0) return {};
  const LoopPlan plan = lower_.loops.plan(*loop, *function);
  return plan ? transformed(plan, loop->init(), loop->body(), "", "") : "";
}

LoopPlan OptimizedLoops::plan(const ForallStmt* loop, bool distributed) {
  const Function* function = lower_.functions.current();
  if (function == nullptr || in_expression_ > 0) return {};
  return lower_.loops.plan(*loop, *function, distributed);
}

std::string OptimizedLoops::text(const ForallStmt* loop, const LoopPlan& plan, const std::string& enter,
                                 const std::string& all) {
  return transformed(plan, loop->init(), loop->body(), enter, all);
}

std::string OptimizedLoops::transformed(const LoopPlan& plan, const Node* init, const Stmt* body,
                                        const std::string& enter, const std::string& all) {
  const Symbol& symbol = *plan.counted.variable;
  const auto temporary = [this](std::string_view stem) { return lower_.splice.temporary(stem); };
  const Names names{
      lower_.thread_data.concerns(symbol) ? lower_.thread_data.use(symbol) : lower_.declarations.name(symbol),
      lower_.type_texts.spell(symbol.type.unqualified()),
      number(plan.counted.step),
      temporary("from"),
      temporary("trips"),
      plan.owner.form == Ownership::Form::kAll ? "" : temporary("chunks"),
      plan.breaks ? temporary("end") : ""};
  std::string out = "{ " + enter + lower_.splice.text(init);
  if (!(init != nullptr && init->is(NodeKind::kDeclaration))) out += ";";
  out += " const int64_t " + names.from + " = " + wide(names.variable) + ", " + names.trips + " = " +
         trips(plan, names.variable) + "; ";
  if (!names.chunks.empty()) {
    const std::string mine = owned(plan, names);
    out += "upc2c_chunks_t " + names.chunks + " = ";
    out += all.empty() ? mine : all + " ? upc2c_owned_if(1, " + names.trips + ") : " + mine;
    out += "; ";
    if (plan.owner.form == Ownership::Form::kBlocked)
      out += "while (upcri_next_chunk(&" + names.chunks + ")) ";
  }
  out += plan.runs.empty() ? general(names, body) : versions(plan, names, body, all);
  out += " " + names.variable + " = (" + names.type + ")(" + names.from + " + " + names.trips + " * " +
         names.step + "); ";
  return out + (plan.breaks ? names.end + ":; }" : "}");
}

std::string OptimizedLoops::trips(const LoopPlan& plan, const std::string& variable) {
  const CountedLoop& loop = plan.counted;
  // As the condition compares it: -1 is a large number for an unsigned variable.
  const std::string bound = "(" + lower_.type_texts.spell(loop.bound->target.unqualified()) + ")" +
                            grouped(lower_.expressions.text(loop.bound));
  const bool up = loop.step.factor > 0;
  const std::string &low = up ? variable : bound, &high = up ? bound : variable;
  if (loop.is_unsigned) return call("upc2c_trips_unsigned", {low, high});
  if (loop.relation == BinaryOp::kNotEqual) return call("upc2c_trips_until", {low, high});
  const bool closed = loop.relation == BinaryOp::kLessEqual || loop.relation == BinaryOp::kGreaterEqual;
  const Extent step{up ? loop.step.factor : -loop.step.factor, loop.step.threads};
  return call(closed ? "upc2c_trips_closed" : "upc2c_trips", {low, high, number(step)});
}

std::string OptimizedLoops::owned(const LoopPlan& plan, const Names& names) {
  const Ownership& owner = plan.owner;
  const std::string stride = number(owner.stride);
  if (owner.form == Ownership::Form::kInteger) {
    const QualType type = lower_.expressions.natural(owner.affinity);
    const bool is_unsigned_long = width_of(type) == 64 && is_unsigned(type, lower_.types.target());
    const std::string thread = call(is_unsigned_long ? "upc2c_owner_unsigned" : "upc2c_owner",
                                    {lower_.expressions.text(owner.affinity)});
    return call("upcri_owned_cyclic", {names.trips, thread, stride});
  }
  const Address first = lower_.addresses.element(owner.affinity);
  const std::string kind = first.phased ? "_shared" : "_pshared";
  if (owner.form == Ownership::Form::kOne)
    return call("upc2c_owned_if", {call("upcr_hasMyAffinity" + kind, {first.pointer}), names.trips});
  if (owner.form == Ownership::Form::kCyclic)
    return call("upcri_owned_cyclic", {names.trips, call("upcr_threadof" + kind, {first.pointer}), stride});
  return call("upcri_owned_blocks", {names.trips, first.pointer, stride, std::to_string(owner.block)});
}

std::string OptimizedLoops::general(const Names& names, const Stmt* body) {
  const std::string index = lower_.splice.temporary("j");
  const std::string iteration = "(" + names.chunks + ".first + " + index + " * " + names.chunks + ".step)";
  return "for (int64_t " + index + " = 0; " + index + " < " + names.chunks + ".count && (" + names.variable +
         " = (" + names.type + ")(" + names.from + " + " + iteration + " * " + names.step + "), 1); " +
         index + "++) " + lower_.statements.body(body);
}

// The elements of the array from one iteration of a chunk to the next.
std::string OptimizedLoops::elements_between(const PlannedRun& run, const Names& names) {
  const std::string stride = number(run.stride);
  return names.chunks.empty() ? stride : stride + " * " + names.chunks + ".step";
}

// { elemsz, block, size, how } of upc2c_run_kind_t.
std::string OptimizedLoops::kind(const PlannedRun& run) {
  const unsigned how =
      (run.run.read ? 1u : 0u) | (run.run.written ? 2u : 0u) | (run.uncopied.empty() ? 4u : 0u);
  return "{" + lower_.sizes.of(run.run.element) + ", " + std::to_string(run.run.element.block) + ", " +
         lower_.sizes.of(run.run.lvalue->type.unqualified()) + ", " + std::to_string(how) + "}";
}

std::string OptimizedLoops::place(const PlannedRun& run, const Names& names, const std::string& object) {
  const bool before = lower_.addresses.call_library(true);
  const Address address = lower_.addresses.of(run.run.lvalue);
  lower_.addresses.call_library(before);
  const std::string first =
      address.phased ? address.pointer : call("upcri_with_phase", {address.pointer, "0"});
  return object + ".first = " + first + "; " + object + ".offset = " + address.offset + "; " + object +
         ".stride = " + elements_between(run, names) + "; ";
}

std::string OptimizedLoops::element(const PlannedRun& run, const Names& names, const std::string& pointer,
                                    const std::string& index) {
  std::string distance = index;
  if (!run.local) {
    distance += " * (" + elements_between(run, names) + ")";
    if (run.run.element.block == 1)
      distance = index + " * (" + elements_between(run, names) + " / (int64_t)upcr_threads())";
  } else if (*run.local == 0) {
    distance = "0";
  } else if (*run.local != 1) {
    distance += " * " + number({*run.local, false});
  }
  const QualType type = run.run.lvalue->type.unqualified();
  if (run.run.element.unqualified() == type) return pointer + "[" + distance + "]";
  return "(*(" + lower_.type_texts.spell(type) + " *)((char *)" + pointer + " + " + distance +
         " * (int64_t)" + lower_.sizes.of(run.run.element) + "))";
}

// The iterations of a chunk with private accesses. Where runs may be neither mapped nor copied there is also
// the general form.
std::string OptimizedLoops::versions(const LoopPlan& plan, const Names& names, const Stmt* body,
                                     const std::string& all) {
  const auto temporary = [this](std::string_view stem) { return lower_.splice.temporary(stem); };
  const std::string done = temporary("done"), count = temporary("n"), base = temporary("from"),
                    index = temporary("j"), step = temporary("step"), kinds = temporary("kinds"),
                    runs = temporary("runs"), stretch = temporary("s");
  const std::string size = std::to_string(plan.runs.size()),
                    arguments = call("", {"&" + stretch, kinds, runs, size});
  std::string table, places, pointers;
  std::vector<std::string> lvalues;
  bool written_back = false, general = false;
  for (const PlannedRun& run : plan.runs) {
    const std::string object = runs + "[" + std::to_string(lvalues.size()) + "]", pointer = temporary("l"),
                      type = lower_.type_texts.spell(run.run.lvalue->type.unqualified());
    table += (table.empty() ? "" : ", ") + kind(run);
    places += place(run, names, object);
    pointers += type + " *const " + pointer + " = (" + type + " *)" + object + ".local; ";
    lvalues.push_back(element(run, names, pointer, index));
    written_back |= run.run.written && run.uncopied.empty();
    general |= !run.uncopied.empty();
  }
  const std::string trips = names.chunks.empty() ? names.trips : names.chunks + ".count";
  std::string left = trips + " - " + done, first = names.from, each = names.step;
  if (!names.chunks.empty()) {
    first += " + " + names.chunks + ".first * " + names.step;
    each = names.chunks + ".step * " + names.step;
  }
  // The distances of private elements are those of a loop by owner.
  if (!all.empty() && plan.owner.pace != Pace::kEach) left = all + " ? 1 : " + left;
  std::string out = "{ static const upc2c_run_kind_t " + kinds + "[" + size + "] = {" + table +
                    "}; upc2c_run_t " + runs + "[" + size + "]; int64_t " + done + " = 0; if (" + trips +
                    " > 0) do { const int64_t " + step + " = " + each + ", " + base + " = " + first + " + " +
                    done + " * " + step + "; " + names.variable + " = (" + names.type + ")" + base +
                    "; upc2c_stretch_t " + stretch + " = {" + left + ", 0}; " + places;
  const std::string placed = "upcri_private_runs" + arguments, at = temporary("private");
  out += general ? "const int " + at + " = " + placed + "; " : placed + "; ";
  out += "const int64_t " + count + " = " + stretch + ".count; " + done + " += " + count + "; ";
  const std::string initial = "int64_t " + index + " = 0; ";
  const std::string iterations = (plan.breaks ? initial + "for (; " : "for (" + initial) + index + " < " +
                                 count + " && (" + names.variable + " = (" + names.type + ")(" + base +
                                 " + " + index + " * " + step + "), 1); " + index + "++) ";
  // A break has ended this loop alone, which is a part of the program's.
  const std::string end = plan.breaks ? " if (" + index + " < " + count + ") goto " + names.end + ";" : "";
  if (general) out += "if (" + at + ") { ";
  PrivateRuns::Accesses accesses;
  for (const RunAccess& access : plan.accesses) accesses[access.lvalue] = {lvalues[access.run], access.plain};
  accesses = lower_.private_runs.replace(std::move(accesses));
  out += pointers + iterations + lower_.statements.body(body) + end;
  lower_.private_runs.replace(std::move(accesses));
  if (written_back) out += " if (" + stretch + ".copied) upcri_write_back_runs" + arguments + ";";
  if (general) out += " } else { " + iterations + lower_.statements.body(body) + end + " }";
  // One stretch is what matters: then the C compiler keeps what the body needs in registers.
  return out + " } while (__builtin_expect(" + done + " < " + trips + ", 0)); }";
}

}  // namespace upc2c
