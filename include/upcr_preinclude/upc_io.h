/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <upc_io.h> of UPC 1.3, the optional library of parallel files. UPC source: a front end reads it. Included
 * by C it is upcr.h. The calls are documented in upcr/io.h; __UPC_IO__ is 2 as in releases that have
 * UPC 1.3's form of it.
 */
#ifndef UPCRI_PREINCLUDE_UPC_IO_H
#define UPCRI_PREINCLUDE_UPC_IO_H

#ifndef __BERKELEY_UPC_FIRST_PREPROCESS__
#include "upcr.h"
#else

#include <stddef.h>
#include <upc.h>
#include <upc_io_bits.h>

#ifndef __UPC_IO__
#define __UPC_IO__ 2
#endif

/* An open file: opaque, shared, used through pointers. */
struct bupc_file_S_trans;
typedef shared struct bupc_file_S_trans upc_file_t;

/* Hints; entries of a list of memory or of a file. Lengths in bytes. */
struct upc_hint {
    const char *key;
    const char *value;
};
struct upc_local_memvec {
    void *baseaddr;
    size_t len;
};
struct upc_shared_memvec {
    shared void *baseaddr;
    size_t blocksize; /* bytes; 0: all on one thread */
    size_t len;
};
struct upc_filevec {
    upc_off_t offset;
    size_t len;
};

/* The runtime's names. */
#include <upc_io_names.h>

/* Open, close, wait for the storage device. */
extern upc_file_t *upc_all_fopen(const char *__fname, int __flags, size_t __numhints,
                                 struct upc_hint const *__hints);
extern int upc_all_fclose(upc_file_t *__fd);
extern int upc_all_fsync(upc_file_t *__fd);

/* Position, size, properties. */
extern upc_off_t upc_all_fseek(upc_file_t *__fd, upc_off_t __offset, int __origin);
extern int upc_all_fset_size(upc_file_t *__fd, upc_off_t __size);
extern upc_off_t upc_all_fget_size(upc_file_t *__fd);
extern int upc_all_fpreallocate(upc_file_t *__fd, upc_off_t __size);
extern int upc_all_fcntl(upc_file_t *__fd, int __cmd, void *__arg);

/* At the file pointer. */
extern upc_off_t upc_all_fread_local(upc_file_t *__fd, void *__buffer, size_t __size, size_t __nmemb,
                                     upc_flag_t __sync);
extern upc_off_t upc_all_fread_shared(upc_file_t *__fd, shared void *__buffer, size_t __blocksize,
                                      size_t __size, size_t __nmemb, upc_flag_t __sync);
extern upc_off_t upc_all_fwrite_local(upc_file_t *__fd, void *__buffer, size_t __size, size_t __nmemb,
                                      upc_flag_t __sync);
extern upc_off_t upc_all_fwrite_shared(upc_file_t *__fd, shared void *__buffer, size_t __blocksize,
                                       size_t __size, size_t __nmemb, upc_flag_t __sync);

/* Lists, with positions of their own. */
extern upc_off_t upc_all_fread_list_local(upc_file_t *__fd, size_t __memvec_entries,
                                          struct upc_local_memvec const *__memvec, size_t __filevec_entries,
                                          struct upc_filevec const *__filevec, upc_flag_t __sync);
extern upc_off_t upc_all_fread_list_shared(upc_file_t *__fd, size_t __memvec_entries,
                                           struct upc_shared_memvec const *__memvec, size_t __filevec_entries,
                                           struct upc_filevec const *__filevec, upc_flag_t __sync);
extern upc_off_t upc_all_fwrite_list_local(upc_file_t *__fd, size_t __memvec_entries,
                                           struct upc_local_memvec const *__memvec, size_t __filevec_entries,
                                           struct upc_filevec const *__filevec, upc_flag_t __sync);
extern upc_off_t upc_all_fwrite_list_shared(upc_file_t *__fd, size_t __memvec_entries,
                                            struct upc_shared_memvec const *__memvec,
                                            size_t __filevec_entries, struct upc_filevec const *__filevec,
                                            upc_flag_t __sync);

/* Asynchronous forms of these eight, completed by upc_all_fwait_async or upc_all_ftest_async. */
extern void upc_all_fread_local_async(upc_file_t *__fd, void *__buffer, size_t __size, size_t __nmemb,
                                      upc_flag_t __sync);
extern void upc_all_fread_shared_async(upc_file_t *__fd, shared void *__buffer, size_t __blocksize,
                                       size_t __size, size_t __nmemb, upc_flag_t __sync);
extern void upc_all_fwrite_local_async(upc_file_t *__fd, void *__buffer, size_t __size, size_t __nmemb,
                                       upc_flag_t __sync);
extern void upc_all_fwrite_shared_async(upc_file_t *__fd, shared void *__buffer, size_t __blocksize,
                                        size_t __size, size_t __nmemb, upc_flag_t __sync);
extern void upc_all_fread_list_local_async(upc_file_t *__fd, size_t __memvec_entries,
                                           struct upc_local_memvec const *__memvec, size_t __filevec_entries,
                                           struct upc_filevec const *__filevec, upc_flag_t __sync);
extern void upc_all_fread_list_shared_async(upc_file_t *__fd, size_t __memvec_entries,
                                            struct upc_shared_memvec const *__memvec,
                                            size_t __filevec_entries, struct upc_filevec const *__filevec,
                                            upc_flag_t __sync);
extern void upc_all_fwrite_list_local_async(upc_file_t *__fd, size_t __memvec_entries,
                                            struct upc_local_memvec const *__memvec, size_t __filevec_entries,
                                            struct upc_filevec const *__filevec, upc_flag_t __sync);
extern void upc_all_fwrite_list_shared_async(upc_file_t *__fd, size_t __memvec_entries,
                                             struct upc_shared_memvec const *__memvec,
                                             size_t __filevec_entries, struct upc_filevec const *__filevec,
                                             upc_flag_t __sync);
extern upc_off_t upc_all_fwait_async(upc_file_t *__fd);
extern upc_off_t upc_all_ftest_async(upc_file_t *__fd, int *__flag);

#endif
#endif
