// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/statement/optimized_loops.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "tools/upc2c/analysis/neighbours.hpp"
#include "tools/upc2c/lower/lower.hpp"
#include "tools/upc2c/type/compat.hpp"
#include "tools/upc2c/type/layout.hpp"

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

LoopPlan OptimizedLoops::plan(const Stmt* loop) {
  const Function* function = lower_.functions.current();
  if (function == nullptr || in_expression_ > 0) return {};
  if (const auto* counted = cast_if<ForStmt>(loop)) return lower_.loops.plan(*counted, *function);
  if (const auto* tested = cast_if<WhileStmt>(loop)) return lower_.loops.plan(*tested, *function);
  return lower_.loops.plan(*as<DoStmt>(loop), *function);
}

std::string OptimizedLoops::text(const Stmt* loop, const LoopPlan& plan) {
  if (const auto* counted = cast_if<ForStmt>(loop))
    return transformed(plan, counted->init(), counted->body(), "", "");
  return transformed(plan, nullptr, as<WhileStmt>(loop)->body(), "", "");
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

template <class Iterations>
std::string OptimizedLoops::arrays(const LoopPlan& plan, const Iterations& iterations) {
  std::map<std::string, std::string> names;  // by what finds the array
  PrivateRuns::Accesses accesses;
  std::string found, mapped;
  bool all = false;
  for (const IrregularAccess& access : plan.irregular) {
    // Without atomic operations of the library the loop does not poll: no thread may need it to serve
    // messages.
    if (access.anywhere || access.atomic) all = true;
    if (access.anywhere) {
      accesses[access.lvalue] = {"", access.plain, "", true, access.pointed};
      continue;
    }
    const Addresses::ArrayPlace place = lower_.addresses.in_array(access.lvalue, "array");
    const std::string first = place.phased ? place.base : call("upcri_with_phase", {place.base, "0"});
    const std::string size = lower_.sizes.of(place.element);
    const bool cyclic = place.element.block == 1;
    const std::string finds =
        cyclic ? call("upcri_find_cyclic", {first, size})
               : call("upcri_find_array", {first, size, std::to_string(place.element.block)});
    auto [name, is_new] = names.try_emplace(finds);
    if (is_new) {
      name->second = lower_.splice.temporary("array");
      if (cyclic) {
        const std::string starts = lower_.splice.temporary("starts");
        found += "uintptr_t " + starts + "[upc2c_starts()]; const upc2c_cyclic_t " + name->second + " = " +
                 call("upcri_find_cyclic", {first, size, starts}) + "; ";
      } else {
        found += "const upc2c_array_t " + name->second + " = " + finds + "; ";
      }
      mapped += (mapped.empty() ? "" : " && ") + name->second + ".mapped";
    }
    accesses[access.lvalue] = {"", access.plain, name->second};
  }
  if (all) mapped += mapped.empty() ? "upc2c_all_mapped()" : " && upc2c_all_mapped()";
  accesses = lower_.private_runs.replace(std::move(accesses));
  std::string fast = iterations("");
  if (plan.later)
    fast =
        lower_.later_updates.text(plan.later, trips(plan, name(*plan.counted.variable)), iterations) + fast;
  lower_.private_runs.replace(std::move(accesses));
  return found + "if (" + mapped + ") { " + fast + " } else { " + iterations("") + " }";
}

std::string OptimizedLoops::transformed(const LoopPlan& plan, const Node* init, const Stmt* body,
                                        const std::string& enter, const std::string& all) {
  if (!plan.irregular.empty() && plan.owner.form == Ownership::Form::kAll) {
    const std::string condition = lower_.expressions.condition(plan.condition),
                      step = "; " + lower_.splice.text(plan.step) + ") ";
    const auto loop = [&](const std::string& besides) {
      return "for (; " + (besides.empty() ? condition : grouped(condition) + besides) + step +
             lower_.statements.body(body);
    };
    const bool declares = init != nullptr && init->is(NodeKind::kDeclaration);
    return "{ " + enter + lower_.splice.text(init) + (declares ? " " : "; ") + arrays(plan, loop) + " }";
  }
  const Symbol& symbol = *plan.counted.variable;
  const auto temporary = [this](std::string_view stem) { return lower_.splice.temporary(stem); };
  const bool walks = plan.counted.walks();
  const Names names{name(symbol),
                    lower_.type_texts.spell(symbol.type.unqualified()),
                    number(plan.counted.step),
                    temporary("from"),
                    temporary("trips"),
                    plan.owner.form == Ownership::Form::kAll ? "" : temporary("chunks"),
                    plan.owner.form == Ownership::Form::kAll ? "" : temporary("pace"),
                    plan.breaks ? temporary("end") : "",
                    beside(plan, false),
                    walks ? symbol.type.unqualified() : QualType()};
  std::string out = "{ " + enter + lower_.splice.text(init);
  if (!(init != nullptr && init->is(NodeKind::kDeclaration))) out += ";";
  out += walks ? " const " + lower_.type_texts.spell(names.pointer, names.from) + " = " + names.variable +
                     "; const int64_t "
               : " const int64_t " + names.from + " = " + wide(names.variable) +
                     (plan.counted.in_condition ? " + " + names.step : "") + ", ";
  out += names.trips + " = " + trips(plan, names.variable) + "; ";
  if (!names.chunks.empty()) {
    out += "upc2c_chunks_t " + names.chunks + " = " + owned(plan, names, all) + "; ";
    if (plan.owner.form == Ownership::Form::kBlocked && plan.runs.empty())
      out += "while (upcri_next_chunk(&" + names.chunks + ")) ";
  }
  if (!plan.runs.empty())
    out += versions(plan, names, body, all);
  else if (!plan.irregular.empty())
    out += "{ " + arrays(plan, [&](const std::string&) { return general(names, body); }) + " }";
  else
    out += general(names, body);
  out += " " + names.variable + " = " + value(names, names.from, names.trips + " * " + names.step) + "; ";
  return out + (plan.breaks ? names.end + ":; }" : "}");
}

std::string OptimizedLoops::trips(const LoopPlan& plan, const std::string& variable) {
  const CountedLoop& loop = plan.counted;
  if (loop.walks()) return trips_of_walk(loop);
  // As the condition compares it: -1 is a large number for an unsigned variable.
  const std::string bound = loop.bound == nullptr
                                ? "0"
                                : "(" + lower_.type_texts.spell(loop.bound->target.unqualified()) + ")" +
                                      grouped(lower_.expressions.text(loop.bound));
  const bool up = loop.step.factor > 0;
  const std::string &low = up ? variable : bound, &high = up ? bound : variable;
  if (loop.is_unsigned) return call("upc2c_trips_unsigned", {low, high});
  if (loop.relation == BinaryOp::kNotEqual) return call("upc2c_trips_until", {low, high});
  const bool closed = loop.relation == BinaryOp::kLessEqual || loop.relation == BinaryOp::kGreaterEqual;
  const Extent step{up ? loop.step.factor : -loop.step.factor, loop.step.threads};
  return call(closed ? "upc2c_trips_closed" : "upc2c_trips", {low, high, number(step)});
}

// By the difference of the pointers, in elements of the array.
std::string OptimizedLoops::trips_of_walk(const CountedLoop& loop) {
  const bool up = loop.step.factor > 0;
  std::string from = lower_.pointers.difference(loop.comparison), to = "0";
  if (up != loop.is_left) std::swap(from, to);
  if (loop.relation == BinaryOp::kNotEqual) return call("upc2c_trips_until", {from, to});
  const bool closed = loop.relation == BinaryOp::kLessEqual || loop.relation == BinaryOp::kGreaterEqual;
  const Extent step{up ? loop.step.factor : -loop.step.factor, loop.step.threads};
  const auto elements = product(step, element_count(loop.variable->type->inner).value_or(Extent{1, false}));
  return call(closed ? "upc2c_trips_closed" : "upc2c_trips", {from, to, number(elements.value_or(step))});
}

std::string OptimizedLoops::name(const Symbol& symbol) {
  return lower_.thread_data.concerns(symbol) ? lower_.thread_data.use(symbol)
                                             : lower_.declarations.name(symbol);
}

std::string OptimizedLoops::value(const Names& names, const std::string& from, const std::string& distance) {
  if (names.pointer.is_pointer_to_shared())
    return lower_.pointers.moved(from, names.pointer, "(" + distance + ")", false);
  return "(" + names.type + ")(" + from + " + " + distance + ")";
}

std::string OptimizedLoops::beside(const LoopPlan& plan, bool deferred) {
  std::string out;
  for (const Expr* part : plan.beside) {
    const Symbol* stepped = step_of(part).variable;
    const bool left_out = std::any_of(plan.walks.begin(), plan.walks.end(), [&](const WalkingPointer& walk) {
      return walk.deferred && walk.symbol == stepped;
    });
    if (!deferred || !left_out) out += ", " + lower_.expressions.text(part);
  }
  return out;
}

std::string OptimizedLoops::moved_walks(const LoopPlan& plan, const std::string& count) {
  std::string out;
  for (const WalkingPointer& walk : plan.walks) {
    if (!walk.deferred || walk.symbol == plan.counted.variable) continue;
    const std::string pointer = name(*walk.symbol);
    out += " " + pointer + " = " +
           lower_.pointers.moved(pointer, walk.symbol->type, "(" + count + " * " + number(walk.step) + ")",
                                 false) +
           ";";
  }
  return out;
}

std::string OptimizedLoops::owned(const LoopPlan& plan, const Names& names, const std::string& all) {
  const Ownership& owner = plan.owner;
  const std::string stride = number(owner.stride), every = all.empty() ? "0" : all;
  if (owner.form == Ownership::Form::kInteger) {
    const QualType type = lower_.expressions.natural(owner.affinity);
    const bool is_unsigned_long = width_of(type) == 64 && is_unsigned(type, lower_.types.target());
    const std::string thread = call(is_unsigned_long ? "upc2c_owner_unsigned" : "upc2c_owner",
                                    {lower_.expressions.text(owner.affinity)});
    return call("upcri_owned_cyclic", {every, names.trips, thread, stride});
  }
  const bool inlined = lower_.addresses.call_library(true);
  const Address first = lower_.addresses.element(owner.affinity);
  lower_.addresses.call_library(inlined);
  const std::string kind = first.phased ? "_shared" : "_pshared";
  if (owner.form == Ownership::Form::kOne) {
    const std::string mine = call("upcr_hasMyAffinity" + kind, {first.pointer});
    return call("upc2c_owned_if", {all.empty() ? mine : all + " || " + mine, names.trips});
  }
  if (owner.form == Ownership::Form::kCyclic)
    return call("upcri_owned_cyclic",
                {every, names.trips, call("upcr_threadof" + kind, {first.pointer}), stride});
  return call("upcri_owned_blocks", {every, names.trips, first.pointer, stride, std::to_string(owner.block)});
}

std::string OptimizedLoops::general(const Names& names, const Stmt* body) {
  const std::string index = lower_.splice.temporary("j");
  const std::string iteration = "(" + names.chunks + ".first + " + index + " * " + names.chunks + ".step)";
  return "for (int64_t " + index + " = 0; " + index + " < " + names.chunks + ".count && (" + names.variable +
         " = " + value(names, names.from, iteration + " * " + names.step) + ", 1); " + index + "++) " +
         lower_.statements.body(body);
}

// The elements of the array from one iteration of a stretch to the next.
std::string OptimizedLoops::elements_between(const PlannedRun& run, const Names& names) {
  const std::string stride = number(run.stride);
  return names.pace.empty() ? stride : stride + " * " + names.pace;
}

// { elemsz, block, size, how } of upc2c_run_kind_t.
std::string OptimizedLoops::kind(const PlannedRun& run) {
  const unsigned how =
      (run.run.read ? 1u : 0u) | (run.run.written ? 2u : 0u) | (run.uncopied.empty() ? 4u : 0u);
  std::string size = lower_.sizes.of(run.run.lvalue->type.unqualified());
  if (run.run.more > 0) size = std::to_string(run.run.more + 1) + " * " + size;
  return "{" + lower_.sizes.of(run.run.element) + ", " + std::to_string(run.run.element.block) + ", " + size +
         ", " + std::to_string(how) + "}";
}

std::string OptimizedLoops::place(const PlannedRun& run, const LoopPlan& plan, const std::string& object,
                                  std::map<std::string, std::string>& placed) {
  std::string before, after;
  for (const Offset& offset : run.run.offsets) {
    const QualType type = offset.variable->type.unqualified();
    const std::string variable = name(*offset.variable), kept = lower_.splice.temporary("kept");
    before += "const " + lower_.type_texts.spell(type, kept) + " = " + variable + "; " + variable + " = " +
              (type.is_pointer()
                   ? lower_.pointers.moved(kept, type, number(offset.by), false)
                   : "(" + lower_.type_texts.spell(type) + ")(" + kept + " + " + number(offset.by) + ")") +
              "; ";
    after = variable + " = " + kept + "; " + after;
  }
  PrivateRuns::Steps steps;
  for (const Induction& induction : plan.inductions.others())
    for (const Step& step : induction.steps) steps[step.expr] = name(*induction.symbol);
  steps = lower_.private_runs.replace_steps(std::move(steps));
  const bool inlined = lower_.addresses.call_library(true);
  const Address address = lower_.addresses.of(run.run.lvalue);
  lower_.addresses.call_library(inlined);
  lower_.private_runs.replace_steps(std::move(steps));
  std::string first = address.phased ? address.pointer : call("upcri_with_phase", {address.pointer, "0"});
  // Members of one element are found once.
  if (before.empty() && run.run.element.block != 0)
    if (const auto [same, is_new] = placed.try_emplace(first, object + ".first"); !is_new)
      first = same->second;
  const std::string text = object + ".first = " + first + "; " + object + ".offset = " + address.offset +
                           "; " + object + ".stride = " + number(run.stride) + "; ";
  return before.empty() ? text : "{ " + before + text + after + "} ";
}

std::string OptimizedLoops::element(const PlannedRun& run, const Names& names, const std::string& pointer,
                                    const std::string& index, std::int64_t shift) {
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
  if (shift != 0) distance += " + " + std::to_string(shift);
  if (run.run.element.unqualified() == type) return pointer + "[" + distance + "]";
  return "(*(" + lower_.type_texts.spell(type) + " *)((char *)" + pointer + " + " + distance +
         " * (int64_t)" + lower_.sizes.of(run.run.element) + "))";
}

// The private pointer of the next run: that of a neighbour and the distance, where there is one.
std::string OptimizedLoops::local(const LoopPlan& plan, const std::vector<std::string>& locals,
                                  const std::string& own) {
  const Run& run = plan.runs[locals.size()].run;
  for (std::size_t i = 0; i < locals.size(); i++)
    if (const Run& other = plan.runs[i].run; are_neighbours(other, run))
      return locals[i] + " + " + number({run.shift - other.shift, false});
  return own;
}

// The iterations with private accesses, stretch by stretch. Where runs may be neither mapped nor copied there
// is also the general form.
std::string OptimizedLoops::versions(const LoopPlan& plan, const Names& names, const Stmt* body,
                                     const std::string& all) {
  const auto temporary = [this](std::string_view stem) { return lower_.splice.temporary(stem); };
  const std::string count = temporary("n"), base = temporary("from"), index = temporary("j"),
                    step = temporary("step"), kinds = temporary("kinds"), runs = temporary("runs"),
                    stretch = temporary("s");
  const std::string size = std::to_string(plan.runs.size()),
                    arguments = call("", {"&" + stretch, kinds, runs, size});
  std::string table, places, pointers;
  std::vector<std::string> locals;
  std::map<std::string, std::string> placed_at;
  bool general = false;
  for (const PlannedRun& run : plan.runs) {
    const std::string object = runs + "[" + std::to_string(locals.size()) + "]", pointer = temporary("l"),
                      type = lower_.type_texts.spell(run.run.lvalue->type.unqualified());
    table += (table.empty() ? "" : ", ") + kind(run);
    places += place(run, plan, object, placed_at);
    pointers += type + " *const " + pointer + " = " +
                local(plan, locals, "(" + type + " *)" + object + ".local") + "; ";
    locals.push_back(pointer);
    general |= !run.uncopied.empty();
  }
  const bool walks = plan.counted.walks(), owned = !names.chunks.empty();
  // The distances of private elements are those of a loop by owner.
  const std::string single = !all.empty() && plan.owner.pace != Pace::kEach ? ", .single = " + all : "";
  const std::string placed = "upcri_private_runs" + arguments, at = temporary("private");
  const std::string distance = stretch + ".first * " + names.step;
  std::string out = "if (" + names.trips + " > 0) { static const upc2c_run_kind_t " + kinds + "[" + size +
                    "] = {" + table + "}; upc2c_run_t " + runs + "[" + size + "]; ";
  if (plan.counted.in_condition) out += names.variable + " = (" + names.type + ")" + names.from + "; ";
  out += places + "upc2c_stretch_t " + stretch + " = {" + (owned ? ".chunks = &" + names.chunks + ", " : "") +
         ".trips = " + names.trips + single + "}; do { ";
  out += (general ? "const int " + at + " = " : "") + placed + "; const int64_t " + count + " = " + stretch +
         ".count, ";
  if (owned) out += names.pace + " = " + stretch + ".step, ";
  out += step + " = " + (owned ? names.pace + " * " : "") + names.step;
  out += walks ? "; const " + lower_.type_texts.spell(names.pointer, base) + " = " +
                     value(names, names.from, distance)
               : ", " + base + " = " + names.from + " + " + distance;
  out += "; ";
  const std::string initial = "int64_t " + index + " = 0; ";
  // A pointer is not set in iterations that access its elements through a private one. It is set in the body:
  // a condition of two parts would hide from gcc what UPC2C_INDEPENDENT says.
  const auto iterations = [&](const std::string& set, const std::string& besides) {
    const std::string text = lower_.statements.body(body);
    return (plan.breaks ? initial + "for (; " : "for (" + initial) + index + " < " + count + "; " + index +
           "++" + besides + ") " + (set.empty() ? text : "{ " + set + "; " + text + " }");
  };
  const std::string set = names.variable + " = " + value(names, base, index + " * " + step);
  const bool deferred = std::any_of(plan.walks.begin(), plan.walks.end(), [&](const WalkingPointer& walk) {
    return walk.deferred && walk.symbol == plan.counted.variable;
  });
  // A break has ended this loop alone, which is a part of the program's.
  const std::string end = plan.breaks ? " if (" + index + " < " + count + ") goto " + names.end + ";" : "";
  if (general) out += "if (" + at + ") { ";
  PrivateRuns::Accesses accesses;
  PrivateRuns::Steps steps;
  for (const WalkingPointer& walk : plan.walks)
    if (const Induction* induction = plan.inductions.find(walk.symbol); walk.deferred)
      for (const Step& step_out : induction->steps) steps[step_out.expr] = "(void)0";
  for (const RunAccess& access : plan.accesses) {
    std::string lvalue = element(plan.runs[access.run], names, locals[access.run], index, access.shift);
    if (access.step != nullptr)
      lvalue = "(*(" + lower_.expressions.unconverted(access.step) + ", &" + lvalue + "))";
    accesses[access.lvalue] = {.lvalue = lvalue, .plain = access.plain, .array = {}};
  }
  accesses = lower_.private_runs.replace(std::move(accesses));
  steps = lower_.private_runs.replace_steps(std::move(steps));
  out += pointers + (plan.independent ? "UPC2C_INDEPENDENT " : "") +
         iterations(deferred ? "" : set, beside(plan, true)) + end;
  lower_.private_runs.replace_steps(std::move(steps));
  lower_.private_runs.replace(std::move(accesses));
  out += moved_walks(plan, count);
  if (general) out += " } else { " + iterations(set, names.beside) + end + " }";
  // One stretch is what matters: then the C compiler keeps what the body needs in registers.
  return out + " } while (__builtin_expect(" + stretch + ".more, 0)); }";
}

}  // namespace upc2c
