# SPDX-License-Identifier: BSD-3-Clause
# Every mistake that an access, a cast or a barrier of compiled code can make is named.
upcr_gupc_program(entry_errors abi/entry_errors.c)
foreach(form packed struct)
  add_test(NAME gupc.entry_errors.${form} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/abi/entry_errors.sh $<TARGET_FILE:upcrun>
    ${CMAKE_CURRENT_BINARY_DIR}/gupc_entry_errors_${form})
  set_tests_properties(gupc.entry_errors.${form} PROPERTIES LABELS gupc TIMEOUT 300)
endforeach()
