// SPDX-License-Identifier: BSD-3-Clause
// Programs with privileges that their user lacks: setuid, setgid, or file capabilities. The user may set
// variables, but these must not decide which code such a program loads or which programs it runs. Variables
// that do are read by secure_getenv(), or declared as ConfigType::kCode.
#pragma once
#include <sys/auxv.h>

namespace upcr {

// The kernel's AT_SECURE, by which the dynamic linker ignores LD_LIBRARY_PATH. Async-signal-safe.
inline bool has_privileges() noexcept { return ::getauxval(AT_SECURE) != 0; }

}  // namespace upcr
