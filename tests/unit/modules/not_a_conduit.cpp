// SPDX-License-Identifier: BSD-3-Clause
// A library that is no conduit module, for registry_test.
extern "C" __attribute__((visibility("default"))) int something_else() { return 0; }
