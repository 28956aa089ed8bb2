# SPDX-License-Identifier: BSD-3-Clause
# Each order of the fields of a pointer-to-shared, other widths than usual, and a heap that is larger than they reach.
function(upcr_gupc_entry_forms name form)
  upcr_gupc_test(entry_forms_${name} abi/entry_forms.c FORMS ${form} WAYS messages THREADS 2 OPTIONS ${ARGN})
endfunction()
upcr_gupc_entry_forms(first packed -DPHASE_BITS=20 -DTHREAD_BITS=10 -DADDRESS_BITS=34)
upcr_gupc_entry_forms(last packed --pts-vaddr-order last -DPHASE_BITS=20 -DTHREAD_BITS=10 -DADDRESS_BITS=34)
upcr_gupc_entry_forms(wide packed --packed-bits 12,16,36 -DPHASE_BITS=12 -DTHREAD_BITS=16 -DADDRESS_BITS=36)
upcr_gupc_entry_forms(struct_first struct)
upcr_gupc_entry_forms(struct_last struct -fupc-pts-vaddr-order=last)

# 20 bits address 1 MiB; the heap ends above that.
upcr_gupc_test(entry_forms_narrow abi/entry_forms.c FORMS packed WAYS messages THREADS 2 OPTIONS --packed-bits 20,24,20
  -DPHASE_BITS=20 -DTHREAD_BITS=24 -DADDRESS_BITS=20 PASS "does not fit the address field")
