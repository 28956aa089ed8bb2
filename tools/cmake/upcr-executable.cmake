# SPDX-License-Identifier: BSD-3-Clause
# upcr_add_executable(NAME SOURCE... [STATIC_THREADS N] [PTHREADS])
#
# An executable of UPC sources (.upc), C and C++, linked by upcc. STATIC_THREADS: for exactly N UPC threads.
# PTHREADS: several UPC threads may share a process. A macro, because it enables the language UPC in the calling
# folder, which a function cannot.
macro(upcr_add_executable upcr_name)
  if(NOT CMAKE_UPC_COMPILER_LOADED)
    enable_language(UPC)
  endif()
  upcr_add_upc_executable(${upcr_name} ${ARGN})
endmacro()

function(upcr_add_upc_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 upc "PTHREADS" "STATIC_THREADS" "")
  if(NOT upc_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "upcr_add_executable(${name}): there are no sources")
  endif()
  add_executable(${name} ${upc_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE UPC)
  set(options)
  if(DEFINED upc_STATIC_THREADS)
    if(NOT upc_STATIC_THREADS MATCHES "^[1-9][0-9]*$")
      message(FATAL_ERROR "upcr_add_executable(${name}): STATIC_THREADS '${upc_STATIC_THREADS}' is no number of threads")
    endif()
    list(APPEND options -T${upc_STATIC_THREADS})
  endif()
  if(upc_PTHREADS)
    list(APPEND options --pthreads)
  endif()
  target_compile_options(${name} PRIVATE "$<$<COMPILE_LANGUAGE:UPC>:${options}>")
  target_link_options(${name} PRIVATE ${options})
  target_link_libraries(${name} PRIVATE upcr::headers)
endfunction()
