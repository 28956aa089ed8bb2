// SPDX-License-Identifier: BSD-3-Clause
// The C file that upcc generates for each program: main(), the initialisation of static shared data, the
// UPCRL_ variables (include/upcr/link.h), and the table of the thread-local data.
#pragma once
#include "tools/upcc/link/program.hpp"

namespace upcc {

enum class MainProvider {
  kGenerated,  // the start-up file has main(), which runs user_main()
  kUser,       // a C or C++ object has it and starts the runtime
};

std::string startup_text(const Program& program, const Options& options, MainProvider main_provider);

}  // namespace upcc
