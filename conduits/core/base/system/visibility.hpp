// SPDX-License-Identifier: BSD-3-Clause
// The libraries export the C API, and what modules (base/modules.hpp) call; everything else is hidden.
#pragma once
#define UPCR_MODULE_API __attribute__((visibility("default")))
