# SPDX-License-Identifier: BSD-3-Clause
# Static libraries: libupcr.a and libupcr_debug.a, with the conduits and bootstraps linked in that are modules of the
# shared library. They depend on the shared libraries of these networks (libibverbs, libfabric, MPI, PMIx).
#
# A static library has no version script, so each archive is one object in which everything but the interface is local.
# The modules come first: each is linked into one object in which all is local but its module's object. The names of
# their own classes therefore cannot meet. COMDAT groups are dissolved (--force-group-allocation): a linker would take
# those of two objects for one.
#
# The object libraries, names and pkg-config packages of what may be linked in.
set(upcr_static_parts_ibv upcr_ibv conduit_ibv upcr_conduit_module "UPCR_IBV_libibverbs;UPCR_IBV_librdmacm;UPCR_IBV_hwloc")
set(upcr_static_parts_ofi upcr_ofi conduit_ofi upcr_conduit_module UPCR_OFI_libfabric)
set(upcr_static_parts_pmix upcr_pmix bootstrap_pmix upcr_bootstrap_module UPCR_PMIX)
foreach(library openmpi mpich)
  set(upcr_static_parts_${library} upcr_mpi_${library} conduit_mpi_${library} "upcr_conduit_module upcr_bootstrap_module"
    UPCR_MPI_${library})
endforeach()

# What is linked in: what was found, of the MPI libraries one, as a program can use only one.
set(upcr_static_found smp)
foreach(name ibv ofi openmpi mpich pmix)
  list(GET upcr_static_parts_${name} 0 objects)
  if(TARGET ${objects} AND NOT (name STREQUAL mpich AND "openmpi" IN_LIST upcr_static_found))
    list(APPEND upcr_static_found ${name})
  endif()
endforeach()
set(UPCR_STATIC_CONDUITS auto CACHE STRING
  "what static libraries have linked in: a list of smp, ibv, ofi, openmpi or mpich, pmix; auto: what was found")
set(upcr_static_conduits ${UPCR_STATIC_CONDUITS})
if(upcr_static_conduits STREQUAL auto)
  set(upcr_static_conduits ${upcr_static_found})
endif()
if("openmpi" IN_LIST upcr_static_conduits AND "mpich" IN_LIST upcr_static_conduits)
  message(FATAL_ERROR "UPCR_STATIC_CONDUITS has openmpi and mpich: a program can use one of them only")
endif()
set(upcr_static_link "")
foreach(name IN LISTS upcr_static_conduits)
  if(name STREQUAL smp)
    continue()  # a layer of the library
  endif()
  if(NOT DEFINED upcr_static_parts_${name})
    message(FATAL_ERROR "UPCR_STATIC_CONDUITS: '${name}' is none of smp, ibv, ofi, openmpi, mpich, pmix")
  endif()
  list(GET upcr_static_parts_${name} 0 objects)
  if(NOT TARGET ${objects})
    message(FATAL_ERROR "UPCR_STATIC_CONDUITS: '${name}' was not found")
  endif()
  list(SUBLIST upcr_static_parts_${name} 3 -1 packages)
  foreach(package IN LISTS packages)
    list(APPEND upcr_static_link ${${package}_LDFLAGS})
  endforeach()
endforeach()
list(REMOVE_DUPLICATES upcr_static_link)
list(APPEND upcr_static_link -lstdc++ -lm ${CMAKE_DL_LIBS})
list(TRANSFORM upcr_static_link REPLACE "^dl$" "-ldl")

# upcr_one_object(OUT KEPT_FILE IN object... [OPTIONS option...]): one_object.sh as a command of the build. CMake counts
# the precompiled header among a target's objects, but it is none for a linker.
function(upcr_one_object out kept)
  cmake_parse_arguments(PARSE_ARGV 2 one "" "" "OPTIONS;IN")
  list(JOIN one_OPTIONS " " options)
  set(objects "$<FILTER:${one_IN},EXCLUDE,\\.gch$>")
  set(script ${PROJECT_SOURCE_DIR}/tools/cmake/one_object.sh)
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -E env LD=${CMAKE_LINKER} NM=${CMAKE_NM} OBJCOPY=${CMAKE_OBJCOPY}
            "OBJCOPY_OPTIONS=${options}" ${script} ${out} ${kept} "${objects}"
    DEPENDS "${objects}" ${kept} ${script} COMMAND_EXPAND_LISTS VERBATIM)
