# SPDX-License-Identifier: BSD-3-Clause
# Run by cpack on what it has installed: manual pages of a Debian package are compressed.
file(GLOB_RECURSE pages ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*.[13])
list(FILTER pages INCLUDE REGEX "/man/man[13]/[^/]*$")
if(pages AND CPACK_GENERATOR STREQUAL "DEB")
  execute_process(COMMAND gzip -9n -- ${pages} COMMAND_ERROR_IS_FATAL ANY)
endif()
