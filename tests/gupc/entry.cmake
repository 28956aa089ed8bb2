# SPDX-License-Identifier: BSD-3-Clause
# What compiled code calls to reach shared memory and to synchronise: all names are there, every mode and block
# works in every form, every mistake is named, and nobody waits for a thread between notify and wait.
set(here ${CMAKE_CURRENT_SOURCE_DIR})
foreach(form packed struct)
  add_test(NAME gupc.entry_names.${form} COMMAND ${here}/entry_names.sh ${CMAKE_NM}
    $<TARGET_FILE:upcr_gupc_${form}> ${here}/entry_names.txt)
  set_tests_properties(gupc.entry_names.${form} PROPERTIES LABELS gupc TIMEOUT 60)
endforeach()
