# SPDX-License-Identifier: BSD-3-Clause
# upcr_layer(NAME): the C++ sources of one folder (upcr_sources), compiled twice: upcr_NAME for the release
# library and upcr_NAME_debug (UPCR_DEBUG=1, assertions on) for the debug library. Both are object
# libraries; upcr/CMakeLists.txt links the layers into libupcr.so and libupcr_debug.so.
# upcr_layer(NAME DEBUG_ONLY): for the debug library alone. upcr_layer(NAME APART): not for libupcr; targets that
# use it link it by name. upcr_layer(NAME LAYOUT_FREE): it knows nothing of pointers-to-shared; in a build with
# UPCR_LAYOUT_FREE_FROM it is that build's (UpcrLayoutFree).
set_property(GLOBAL PROPERTY UPCR_LAYERS "")
# Headers that most files of the layers include: with UPCR_PRECOMPILE_HEADERS they are read once a variant, in the
# first layer that is compiled.
set(UPCR_LAYER_HEADERS <algorithm> <atomic> <bit> <cerrno> <cstdio> <cstdlib> <cstring> <memory> <mutex>
  <string> <string_view> <vector> <sched.h> <unistd.h>)

# upcr_precompile(TARGET [HEADER...]): the same headers, and these, for a target of other compiler options.
function(upcr_precompile target)
  if(UPCR_PRECOMPILE_HEADERS)
    target_precompile_headers(${target} PRIVATE ${UPCR_LAYER_HEADERS} ${ARGN})
  endif()
endfunction()

# upcr_harden(TARGET [STRONG]): compiles and links a target that is installed so that memory errors are caught where
# possible, and tables of functions are read-only before main(). Code that clients compile, and archives that become
# part of their programs, have the clients' options. STRONG guards every stack frame with an array or a variable whose
# address is taken, and not only those with buffers: for tools; in the library that would cost time for every message.
# Not with sanitizers, which find more, and without _FORTIFY_SOURCE at -O0, where it does not work.
function(upcr_harden target)
  if(UPCR_SANITIZE)
    return()
  endif()
  set(guard -fstack-protector)
  if("STRONG" IN_LIST ARGN)
    set(guard -fstack-protector-strong)
  endif()
  target_compile_options(${target} PRIVATE ${guard}
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
  get_target_property(kind ${target} TYPE)
  if(NOT kind STREQUAL "OBJECT_LIBRARY" AND NOT kind STREQUAL "STATIC_LIBRARY")
    target_link_options(${target} PRIVATE -Wl,-z,relro -Wl,-z,now)
  endif()
endfunction()

# upcr_sources(VARIABLE): every *.cpp of this folder and of the folders below it, without those below a folder that
# has a CMakeLists.txt of its own. So no list must be changed when a file is added or moved.
function(upcr_sources variable)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  file(GLOB_RECURSE lists CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt)
  foreach(list IN LISTS lists)
    get_filename_component(folder ${list} DIRECTORY)
    if(folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
      continue()
    endif()
    foreach(source IN LISTS sources)
      string(FIND ${source} ${folder}/ place)
      if(place EQUAL 0)
        list(REMOVE_ITEM sources ${source})
      endif()
    endforeach()
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

function(upcr_layer name)
  upcr_sources(sources)
  if(NOT sources)
    return()
  endif()
  set(variants "" _debug)
  if("DEBUG_ONLY" IN_LIST ARGN)
    set(variants _debug)
  endif()
  foreach(variant IN LISTS variants)
    set(target upcr_${name}${variant})
    if(NOT "APART" IN_LIST ARGN)
      set_property(GLOBAL APPEND PROPERTY UPCR_LAYERS${variant} ${target})
    endif()
    set(layout ${PROJECT_BINARY_DIR}/include)
    if("LAYOUT_FREE" IN_LIST ARGN)
      if(UPCR_LAYOUT_FREE_FROM)
        continue()
      endif()
      set_property(GLOBAL APPEND PROPERTY UPCR_LAYOUT_FREE_LAYERS ${target})
      set(layout "")
    endif()
    add_library(${target} OBJECT ${sources})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include ${layout})
    target_compile_options(${target} PRIVATE
      -Wall -Wextra -Wno-unused-parameter -fno-exceptions -fno-rtti -fvisibility=hidden
      -fvisibility-inlines-hidden -ftls-model=initial-exec)
    target_compile_definitions(${target} PRIVATE UPCR_BUILDING_LIBRARY=1)
    if(variant STREQUAL "_debug")
      target_compile_definitions(${target} PRIVATE UPCR_DEBUG=1)
      target_compile_options(${target} PRIVATE -O1 -UNDEBUG)
    endif()
    upcr_harden(${target})
    get_property(precompiled GLOBAL PROPERTY UPCR_PRECOMPILED${variant})
    if(NOT UPCR_PRECOMPILE_HEADERS)
      # each file reads what it includes
    elseif(precompiled)
      target_precompile_headers(${target} REUSE_FROM ${precompiled})
    else()
      target_precompile_headers(${target} PRIVATE ${UPCR_LAYER_HEADERS})
      set_property(GLOBAL PROPERTY UPCR_PRECOMPILED${variant} ${target})
    endif()
  endforeach()
endfunction()
