// SPDX-License-Identifier: BSD-3-Clause
// The variables that belong to no component, as error reporting needs them: without a look-up, usable in a
// signal handler and before configure(). For conduits/core/base only.
#pragma once

namespace upcr {

struct CommonConfig {
  bool backtrace;
  bool backtrace_of_runtime;
  bool freeze;
  bool freeze_on_error;
  bool all_errors;  // each process prints its own
  bool terminal;    // messages are laid out for one
  bool colour;
};

// The values at configure(); before that, those of the environment. Wrong values count as defaults.
CommonConfig common_config() noexcept;
// For configure().
void set_common_config() noexcept;

}  // namespace upcr
