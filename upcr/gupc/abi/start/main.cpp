// SPDX-License-Identifier: BSD-3-Clause
// main() of a program that has none of its own: alone in this file, so that it is linked for those only.
extern "C" int __upc_start(int argc, char** argv);

int main(int argc, char** argv) { return __upc_start(argc, argv); }
