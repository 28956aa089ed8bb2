// SPDX-License-Identifier: BSD-3-Clause
#include <string>
extern "C" int object(int x);
int object(int x) { return std::stoi(std::to_string(x)); }
