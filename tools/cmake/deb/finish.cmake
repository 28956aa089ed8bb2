# SPDX-License-Identifier: BSD-3-Clause
# Run by cpack on what it has installed. Static libraries lose their debug information, with the folders of the build in
# it, as shared ones do by CPACK_STRIP_FILES; those that are linker scripts stay. Manual pages of a Debian package are
# compressed.
file(GLOB_RECURSE archives ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*.a)
foreach(archive IN LISTS archives)
  file(READ ${archive} start LIMIT 7)
  if(start MATCHES "^!<arch>" AND CPACK_UPCR_STRIP)
    execute_process(COMMAND ${CPACK_UPCR_STRIP} --strip-debug --enable-deterministic-archives ${archive}
      COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
file(GLOB_RECURSE pages ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*.[13])
list(FILTER pages INCLUDE REGEX "/man/man[13]/[^/]*$")
if(pages AND CPACK_GENERATOR STREQUAL "DEB")
  execute_process(COMMAND gzip -9n -- ${pages} COMMAND_ERROR_IS_FATAL ANY)
endif()
