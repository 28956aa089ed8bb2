// SPDX-License-Identifier: BSD-3-Clause
// The library hides everything but the C API and what conduit modules (loaded by name) need.
#pragma once
#define UPCR_MODULE_API __attribute__((visibility("default")))
