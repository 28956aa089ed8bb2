# SPDX-License-Identifier: BSD-3-Clause
# Read by cpack before it makes packages of one kind. CPackDeb puts the project's own line in front of each description,
# so that all packages would have the same one in lists; without it the first line is the package's summary.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
endif()
