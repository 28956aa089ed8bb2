# SPDX-License-Identifier: BSD-3-Clause
# Packages by cpack (docs/how-to/packaging.md): Debian's, one for each component; RPM and archives as one.
#
#   component  Debian package
#   runtime    libupcr0               libraries, and the modules that need no MPI library
#   openmpi    libupcr0-openmpi       conduit mpi over Open MPI
#   mpich      libupcr0-mpich         conduit mpi over MPICH
#   dev        libupcr-dev            upcc, headers, what other builds find upcr by
#   gasnet     libupcr-gasnet-dev     what a real GASNet has under the same names: headers, .mak, .pc, gasnetrun_*
#   tools      upcr-bin               upcrun, mupcrun, upcr_info, upcr_report, upcr_perf, gasnet_perf
#   doc        upcr-doc
#
# Every install() names its component; tests/install checks that none is without.
set(CPACK_PACKAGE_NAME upcr)
set(CPACK_PACKAGE_VENDOR "the upcr authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_CONTACT "upcr maintainers <upcr@example.org>" CACHE STRING "maintainer of packages: Name <address>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_UPCR_STRIP ${CMAKE_STRIP})
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/tools/cmake/deb/generator.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/tools/cmake/deb/finish.cmake)
set(CPACK_GENERATOR DEB)
get_property(upcr_module_components GLOBAL PROPERTY UPCR_MODULE_COMPONENTS)
set(CPACK_COMPONENTS_ALL runtime dev tools doc ${upcr_module_components})
if(UPCR_GASNET)
  list(APPEND CPACK_COMPONENTS_ALL gasnet)
endif()
list(REMOVE_DUPLICATES CPACK_COMPONENTS_ALL)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY "=")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
# The modes that policy wants for control files, whatever the umask was when the sources were unpacked.
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# upcr_deb(COMPONENT PACKAGE SECTION DEPENDS SUMMARY TEXT): one Debian package. SUMMARY is what lists of packages show
# (generator.cmake keeps the project's own line from taking its place); TEXT, lines of a description, follows it. DEPENDS
# is what no tool finds out.
macro(upcr_deb component package section depends summary text)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}")
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${text}")
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${text}")
  upcr_package_records(${component} ${package})
endmacro()

# upcr_package_records(COMPONENT PACKAGE): its copyright file, compressed changelog and what lintian is told, as Debian's
# policy wants them.
function(upcr_package_records component package)
  set(folder ${PROJECT_BINARY_DIR}/package/${package})
  configure_file(${PROJECT_SOURCE_DIR}/tools/cmake/deb/copyright.in ${folder}/copyright @ONLY)
  configure_file(${PROJECT_SOURCE_DIR}/tools/cmake/deb/changelog.in ${folder}/changelog @ONLY)
  execute_process(COMMAND gzip -9nf ${folder}/changelog RESULT_VARIABLE failed)
  if(NOT failed)
    install(FILES ${folder}/copyright ${folder}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
      COMPONENT ${component} EXCLUDE_FROM_ALL)
  endif()
  set(overrides ${PROJECT_SOURCE_DIR}/tools/cmake/deb/${package}.lintian-overrides)
  if(EXISTS ${overrides})
    install(FILES ${overrides} DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME ${package}
      COMPONENT ${component} EXCLUDE_FROM_ALL)
  endif()
endfunction()

file(READ ${PROJECT_SOURCE_DIR}/LICENSE upcr_license)
string(REGEX REPLACE "^[^\n]*\n\n" "" upcr_license "${upcr_license}")
string(REGEX REPLACE "\n\n" "\n.\n" upcr_license "${upcr_license}")
string(REGEX REPLACE "\n([^\n])" "\n \\1" upcr_license " ${upcr_license}")
string(TIMESTAMP upcr_package_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(upcr_same "(= ${PROJECT_VERSION})")

upcr_deb(runtime libupcr0 libs ""
  "Unified Parallel C runtime - libraries"
  "The Berkeley UPC Runtime interface and the GASNet-1 interface over shared\nmemory, InfiniBand, libfabric and MPI, chosen when a program starts.")
upcr_deb(dev libupcr-dev libdevel
  "libupcr0 ${upcr_same}, upcr-bin ${upcr_same}, gcc | c-compiler, libc6-dev | libc-dev"
  "Unified Parallel C compiler and development files"
  "upcc compiles UPC 1.3 and the C that UPC-to-C translators write. Headers and\nlibraries for programs that embed UPC, and for objects of GCC-UPC and\nClang-UPC.")
if(UPCR_GASNET)
  upcr_deb(gasnet libupcr-gasnet-dev libdevel
    "libupcr-dev ${upcr_same}, upcr-bin ${upcr_same}"
    "Unified Parallel C runtime - GASNet's interface"
    "gasnet.h and its companions, what makefiles and pkg-config find them by, and\ngasnetrun_*, for clients of GASNet-1 over upcr.")
  set(CPACK_DEBIAN_GASNET_PACKAGE_CONFLICTS "libgasnet-dev, gasnet")
endif()
upcr_deb(tools upcr-bin utils "libupcr0 ${upcr_same}"
  "Unified Parallel C program launcher"
  "upcrun starts UPC and GASNet programs on one host or many; upcr_info tells\nwhat can be used here, upcr_perf how fast it is, and upcr_report what a\nprogram did.")
upcr_deb(doc upcr-doc doc ""
  "Unified Parallel C runtime - documentation"
  "Tutorial, how-to pages, and manuals of the compiler, the launcher and the\nruntime, with examples.")
upcr_deb(openmpi libupcr0-openmpi libs "libupcr0 ${upcr_same}, openmpi-bin"
  "Unified Parallel C runtime - jobs over Open MPI"
  "The module by which UPC programs communicate over Open MPI, on any number of\nhosts, also beside MPI code in the same program.")
upcr_deb(mpich libupcr0-mpich libs "libupcr0 ${upcr_same}, mpich"
  "Unified Parallel C runtime - jobs over MPICH"
  "The module by which UPC programs communicate over MPICH, on any number of\nhosts, also beside MPI code in the same program.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/tools/cmake/deb/triggers)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "openssh-client")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "libupcr-dev, libupcr0-openmpi | libupcr0-mpich, upcr-doc")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "upcr-doc, gdb")

set(CPACK_RPM_PACKAGE_LICENSE "BSD-3-Clause")
set(CPACK_RPM_PACKAGE_SUMMARY ${PROJECT_DESCRIPTION})
include(CPack)
