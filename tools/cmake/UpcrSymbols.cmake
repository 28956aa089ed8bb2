# SPDX-License-Identifier: BSD-3-Clause
# upcr_export(TARGET PRIVATE SCRIPT): what a shared library exports: the names of SCRIPT, a version script in which
# @PRIVATE@ stands for the version of what its own modules and tools take from it. That version is another one in
# each library, so that two of them in one process keep to their own; tests/symbols lists what comes out.
function(upcr_export target private script)
  set(PRIVATE ${private})
  set(version_script ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
  configure_file(${script} ${version_script} @ONLY)
  target_link_options(${target} PRIVATE -Wl,--version-script=${version_script})
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${version_script})
endfunction()
