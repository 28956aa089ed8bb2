# SPDX-License-Identifier: BSD-3-Clause
# The language UPC, third part: whether the compiler works.
if(CMAKE_UPC_COMPILER_FORCED OR CMAKE_UPC_COMPILER_WORKS)
  set(CMAKE_UPC_COMPILER_WORKS TRUE)
  return()
endif()
set(upcr_test_folder ${CMAKE_BINARY_DIR}${CMAKE_FILES_DIRECTORY}/CMakeTmp)
file(WRITE ${upcr_test_folder}/upcr_test.upc
  "shared int a[THREADS];\nint main(void) { a[MYTHREAD] = 1; upc_barrier; return 0; }\n")
message(STATUS "Check for working UPC compiler: ${CMAKE_UPC_COMPILER}")
execute_process(COMMAND ${CMAKE_UPC_COMPILER} upcr_test.upc -o upcr_test WORKING_DIRECTORY ${upcr_test_folder}
  RESULT_VARIABLE upcr_test_status OUTPUT_VARIABLE upcr_test_output ERROR_VARIABLE upcr_test_output)
if(NOT upcr_test_status EQUAL 0)
  message(FATAL_ERROR "The UPC compiler\n  ${CMAKE_UPC_COMPILER}\n"
    "does not compile a program of two lines:\n${upcr_test_output}")
endif()
set(CMAKE_UPC_COMPILER_WORKS 1 CACHE INTERNAL "")
file(APPEND ${CMAKE_PLATFORM_INFO_DIR}/CMakeUPCCompiler.cmake "set(CMAKE_UPC_COMPILER_WORKS 1)\n")
