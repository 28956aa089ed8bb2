# SPDX-License-Identifier: BSD-3-Clause
# make install: headers, both libraries, tools, and how other builds find them (CMake package upcr,
# pkg-config upcr). Nothing installed holds an absolute path, so the tree may be moved.
include(CMakePackageConfigHelpers)

set(upcr_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/upcr)
install(TARGETS upcr upcr_debug EXPORT upcr_targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT dev
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT upcr_targets FILE upcr-targets.cmake NAMESPACE upcr:: DESTINATION ${upcr_cmake_dir} COMPONENT dev)
# Of GASNet's headers gasnet/ident.h belongs to upcr.h too; the others are apart, as a real GASNet has their names.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
  FILES_MATCHING PATTERN "*.h" REGEX "/include/gasnet" EXCLUDE PATTERN mupc.h EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/include/gasnet/ident.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gasnet COMPONENT dev)
if(UPCR_MUPC)
  install(FILES ${PROJECT_SOURCE_DIR}/include/mupc.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
endif()
if(UPCR_GASNET)
  file(GLOB upcr_gasnet_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/gasnet*.h)
  install(FILES ${upcr_gasnet_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT gasnet)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/gasnet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT gasnet
    FILES_MATCHING PATTERN "*.h" PATTERN ident.h EXCLUDE)
endif()
install(DIRECTORY ${upcr_generated_headers}/upcr DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
  FILES_MATCHING PATTERN "*.h")

foreach(tool upcc upcrun upcr_info upcr_report upcr_perf gasnet_perf)
  if(TARGET ${tool})
    set(component tools)
    if(tool STREQUAL upcc)
      set(component dev)
    endif()
    file(RELATIVE_PATH upcr_bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(${tool} PROPERTIES INSTALL_RPATH "$ORIGIN/${upcr_bin_to_lib}")
    install(TARGETS ${tool} DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${component})
  endif()
endforeach()

# The other benchmarks, out of the way of commands (docs/performance.md). Those beside a network's own interface stay
# in the build, and upcr_micro, as packages would depend on each MPI library and on Google Benchmark.
set(upcr_benchmarks ${CMAKE_INSTALL_FULL_LIBEXECDIR}/upcr/bench)
foreach(benchmark upcr_footprint upcr_hello upcr_scale upcr_start_end upcr_volume plain_footprint)
  if(TARGET ${benchmark})
    file(RELATIVE_PATH upcr_benchmarks_to_lib ${upcr_benchmarks} ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(${benchmark} PROPERTIES INSTALL_RPATH "$ORIGIN/${upcr_benchmarks_to_lib}")
    install(TARGETS ${benchmark} DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/upcr/bench COMPONENT tools)
  endif()
endforeach()

configure_package_config_file(${PROJECT_SOURCE_DIR}/tools/cmake/upcr-config.cmake.in
  ${PROJECT_BINARY_DIR}/upcr-config.cmake INSTALL_DESTINATION ${upcr_cmake_dir}
  PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/upcr-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/upcr-config.cmake ${PROJECT_BINARY_DIR}/upcr-config-version.cmake
  ${PROJECT_SOURCE_DIR}/tools/cmake/upcr-executable.cmake DESTINATION ${upcr_cmake_dir} COMPONENT dev)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/tools/cmake/modules DESTINATION ${upcr_cmake_dir} COMPONENT dev)

# The same package of the build folder: cmake -Dupcr_DIR=build/cmake/upcr.
set(upcr_build_package ${PROJECT_BINARY_DIR}/cmake/upcr)
export(EXPORT upcr_targets FILE ${upcr_build_package}/upcr-targets.cmake NAMESPACE upcr::)
set(upcr_install_bindir ${CMAKE_INSTALL_BINDIR})
file(RELATIVE_PATH CMAKE_INSTALL_BINDIR ${PROJECT_BINARY_DIR} ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
configure_package_config_file(${PROJECT_SOURCE_DIR}/tools/cmake/upcr-config.cmake.in
  ${upcr_build_package}/upcr-config.cmake INSTALL_DESTINATION cmake/upcr INSTALL_PREFIX ${PROJECT_BINARY_DIR}
  PATH_VARS CMAKE_INSTALL_BINDIR)
set(CMAKE_INSTALL_BINDIR ${upcr_install_bindir})
configure_file(${PROJECT_BINARY_DIR}/upcr-config-version.cmake ${upcr_build_package}/upcr-config-version.cmake COPYONLY)
foreach(file upcr-executable.cmake modules/CMakeDetermineUPCCompiler.cmake modules/CMakeUPCCompiler.cmake.in
             modules/CMakeUPCInformation.cmake modules/CMakeTestUPCCompiler.cmake)
  configure_file(${PROJECT_SOURCE_DIR}/tools/cmake/${file} ${upcr_build_package}/${file} COPYONLY)
endforeach()

file(RELATIVE_PATH upcr_pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(upcr_pc_library upcr upcr_debug)
  configure_file(${PROJECT_SOURCE_DIR}/tools/cmake/upcr.pc.in ${PROJECT_BINARY_DIR}/${upcr_pc_library}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${upcr_pc_library}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endforeach()
# The static libraries, in the package of the headers; without UPCR_STATIC only where a test asks for them.
if(TARGET upcr_static)
  set(static COMPONENT dev)
  if(NOT UPCR_STATIC)
    set(static COMPONENT static EXCLUDE_FROM_ALL)
  endif()
  install(TARGETS upcr_static upcr_static_debug EXPORT upcr_static_targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} ${static} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT upcr_static_targets FILE upcr-static-targets.cmake NAMESPACE upcr:: DESTINATION ${upcr_cmake_dir} ${static})
  get_property(upcr_static_link GLOBAL PROPERTY UPCR_STATIC_LINK)
  list(JOIN upcr_static_link " " upcr_static_link)
  foreach(suffix "" _debug)
    set(upcr_pc_library upcr${suffix})
    configure_file(${PROJECT_SOURCE_DIR}/tools/cmake/upcr_static.pc.in ${PROJECT_BINARY_DIR}/upcr_static${suffix}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/upcr_static${suffix}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${static})
  endforeach()
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/share/upcr DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT dev)

# What completes command lines in bash and zsh.
set(upcr_completions share/bash-completion/completions)
install(FILES ${upcr_completions}/upcrun DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tools)
set(upcr_completed upcc upcr_info upcr_report upcr_perf)
if(UPCR_GASNET)
  list(APPEND upcr_completed gasnet_perf)
endif()
foreach(tool ${upcr_completed})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/${upcr_completions})
  file(CREATE_LINK upcrun ${PROJECT_BINARY_DIR}/${upcr_completions}/${tool} SYMBOLIC)
  install(FILES ${PROJECT_BINARY_DIR}/${upcr_completions}/${tool}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tools)
endforeach()
install(FILES share/zsh/site-functions/_upcr DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT tools)

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(CODE "execute_process(COMMAND find \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}\" -name *.md
  -exec sed -i -E -f \"${PROJECT_SOURCE_DIR}/tools/cmake/installed_docs.sed\" {} +)" COMPONENT doc)
