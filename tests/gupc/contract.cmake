# SPDX-License-Identifier: BSD-3-Clause
# The whole contract of objects with the library, symbol by symbol: programs that include nothing of upcr are compiled
# against prototypes.h and linked with it.
set(objects_of_contract)
foreach(form packed struct)
  set(objects)
  foreach(program access library collectives exits)
    set(source ${CMAKE_CURRENT_SOURCE_DIR}/contract/${program}.c)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/contract_${program}_${form}.o)
    set(linked ${CMAKE_CURRENT_BINARY_DIR}/contract_${program}_${form})
    set(define)
    if(form STREQUAL "struct")
      set(define -DSTRUCT_FORM)
    endif()
    add_custom_command(OUTPUT ${object}
      DEPENDS ${source} ${CMAKE_CURRENT_SOURCE_DIR}/contract/contract.h ${CMAKE_CURRENT_SOURCE_DIR}/contract/prototypes.h
      COMMAND ${CMAKE_C_COMPILER} -O1 -fno-pie -fno-toplevel-reorder -Wall -Wextra -Werror ${define} -c -o ${object} ${source}
      VERBATIM)
    add_custom_command(OUTPUT ${linked}
      DEPENDS ${object} upcc upcr upcr_gupc_${form} upcr_gupc_start
      COMMAND upcc --abi=gupc --pts ${form} -o ${linked} ${object} VERBATIM)
    list(APPEND objects ${object})
    list(APPEND objects_of_contract ${linked})
    if(program STREQUAL "exits")
      add_test(NAME gupc.contract.exits.${form} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/contract/exits.sh
        $<TARGET_FILE:upcrun> ${linked})
      set_tests_properties(gupc.contract.exits.${form} PROPERTIES LABELS gupc TIMEOUT 120)
    else()
      foreach(bypass yes no)
        set(test gupc.contract.${program}.${form}.pshm_${bypass})
        add_test(NAME ${test} COMMAND $<TARGET_FILE:upcrun> -n 3 ${linked})
        set_tests_properties(${test} PROPERTIES LABELS gupc TIMEOUT 120 ENVIRONMENT UPCR_PSHM=${bypass})
      endforeach()
    endif()
  endforeach()
  add_test(NAME gupc.contract.names.${form} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/contract/names.sh
    ${CMAKE_C_COMPILER} ${CMAKE_NM} 283 ${objects})
  set_tests_properties(gupc.contract.names.${form} PROPERTIES LABELS gupc TIMEOUT 60)
endforeach()
add_custom_target(gupc_contract ALL DEPENDS ${objects_of_contract})
add_dependencies(gupc_contract upcrun)
