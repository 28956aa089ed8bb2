// SPDX-License-Identifier: BSD-3-Clause
// The options of Berkeley UPC's upcrun and of GASNet's gasnetrun_*, in one table: what upcrun does for each.
// docs/reference/compatibility.md has the same table for people.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace upcrun {

enum class LegacyArgument {
  kNone,
  kRequired,  // -name VALUE or -name=VALUE
  kOptional,  // -name or -name=VALUE
};

enum class LegacyAction {
  kOption,    // is upcrun's option `text`; with the value, if there is one
  kVariable,  // sets the variable: `text` is NAME=VALUE; with a value given, NAME_THREAD as well, to it
  kNothing,   // what it asks for is so anyway: `text` says why
  kWarn,      // has no effect here, and `text` says what to use instead; the job runs
  kRefuse,    // cannot be done, and `text` says what to write instead
  kNetwork,   // a network's name
};

struct LegacyOption {
  std::string_view name;  // without dashes
  LegacyArgument argument;
  LegacyAction action;
  std::string_view text;
};

// All of them, by purpose.
std::span<const LegacyOption> legacy_options();
// Those of gasnetrun_* and mupcrun that differ, or come in addition.
std::span<const LegacyOption> gasnetrun_options();
// The option of this name, or null. `gasnet`: of gasnetrun_*, where some names mean something else.
const LegacyOption* find_legacy_option(std::string_view name, bool gasnet);
// Why this network of Berkeley UPC's, which upcr has not, cannot be used, and what to write instead; empty
// for any other name.
std::string absent_network(std::string_view name);

}  // namespace upcrun
