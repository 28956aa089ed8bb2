// SPDX-License-Identifier: BSD-3-Clause
// Expressions that are linear in the number of a loop's iteration: factor * number + what does not vary.
#pragma once
#include <optional>
#include <unordered_set>
#include <utility>

#include "tools/upc2c/analysis/inductions.hpp"
#include "tools/upc2c/type/types.hpp"

namespace upc2c {

// factor * number of the iteration + invariant, computed modulo 2^64.
struct Linear {
  Extent factor;
  bool exact = true;  // without the modulo: it is the mathematical value
};

// Sum and product; nothing where they are no number or number times THREADS, or too large.
std::optional<Extent> sum(Extent a, Extent b);
std::optional<Extent> product(Extent a, Extent b);

// The known facts about the values in a loop.
class LoopValues {
 public:
  // `facts`: of all that the loop does between its first iteration and its end.
  LoopValues(const Inductions& inductions, const BodyFacts& facts, const Target& target)
      : inductions_(inductions), facts_(facts), target_(target) {}
  // The same, with shared lvalues that are read once for the loop.
  LoopValues(const LoopValues& values, std::unordered_set<const Expr*> read_once)
      : inductions_(values.inductions_),
        facts_(values.facts_),
        target_(values.target_),
        read_once_(std::move(read_once)) {}

  const Inductions& inductions() const { return inductions_; }
  const Target& target() const { return target_; }

  // A private scalar that the loop does not change, and nobody else can meanwhile.
  bool is_invariant(const Symbol& symbol) const;
  // An integer expression that has the same value in every iteration, no effects, and cannot fail.
  bool is_invariant(const Expr* expr) const;
  // The value of an expression as its context uses it, which is an integer.
  std::optional<Linear> linear(const Expr* expr) const;
  // Of an induction variable as it is when an iteration begins.
  std::optional<Linear> stepped(const Symbol* symbol) const;
  // A constant, or a constant times THREADS.
  static std::optional<Extent> constant(const Expr* expr);

 private:
  std::optional<Linear> unconverted(const Expr* expr) const;
  std::optional<Linear> binary(const BinaryExpr& expr) const;
  std::optional<Linear> converted(std::optional<Linear> value, QualType from, QualType to) const;
  std::optional<Linear> computed_as(std::optional<Linear> value, QualType type) const;

  const Inductions& inductions_;
  const BodyFacts& facts_;
  const Target& target_;
  std::unordered_set<const Expr*> read_once_;
};

}  // namespace upc2c
