// SPDX-License-Identifier: BSD-3-Clause
// The variables that belong to no component, in the form that error reporting needs: no look-up, usable in
// a signal handler and before configure(). For conduits/core/base only.
#pragma once

namespace upcr {

struct CommonConfig {
  bool backtrace;
  bool freeze;
  bool freeze_on_error;
};

// As configure() found it; before that, as the environment has it. Wrong values count as defaults.
CommonConfig common_config() noexcept;
// From configure().
void set_common_config() noexcept;

}  // namespace upcr
