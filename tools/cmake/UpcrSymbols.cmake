# SPDX-License-Identifier: BSD-3-Clause
# upcr_export(TARGET PRIVATE SCRIPT): makes a shared library export the names of SCRIPT, a version script in which
# @PRIVATE@ stands for the version of symbols for its own modules and tools. Each library has another such version, so
# that two libraries in one process use their own symbols; tests/symbols lists the exports.
function(upcr_export target private script)
  set(PRIVATE ${private})
  set(version_script ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
  configure_file(${script} ${version_script} @ONLY)
  target_link_options(${target} PRIVATE -Wl,--version-script=${version_script})
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${version_script})
endfunction()

# upcr_name_library(TARGET): compiles the library's name into it, which is the name of the folder with its modules.
function(upcr_name_library target)
  add_library(${target}_name OBJECT ${PROJECT_SOURCE_DIR}/tools/cmake/library_name.cpp)
  target_include_directories(${target}_name PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${target}_name PRIVATE -fno-exceptions -fno-rtti -fvisibility=hidden)
  target_compile_definitions(${target}_name PRIVATE UPCR_LIBRARY_NAME="${target}")
  upcr_harden(${target}_name)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_name>)
endfunction()

# upcr_module(MODULE OBJECTS COMPONENT): an object library as a module, installed once for each library that loads it
# and linked with that library: upcr/LIBRARY/MODULE.so, in COMPONENT (UpcrPackages.cmake). MODULE itself links no library
# and serves programs that hold the layers themselves (tests); its build builds the others, too. Modules export the
# symbols that are looked up in them, no others.
function(upcr_module module objects component)
  set(script ${PROJECT_SOURCE_DIR}/tools/cmake/module.map)
  set(libraries upcr upcr_debug)
  if(UPCR_GASNET)
    list(APPEND libraries gasnet gasnet_debug)
  endif()
  foreach(library "" ${libraries})
    set(target ${module})
    if(library)
      set(target ${module}_${library})
    endif()
    add_library(${target} MODULE)
    upcr_harden(${target})
    target_link_libraries(${target} PRIVATE ${objects} ${library})
    target_link_options(${target} PRIVATE -Wl,--version-script=${script})
    set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${module} LINKER_LANGUAGE CXX LINK_DEPENDS ${script}
      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/upcr/${library})
    if(library)
      set_target_properties(${target} PROPERTIES
        INSTALL_RPATH "$ORIGIN/../.." INSTALL_RPATH_USE_LINK_PATH TRUE)  # libraries outside the system's folders
      add_dependencies(${module} ${target})
      set_property(GLOBAL APPEND PROPERTY UPCR_MODULE_COMPONENTS ${component})
      install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/upcr/${library} COMPONENT ${component})
    endif()
  endforeach()
endfunction()