endfunction()

# upcr_static_library(TARGET LIBRARY SCRIPT LAYER...): the archive of these object libraries, with the interface of
# SCRIPT, a version script as upcr_export() takes it: the patterns of its first block.
function(upcr_static_library target library script)
  set(folder ${PROJECT_BINARY_DIR}/static/${target})
  set(table "")
  set(declarations "")
  set(objects "")
  foreach(name IN LISTS upcr_static_conduits)
    if(name STREQUAL smp)
      continue()
    endif()
    list(GET upcr_static_parts_${name} 0 layer)
    list(GET upcr_static_parts_${name} 1 file)
    list(GET upcr_static_parts_${name} 2 symbols)
    separate_arguments(symbols)
    set(kept "")
    set(options "")
    foreach(symbol IN LISTS symbols)
      string(APPEND kept "${symbol}\nlinked_${file}_${symbol}\n")
      list(APPEND options --redefine-sym ${symbol}=linked_${file}_${symbol})
      string(APPEND declarations "extern \"C\" const upcr::ModuleHead linked_${file}_${symbol};\n")
      string(APPEND table "    {\"${file}\", \"${symbol}\", &linked_${file}_${symbol}},\n")
    endforeach()
    file(GENERATE OUTPUT ${folder}/${file}.kept CONTENT "${kept}")
    upcr_one_object(${folder}/${file}.o ${folder}/${file}.kept IN $<TARGET_OBJECTS:${layer}> OPTIONS ${options})
    list(APPEND objects ${folder}/${file}.o)
  endforeach()

  set(text "// Written by UpcrStatic.cmake: the modules of ${target}.\n#include \"conduits/core/base/modules.hpp\"\n\n")
  string(APPEND text "${declarations}\nnamespace upcr {\nnamespace {\n")
  if(table)
    string(APPEND text "const LinkedModule kModules[] = {\n${table}};\n")
    string(APPEND text "const std::span<const LinkedModule> modules(kModules);\n")
  else()
    string(APPEND text "const std::span<const LinkedModule> modules;\n")
  endif()
  string(APPEND text "}  // namespace\n\nconst std::span<const LinkedModule>* linked_modules() { return &modules; }\n\n"
    "}  // namespace upcr\n")
  file(GENERATE OUTPUT ${folder}/linked_modules.cpp CONTENT "${text}")
  add_library(${target}_modules OBJECT ${folder}/linked_modules.cpp)
  target_include_directories(${target}_modules PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${target}_modules PRIVATE -fno-exceptions -fno-rtti -fvisibility=hidden)
  upcr_harden(${target}_modules)
  list(APPEND objects $<TARGET_OBJECTS:${target}_modules>)
  foreach(layer IN LISTS ARGN)
    list(APPEND objects $<TARGET_OBJECTS:${layer}>)
  endforeach()

  file(READ ${script} text)
  string(REGEX MATCH "{[^}]*}" block "${text}")
  string(REGEX MATCHALL "[A-Za-z0-9_]+\\*?;" kept "${block}")
  string(REPLACE ";" "\n" kept "${kept}")
  file(GENERATE OUTPUT ${folder}/interface.kept CONTENT "${kept}")
  upcr_one_object(${folder}/${target}.o ${folder}/interface.kept IN ${objects})

  add_library(${target} STATIC ${folder}/${target}.o)
  set_source_files_properties(${folder}/${target}.o PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${library} LINKER_LANGUAGE C
    ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
  target_include_directories(${target} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} INTERFACE Threads::Threads ${upcr_static_link})
endfunction()
