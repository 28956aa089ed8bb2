// SPDX-License-Identifier: BSD-3-Clause
// Options of Berkeley UPC's upcc that ask for what is so anyway, or that upcr has not, and the places from
// which it reads options in addition to the command line. docs/reference/compatibility.md has the table.
#pragma once
#include <string>
#include <string_view>

#include "tools/upcc/base/process.hpp"

namespace upcc {

enum class LegacyArgument {
  kNone,
  kRequired,
  kOptional
};  // -name; -name VALUE or -name=VALUE; -name or -name=VALUE

struct LegacyOption {
  std::string_view name;  // without dashes
  LegacyArgument argument;
  bool works;        // what it asks for is so anyway; false: it has no effect, which a warning says
  const char* text;  // why, or what to use instead
};

// The option of this name, or null.
const LegacyOption* find_legacy_option(const std::string& name);

// The name of one of upcc's own options that resembles this one, which the compilers will not know; or
// nothing. Options with one dash are compilers', and only near misses count.
std::string similar_option(const std::string& argument);

// Advice for a network of Berkeley UPC's that upcr does not have.
std::string network_advice(const std::string& network);

// The options of ~/.upccrc (lines "default_options = ...") and of UPCC_FLAGS, which come before those of the
// command line. -norc leaves the file out, -conf=FILE names another one.
Arguments default_arguments(const Arguments& command_line);

}  // namespace upcc
