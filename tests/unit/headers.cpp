// SPDX-License-Identifier: BSD-3-Clause
// Nothing: the headers that every unit test precompiles hang on this program.
int main() {}
