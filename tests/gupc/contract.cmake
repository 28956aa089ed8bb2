# SPDX-License-Identifier: BSD-3-Clause
# The whole contract of objects with the library, symbol by symbol: programs that include nothing of upcr are compiled
# against prototypes.h and linked with it.
#   access, library, collectives   each of the functions
#   exits                          ways in which a program ends
#   clang                          an object in assembly, as Clang-UPC writes it
set(programs_of_contract)
function(upcr_contract_object source form)
  set(define)
  if(form STREQUAL "struct")
    set(define -DSTRUCT_FORM)
  endif()
  string(REGEX REPLACE "[.].*" "" name ${source})
  set(object ${CMAKE_CURRENT_BINARY_DIR}/contract_${name}_${form}.o)
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/contract)
  add_custom_command(OUTPUT ${object} DEPENDS ${folder}/${source} ${folder}/contract.h ${folder}/prototypes.h
    COMMAND ${CMAKE_C_COMPILER} -O1 -fno-pie -fno-toplevel-reorder -Wall -Wextra -Werror ${define} -c -o ${object}
      ${folder}/${source} VERBATIM)
  set(objects ${objects} ${object} PARENT_SCOPE)
endfunction()

set(names access library collectives exits)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND names clang)
else()
  upcr_skipped_test(gupc.contract.clang.packed.pshm_yes "the assembly is for x86-64")
endif()
foreach(form packed struct)
  set(all_objects)
  foreach(program ${names})
    set(objects)
    upcr_contract_object(${program}.c ${form})
    list(APPEND all_objects ${objects})
    if(program STREQUAL "clang")
      upcr_contract_object(clang_asm.S ${form})
    endif()
    set(linked ${CMAKE_CURRENT_BINARY_DIR}/contract_${program}_${form})
    add_custom_command(OUTPUT ${linked} DEPENDS ${objects} upcc upcr_gupc_${form} upcr_gupc_start
      COMMAND upcc --abi=gupc --pts ${form} -o ${linked} ${objects} VERBATIM)
    list(APPEND programs_of_contract ${linked})
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
    ${CMAKE_C_COMPILER} ${CMAKE_NM} 283 ${all_objects})
  set_tests_properties(gupc.contract.names.${form} PROPERTIES LABELS gupc TIMEOUT 60)
endforeach()
add_custom_target(gupc_contract ALL DEPENDS ${programs_of_contract})
if(NOT UPCR_LAYOUT_FREE_FROM) # which has upcrun
  add_dependencies(gupc_contract upcrun)
endif()
add_dependencies(gupc_contract upcr)
