# SPDX-License-Identifier: BSD-3-Clause
# The link-time variables that a program defines take effect.
add_executable(spmd_linked statics/linked.c)
target_include_directories(spmd_linked PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_options(spmd_linked PRIVATE -Wall -Wextra)
target_link_libraries(spmd_linked PRIVATE upcr)
add_test(NAME spmd.linked COMMAND upcrun -n 3 --timeout 280 $<TARGET_FILE:spmd_linked>)
set_tests_properties(spmd.linked PROPERTIES LABELS "spmd;layout" TIMEOUT 600 PROCESSORS 2
  ENVIRONMENT "UPCR_PSHM=no;UPC_SHARED_HEAP_SIZE=32MB")
