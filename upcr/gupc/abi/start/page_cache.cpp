// SPDX-License-Identifier: BSD-3-Clause
// The page cache of libupc, which inlined accesses read (-O1 and above, without -fno-upc-inline-lib): two
// pages' references and local addresses, of the calling UPC thread. Here no page is ever cached, so every
// access calls __upc_vm_map_addr (inlined.cpp), whatever the compiler's pages are.
//
// Twice, as threads.cpp: in the archives as plain variables, and with UPCRI_GUPC_TLS as upc-page-cache-tls.o
// for objects in which they are thread-local.
#ifdef UPCRI_GUPC_TLS
#  define PER_THREAD __thread
#else
#  define PER_THREAD
#endif

extern "C" {

// Never a page's reference.
PER_THREAD unsigned long __upc_page1_ref = ~0UL;
PER_THREAD unsigned long __upc_page2_ref = ~0UL;
PER_THREAD void* __upc_page1_base = nullptr;
PER_THREAD void* __upc_page2_base = nullptr;

}  // extern "C"
