# SPDX-License-Identifier: BSD-3-Clause
# The options of the build.
include(GNUInstallDirs)

set(UPCR_POINTER_LAYOUT packed CACHE STRING "pointer-to-shared: packed (8 bytes) or struct (16 bytes)")
set_property(CACHE UPCR_POINTER_LAYOUT PROPERTY STRINGS packed struct)
set(UPCR_PHASE_BITS 20 CACHE STRING "packed layout: bits of the phase field")
set(UPCR_THREAD_BITS 10 CACHE STRING "packed layout: bits of the thread field")
set(UPCR_ADDR_BITS 34 CACHE STRING "packed layout: bits of the address field")
set(UPCR_SANITIZE "" CACHE STRING "address, undefined, address,undefined or thread: instrument everything")
set(UPCR_DEBUG_INFO full CACHE STRING
  "RelWithDebInfo: full, or lines, which is enough for backtraces and builds faster")
set_property(CACHE UPCR_DEBUG_INFO PROPERTY STRINGS full lines)
option(UPCR_BUILD_TESTS "build the tests" ${PROJECT_IS_TOP_LEVEL})
option(UPCR_TEST_MATRIX "run the tests of the other builds (layouts, sanitizers) from this one" ON)
option(UPCR_TEST_ALL "register the long tests too (tools/test --all)" OFF)
option(UPCR_BUILD_BENCH "build the benchmarks" ${PROJECT_IS_TOP_LEVEL})
# The interfaces beside UPC's own. libupcr is the same without them: what is left out is what programs of theirs are
# compiled and linked with, and their commands.
option(UPCR_GASNET "GASNet's interface: gasnet.h, libgasnet, gasnetrun_*" ON)
option(UPCR_GUPC "what objects of GCC-UPC and Clang-UPC are linked with: upcc --abi=gupc, lib/upcr/gupc" ON)
option(UPCR_MUPC "MuPC's interface: mupc.h, libmupc.a, mupcc, mupcrun" ON)
option(UPCR_STATIC "static libraries too: libupcr.a, with the conduits linked in (upcc -static-libupcr)" OFF)
if(UPCR_BUILD_TESTS AND NOT (UPCR_GASNET AND UPCR_GUPC AND UPCR_MUPC))
  message(STATUS "the tests are left out: they need UPCR_GASNET, UPCR_GUPC and UPCR_MUPC")
  set(UPCR_BUILD_TESTS OFF)
endif()
# Where the loader finds the libraries by itself, as in packages, nothing that is installed names their folder.
set(upcr_rpath ON)
if(CMAKE_INSTALL_PREFIX MATCHES "^(/|/usr)/?$")
  set(upcr_rpath OFF)
endif()
option(UPCR_RPATH "installed tools and .pc files name the folder of the libraries (default: unless the prefix is /usr)"
  ${upcr_rpath})
set(upcr_pc_rpath " -Wl,-rpath,\${libdir}")
if(NOT UPCR_RPATH)
  set(upcr_pc_rpath "")
  set(CMAKE_SKIP_INSTALL_RPATH ON)
endif()
# Reading the C++ library's headers is most of a build from nothing. A compiler cache saves more, but cannot cache
# with precompiled headers; a build without them also shows files that include less than they use.
set(upcr_precompile ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(upcr_precompile OFF)
endif()
option(UPCR_PRECOMPILE_HEADERS "precompile the C++ library's headers (default: where no compiler launcher is set)"
  ${upcr_precompile})

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
if(NOT UPCR_POINTER_LAYOUT MATCHES "^(packed|struct)$")
  message(FATAL_ERROR "UPCR_POINTER_LAYOUT is '${UPCR_POINTER_LAYOUT}': expected packed or struct")
endif()
math(EXPR upcr_bits "${UPCR_PHASE_BITS} + ${UPCR_THREAD_BITS} + ${UPCR_ADDR_BITS}")
if(NOT upcr_bits EQUAL 64 OR UPCR_PHASE_BITS LESS 1 OR UPCR_THREAD_BITS LESS 1 OR UPCR_ADDR_BITS LESS 20)
  message(FATAL_ERROR "UPCR_PHASE_BITS + UPCR_THREAD_BITS + UPCR_ADDR_BITS is ${upcr_bits}: "
                      "expected 64, with at least 1, 1 and 20 bits")
endif()

set(CMAKE_C_STANDARD 11)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)  # a shared library that has changed is found when a program starts
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT UPCR_DEBUG_INFO MATCHES "^(full|lines)$")
  message(FATAL_ERROR "UPCR_DEBUG_INFO is '${UPCR_DEBUG_INFO}': expected full or lines")
endif()
set(upcr_debug_option -g)
if(UPCR_DEBUG_INFO STREQUAL "lines")
  set(upcr_debug_option -g1)
endif()
foreach(language C CXX)
  string(REGEX REPLACE "(^| )-g( |$)" "\\1${upcr_debug_option}\\2"
    CMAKE_${language}_FLAGS_RELWITHDEBINFO "${CMAKE_${language}_FLAGS_RELWITHDEBINFO}")
endforeach()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
# What is installed says not where it was built: __FILE__ is relative to the source.
set(UPCR_FILE_NAMES -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
# For files that parse a command line with CLI11, which is all templates: with optimisation they take three times as long.
set(UPCR_COMMAND_LINE_OPTIONS "$<$<CONFIG:RelWithDebInfo>:-O0;-g1;-U_FORTIFY_SOURCE>")

if(UPCR_SANITIZE)
  # vptr reads what RTTI leaves in an object's class, and the library's classes have none.
  add_compile_options(-fsanitize=${UPCR_SANITIZE} -fno-sanitize=vptr -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${UPCR_SANITIZE})
  if(UPCR_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  elseif(UPCR_SANITIZE STREQUAL "thread" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-tsan)  # it warns of each fence, and tests make errors of warnings
  endif()
endif()
find_package(Threads REQUIRED)
