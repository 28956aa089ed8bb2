/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UPC-IO for files of older translators (encoding.h): the functions of io.h that take flags, which documents
 * them, with the flags turned into UPC 1.3's. Included by io.h. The names are object-like on purpose: such a
 * file may declare the function again, or take its address.
 */
#pragma once
#include "upcr/encoding.h"
#include "upcr/io.h"

#if UPCRI_ENCODING != 0
UPCRI_BEGIN_C
UPCRI_STATIC upc_off_t upcri_enc_all_fread_local(upcr_pshared_ptr_t fd, void *buffer, size_t size,
                                                 size_t nmemb, int sync) {
    return _upcr_all_fread_local(fd, buffer, size, nmemb, upcri_coll_flags(sync));
}
UPCRI_STATIC upc_off_t upcri_enc_all_fwrite_local(upcr_pshared_ptr_t fd, void *buffer, size_t size,
                                                  size_t nmemb, int sync) {
    return _upcr_all_fwrite_local(fd, buffer, size, nmemb, upcri_coll_flags(sync));
}
UPCRI_STATIC upc_off_t upcri_enc_all_fread_shared(upcr_pshared_ptr_t fd, upcr_shared_ptr_t buffer,
                                                  size_t blocksize, size_t size, size_t nmemb, int sync) {
    return _upcr_all_fread_shared(fd, buffer, blocksize, size, nmemb, upcri_coll_flags(sync));
}
UPCRI_STATIC upc_off_t upcri_enc_all_fwrite_shared(upcr_pshared_ptr_t fd, upcr_shared_ptr_t buffer,
                                                   size_t blocksize, size_t size, size_t nmemb, int sync) {
    return _upcr_all_fwrite_shared(fd, buffer, blocksize, size, nmemb, upcri_coll_flags(sync));
}
UPCRI_STATIC upc_off_t upcri_enc_all_fread_list_local(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                      const void *memvec, size_t filevec_entries,
                                                      const void *filevec, int sync) {
    return _upcr_all_fread_list_local(fd, memvec_entries, memvec, filevec_entries, filevec,
                                      upcri_coll_flags(sync));
}
UPCRI_STATIC upc_off_t upcri_enc_all_fwrite_list_local(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                       const void *memvec, size_t filevec_entries,
                                                       const void *filevec, int sync) {
    return _upcr_all_fwrite_list_local(fd, memvec_entries, memvec, filevec_entries, filevec,
                                       upcri_coll_flags(sync));
}
UPCRI_STATIC upc_off_t upcri_enc_all_fread_list_shared(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                       const void *memvec, size_t filevec_entries,
                                                       const void *filevec, int sync) {
    return _upcr_all_fread_list_shared(fd, memvec_entries, memvec, filevec_entries, filevec,
                                       upcri_coll_flags(sync));
}
UPCRI_STATIC upc_off_t upcri_enc_all_fwrite_list_shared(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                        const void *memvec, size_t filevec_entries,
                                                        const void *filevec, int sync) {
    return _upcr_all_fwrite_list_shared(fd, memvec_entries, memvec, filevec_entries, filevec,
                                        upcri_coll_flags(sync));
}
UPCRI_STATIC void upcri_enc_all_fread_local_async(upcr_pshared_ptr_t fd, void *buffer, size_t size,
                                                  size_t nmemb, int sync) {
    _upcr_all_fread_local_async(fd, buffer, size, nmemb, upcri_coll_flags(sync));
}
UPCRI_STATIC void upcri_enc_all_fwrite_local_async(upcr_pshared_ptr_t fd, void *buffer, size_t size,
                                                   size_t nmemb, int sync) {
    _upcr_all_fwrite_local_async(fd, buffer, size, nmemb, upcri_coll_flags(sync));
}
UPCRI_STATIC void upcri_enc_all_fread_shared_async(upcr_pshared_ptr_t fd, upcr_shared_ptr_t buffer,
                                                   size_t blocksize, size_t size, size_t nmemb, int sync) {
    _upcr_all_fread_shared_async(fd, buffer, blocksize, size, nmemb, upcri_coll_flags(sync));
}
UPCRI_STATIC void upcri_enc_all_fwrite_shared_async(upcr_pshared_ptr_t fd, upcr_shared_ptr_t buffer,
                                                    size_t blocksize, size_t size, size_t nmemb, int sync) {
    _upcr_all_fwrite_shared_async(fd, buffer, blocksize, size, nmemb, upcri_coll_flags(sync));
}
UPCRI_STATIC void upcri_enc_all_fread_list_local_async(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                       const void *memvec, size_t filevec_entries,
                                                       const void *filevec, int sync) {
    _upcr_all_fread_list_local_async(fd, memvec_entries, memvec, filevec_entries, filevec,
                                     upcri_coll_flags(sync));
}
UPCRI_STATIC void upcri_enc_all_fwrite_list_local_async(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                        const void *memvec, size_t filevec_entries,
                                                        const void *filevec, int sync) {
    _upcr_all_fwrite_list_local_async(fd, memvec_entries, memvec, filevec_entries, filevec,
                                      upcri_coll_flags(sync));
}
UPCRI_STATIC void upcri_enc_all_fread_list_shared_async(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                        const void *memvec, size_t filevec_entries,
                                                        const void *filevec, int sync) {
    _upcr_all_fread_list_shared_async(fd, memvec_entries, memvec, filevec_entries, filevec,
                                      upcri_coll_flags(sync));
}
UPCRI_STATIC void upcri_enc_all_fwrite_list_shared_async(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                         const void *memvec, size_t filevec_entries,
                                                         const void *filevec, int sync) {
    _upcr_all_fwrite_list_shared_async(fd, memvec_entries, memvec, filevec_entries, filevec,
                                       upcri_coll_flags(sync));
}
UPCRI_END_C

#define bupc_all_fread_local upcri_enc_all_fread_local
#define bupc_all_fwrite_local upcri_enc_all_fwrite_local
#define bupc_all_fread_shared upcri_enc_all_fread_shared
#define bupc_all_fwrite_shared upcri_enc_all_fwrite_shared
#define bupc_all_fread_list_local upcri_enc_all_fread_list_local
#define bupc_all_fwrite_list_local upcri_enc_all_fwrite_list_local
#define bupc_all_fread_list_shared upcri_enc_all_fread_list_shared
#define bupc_all_fwrite_list_shared upcri_enc_all_fwrite_list_shared
#define bupc_all_fread_local_async upcri_enc_all_fread_local_async
#define bupc_all_fwrite_local_async upcri_enc_all_fwrite_local_async
#define bupc_all_fread_shared_async upcri_enc_all_fread_shared_async
#define bupc_all_fwrite_shared_async upcri_enc_all_fwrite_shared_async
#define bupc_all_fread_list_local_async upcri_enc_all_fread_list_local_async
#define bupc_all_fwrite_list_local_async upcri_enc_all_fwrite_list_local_async
#define bupc_all_fread_list_shared_async upcri_enc_all_fread_list_shared_async
#define bupc_all_fwrite_list_shared_async upcri_enc_all_fwrite_list_shared_async
#endif
