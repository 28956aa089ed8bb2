# SPDX-License-Identifier: BSD-3-Clause
# The language UPC, first part: which compiler. CMAKE_UPC_COMPILER, the environment variable UPC, or the upcc of the
# package that this file is from.
if(NOT CMAKE_UPC_COMPILER)
  if(DEFINED ENV{UPC} AND NOT "$ENV{UPC}" STREQUAL "")
    set(CMAKE_UPC_COMPILER_NAMES "$ENV{UPC}")
  else()
    set(CMAKE_UPC_COMPILER_NAMES upcc)
  endif()
  # This file is in <prefix>/lib/cmake/upcr/modules, or one folder deeper where libraries are in lib/<architecture>.
  find_program(CMAKE_UPC_COMPILER NAMES ${CMAKE_UPC_COMPILER_NAMES}
    HINTS ${UPCR_BIN_DIR} ${CMAKE_CURRENT_LIST_DIR}/../../../../bin ${CMAKE_CURRENT_LIST_DIR}/../../../../../bin
    DOC "UPC compiler")
  if(NOT CMAKE_UPC_COMPILER)
    message(FATAL_ERROR "No upcc found: set CMAKE_UPC_COMPILER to its path")
  endif()
endif()
mark_as_advanced(CMAKE_UPC_COMPILER)
set(CMAKE_UPC_COMPILER_ID UPCR)
set(CMAKE_UPC_COMPILER_ENV_VAR UPC)
execute_process(COMMAND ${CMAKE_UPC_COMPILER} --version OUTPUT_VARIABLE CMAKE_UPC_COMPILER_VERSION
  ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REGEX REPLACE "^.*\\) " "" CMAKE_UPC_COMPILER_VERSION "${CMAKE_UPC_COMPILER_VERSION}")
if(NOT CMAKE_AR)
  find_program(CMAKE_AR NAMES ar)
  find_program(CMAKE_RANLIB NAMES ranlib)
  mark_as_advanced(CMAKE_AR CMAKE_RANLIB)
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/CMakeUPCCompiler.cmake.in
  ${CMAKE_PLATFORM_INFO_DIR}/CMakeUPCCompiler.cmake @ONLY)
