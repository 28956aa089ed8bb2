# SPDX-License-Identifier: BSD-3-Clause
# cmake -DFOLDER=lib/upcr/gupc/FORM -DFORM=packed|struct -P libraries.cmake: the libraries that drivers of GCC-UPC and
# Clang-UPC link, as linker scripts, which find what they name beside themselves, wherever the tree is.
#
#   gupc, upc        the form of the folder, address first, 20,10,34 bits
#   gupc_pt, upc_pt  the same for the pthreads model
#   upc-s, upc-l, upc-s-l   struct, address last, both
#   upc-P-T-V        packed with so many bits of phase, thread, address: all of 64 bits together

# library(NAME FORM TEXT): `text` comes before the objects.
function(library name form text)
  file(WRITE ${FOLDER}/lib${name}.a
    "/* GNU ld script: UPC programs with ${form} pointers-to-shared */\n${text}GROUP(../libupcr_gupc_${form}.a ../../../libupcr.so)\n")
endfunction()

# format(OUT LAST PHASE THREAD ADDRESS): a script that sets the symbols of format.S. `last`: 1 for address last.
function(format out last phase thread address)
  if(last)
    set(address_shift 0)
    set(thread_shift ${address})
    math(EXPR phase_shift "${address} + ${thread}")
  else()
    math(EXPR address_shift "${phase} + ${thread}")
    set(thread_shift ${phase})
    set(phase_shift 0)
  endif()
  math(EXPR order_and_address "${address_shift} << 32 | ${last}" OUTPUT_FORMAT HEXADECIMAL)
  math(EXPR thread_and_phase "${phase_shift} << 32 | ${thread_shift}" OUTPUT_FORMAT HEXADECIMAL)
  set(text)
  string(APPEND text "upcri_gupc_order_and_address_shift = ${order_and_address};\n"
    "upcri_gupc_thread_and_phase_shift = ${thread_and_phase};\n")
  foreach(field address thread phase)
    math(EXPR mask "(1 << ${${field}}) - 1" OUTPUT_FORMAT HEXADECIMAL)
    string(APPEND text "upcri_gupc_${field}_mask = ${mask};\n")
  endforeach()
  set(${out} "${text}INPUT(../upc-format.o)\n" PARENT_SCOPE)
endfunction()

set(pthreads "INPUT(../upc-threads-tls.o ../upc-page-cache-tls.o)\n")
foreach(name gupc upc)
  library(${name} ${FORM} "")
  library(${name}_pt ${FORM} "${pthreads}")
endforeach()
library(upc-s struct "")
format(last 1 20 10 34)
library(upc-l packed "${last}")
library(upc-s-l struct "${last}")
foreach(phase RANGE 1 32)
  foreach(thread RANGE 1 32)
    math(EXPR address "64 - ${phase} - ${thread}")
    if(address GREATER 0)
      format(bits 0 ${phase} ${thread} ${address})
      library(upc-${phase}-${thread}-${address} packed "${bits}")
    endif()
  endforeach()
endforeach()
file(TOUCH ${FOLDER}.stamp)
