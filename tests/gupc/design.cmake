# SPDX-License-Identifier: BSD-3-Clause
# Every name of the design, as it declares it.
add_executable(gupc_design memory/design.c)
target_compile_options(gupc_design PRIVATE -Wall -Wextra)
target_link_libraries(gupc_design PRIVATE upcr)
add_test(NAME gupc.design COMMAND gupc_design)
set_tests_properties(gupc.design PROPERTIES LABELS "gupc;layout" TIMEOUT 60
  PASS_REGULAR_EXPRESSION "25 functions, 9 variables")
