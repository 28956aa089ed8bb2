/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UPC-IO: files that all UPC threads read and write together (UPC 1.3 optional library <upc_io.h>, "Parallel
 * I/O"). Declared under the names that a UPC program uses (upc_all_fopen), those of translated code
 * (bupc_all_fopen), which are the same, and the runtime's own (_upcr_all_fopen).
 *
 * Every call is collective: all threads make the same calls on a file in the same order, not between
 * upcr_notify and upcr_wait. UPC threads only; not in an AM handler. Files are POSIX files that each process
 * opens: a job on several hosts needs a file system that all of them see, with POSIX locks for
 * UPC_STRONG_CA.
 *
 * fd        the handle that upc_all_fopen returned, the same on all threads
 * size,     nmemb elements of `size` bytes each; when either is 0 nothing is transferred and the buffer is
 *           not
 *   nmemb   read
 * buffer    of a *_local call: private memory of each thread. Of a *_shared call: a pointer-to-shared whose
 *           phase counts elements of `size` bytes, into an array laid out as
 * blocksize `shared [blocksize] char[size]`, in elements; 0: all of it is on one thread
 * sync      a upc_flag_t: UPC_IN_*SYNC and UPC_OUT_*SYNC of upc_types.h; 0 is ALLSYNC at both ends. ALLSYNC
 *           at entry: no data is transferred before all threads have called; at exit: no thread returns
 *           before all data have been transferred. MYSYNC is the same for data with affinity to the caller:
 *           for shared buffers it is treated as ALLSYNC, for private ones nothing is waited for. NOSYNC: no
 *           waiting. With UPC_ASYNC (single-valued) the call is its _async form, which returns 0; the _async
 *           forms need no such flag, and accept it
 * returns   bytes transferred. Fewer than requested: the file ends there
 *
 * Errors. The result is -1 (a null handle for upc_all_fopen) and errno has the cause. Calls whose arguments
 * are single-valued fail on all threads alike, with the same errno; those that each thread makes for itself
 * (see "individual") on the thread concerned. After an error in a transfer the file pointer is unchanged, and
 * the contents of the file range and the buffer are undefined. Besides errors of the system:
 *   EBADF    fd is not an open file of this thread, or the access mode does not allow the call
 *   EINVAL   flags, origin, command or sizes that contradict each other; a *_local call with a common file
 *            pointer; a wait with no operation outstanding
 *   EBUSY    an asynchronous operation is outstanding on fd
 *   EFAULT   a null buffer
 * Debug: single-valued arguments are compared, and ranges in shared memory checked; a violation ends the job
 * with a message that names the call, the argument, the threads and the values.
 *
 * The end of the program closes the files that are open, as upc_all_fclose does. Any other end
 * (upcr_global_exit, an error, a signal) does not; files with UPC_DELETE_ON_CLOSE are then removed by upcrun,
 * on the host where UPC thread 0 has opened them. In a job that mpirun or srun has started they stay.
 */
#pragma once
#include "upcr/encoding.h"
#include "upcr/types.h"
#include "upcr_preinclude/upc_io_bits.h"

UPCRI_BEGIN_C

/*
 * The structures of the interface. Where they are arguments any type of the same members does, since
 * translated code declares its own; therefore those parameters are pointers to void.
 *   hint           a key and its value
 *   local_memvec   len bytes of private memory
 *   shared_memvec  len bytes of an array laid out as `shared [blocksize] char`, blocksize in bytes, 0: all on
 *                  one thread. The phase of baseaddr counts bytes: of a pointer to larger elements it must
 *                  be 0
 *   filevec        len bytes of a file from `offset`
 */
#ifndef __BERKELEY_UPC_SECOND_PREPROCESS__
struct bupc_hint_S_trans {
    const char *key;
    const char *value;
};
struct bupc_local_memvec_S_trans {
    void *baseaddr;
    size_t len;
};
struct bupc_shared_memvec_S_trans {
    upcr_shared_ptr_t baseaddr;
    size_t blocksize;
    size_t len;
};
struct bupc_filevec_S_trans {
    upc_off_t offset;
    size_t len;
};
#endif

/*
 * Opens a file. flags (single-valued): exactly one of UPC_RDONLY, UPC_WRONLY, UPC_RDWR; exactly one of
 * UPC_INDIVIDUAL_FP (each thread has a file pointer) and UPC_COMMON_FP (there is one for all); and any of
 *   UPC_APPEND           the file pointer starts at the file's end, not at 0. Writes do not move it there
 *   UPC_CREATE           create the file if it does not exist
 *   UPC_EXCL             with UPC_CREATE: fail (EEXIST) if it exists
 *   UPC_TRUNC            with UPC_WRONLY or UPC_RDWR: truncate it to 0 bytes
 *   UPC_STRONG_CA        strong consistency and atomicity: transfers of different threads that overlap are
 *                        as if one came after the other, each whole, and the data of a write that has
 *                        returned is seen by every later read. Without it only upc_all_fsync, upc_all_fclose
 *                        and upc_all_fopen order such transfers
 *   UPC_DELETE_ON_CLOSE  upc_all_fclose or the end of the job removes the file
 * fname: the same file on all threads. hints: numhints of them; "file_perm", an octal number, is the
 * permission of a file that is created (default 0666); all others are stored without effect.
 * Returns the handle, single-valued.
 */
UPCRI_API upcr_pshared_ptr_t _upcr_all_fopen(const char *fname, int flags, size_t numhints,
                                             const void *hints);
/*
 * Does upc_all_fsync and closes the file. The handle is invalid from now on, also after an error; but with an
 * asynchronous operation outstanding on any thread nothing happens: all threads get -1, errno is EBUSY, and
 * the handle stays valid. 0 or -1.
 */
UPCRI_API int _upcr_all_fclose(upcr_pshared_ptr_t fd);
/* On return all data written is on the storage device and seen by later reads of all threads. Ends with a
 * barrier. */
UPCRI_API int _upcr_all_fsync(upcr_pshared_ptr_t fd);

/*
 * Moves the file pointer to `offset` bytes from the beginning (UPC_SEEK_SET), from where it is
 * (UPC_SEEK_CUR) or from the file's end (UPC_SEEK_END); beyond the end is fine. Returns the new position.
 * Individual: each thread moves its own, without waiting for others. Common: the arguments are
 * single-valued.
 */
UPCRI_API upc_off_t _upcr_all_fseek(upcr_pshared_ptr_t fd, upc_off_t offset, int origin);
/* Makes the file `size` bytes (single-valued) long: cut, or filled with zeros. File pointers stay. Barrier.
 * */
UPCRI_API int _upcr_all_fset_size(upcr_pshared_ptr_t fd, upc_off_t size);
/* The size when all threads have called; the same number on all. Barrier. */
UPCRI_API upc_off_t _upcr_all_fget_size(upcr_pshared_ptr_t fd);
/* Reserves storage for the first `size` bytes (single-valued); a shorter file grows to that. Barrier. */
UPCRI_API int _upcr_all_fpreallocate(upcr_pshared_ptr_t fd, upc_off_t size);

/*
 * Queries or changes properties of the file (cmd single-valued):
 *   UPC_GET_CA_SEMANTICS         UPC_STRONG_CA or 0
 *   UPC_SET_WEAK_CA_SEMANTICS    does upc_all_fsync and changes to that; 0 or -1
 *   UPC_SET_STRONG_CA_SEMANTICS
 *   UPC_GET_FP                   UPC_COMMON_FP or UPC_INDIVIDUAL_FP
 *   UPC_SET_COMMON_FP            does upc_all_fsync, changes to that and moves the file pointer to 0; 0 or -1
 *   UPC_SET_INDIVIDUAL_FP
 *   UPC_GET_FL                   the flags of upc_all_fopen, as changed by the commands above
 *   UPC_GET_FN                   stores the name that this thread passed to upc_all_fopen: arg is a const
 *                                char **; valid until the file is closed; 0
 *   UPC_GET_HINTS                stores the array of hints: arg is a const struct upc_hint **; valid until
 *                                the file is closed or a hint is set; returns their number
 *   UPC_SET_HINT                 arg is a const struct upc_hint *; an existing key gets the new value; 0
 *   UPC_ASYNC_OUTSTANDING        1 when an asynchronous operation is outstanding, else 0
 */
UPCRI_API int _upcr_all_fcntl(upcr_pshared_ptr_t fd, int cmd, void *arg);

/*
 * Transfers at the file pointer, which moves by the bytes transferred.
 * *_local: individual file pointer only. Each thread transfers its own size * nmemb bytes at its own pointer.
 * *_shared with an individual file pointer: the same with the shared array that this thread passes,
 * of any affinity. With the common one: all arguments are single-valued; the threads together transfer
 * size * nmemb bytes once, and all return that number when the transfer is complete.
 */
UPCRI_API upc_off_t _upcr_all_fread_local(upcr_pshared_ptr_t fd, void *buffer, size_t size, size_t nmemb,
                                          int sync);
UPCRI_API upc_off_t _upcr_all_fwrite_local(upcr_pshared_ptr_t fd, void *buffer, size_t size, size_t nmemb,
                                           int sync);
UPCRI_API upc_off_t _upcr_all_fread_shared(upcr_pshared_ptr_t fd, upcr_shared_ptr_t buffer, size_t blocksize,
                                           size_t size, size_t nmemb, int sync);
UPCRI_API upc_off_t _upcr_all_fwrite_shared(upcr_pshared_ptr_t fd, upcr_shared_ptr_t buffer, size_t blocksize,
                                            size_t size, size_t nmemb, int sync);

/*
 * Transfers between the bytes that the entries of memvec name, in order, and those of filevec, in order. Each
 * thread passes its own lists, of equal total length (EINVAL); 0 entries are fine. The file pointer, of
 * either kind, is not used. Within one call regions to be written must not overlap. Bytes of filevec behind
 * the file's end are not read: their memory is unchanged, and they do not count in the result.
 */
UPCRI_API upc_off_t _upcr_all_fread_list_local(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                               const void *memvec, size_t filevec_entries,
                                               const void *filevec, int sync);
UPCRI_API upc_off_t _upcr_all_fwrite_list_local(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                const void *memvec, size_t filevec_entries,
                                                const void *filevec, int sync);
UPCRI_API upc_off_t _upcr_all_fread_list_shared(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                const void *memvec, size_t filevec_entries,
                                                const void *filevec, int sync);
UPCRI_API upc_off_t _upcr_all_fwrite_list_shared(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                 const void *memvec, size_t filevec_entries,
                                                 const void *filevec, int sync);

/*
 * Asynchronous forms of the eight: the transfer proceeds while the thread computes. One operation may be
 * outstanding on a handle; starting a second is an error that ends the job. Until it is completed its
 * buffers must not be used, and only upc_all_fwait_async, upc_all_ftest_async and upc_all_fcntl may be called
 * on fd. The lists are copied by the call. UPC_IN_ flags take effect here, UPC_OUT_ flags when the operation
 * is completed; the file pointer moves, and errors appear, then. Memory of other threads that is not mapped
 * here is read by the call, and written by its completion.
 */
UPCRI_API void _upcr_all_fread_local_async(upcr_pshared_ptr_t fd, void *buffer, size_t size, size_t nmemb,
                                           int sync);
UPCRI_API void _upcr_all_fwrite_local_async(upcr_pshared_ptr_t fd, void *buffer, size_t size, size_t nmemb,
                                            int sync);
UPCRI_API void _upcr_all_fread_shared_async(upcr_pshared_ptr_t fd, upcr_shared_ptr_t buffer, size_t blocksize,
                                            size_t size, size_t nmemb, int sync);
UPCRI_API void _upcr_all_fwrite_shared_async(upcr_pshared_ptr_t fd, upcr_shared_ptr_t buffer,
                                             size_t blocksize, size_t size, size_t nmemb, int sync);
UPCRI_API void _upcr_all_fread_list_local_async(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                const void *memvec, size_t filevec_entries,
                                                const void *filevec, int sync);
UPCRI_API void _upcr_all_fwrite_list_local_async(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                 const void *memvec, size_t filevec_entries,
                                                 const void *filevec, int sync);
UPCRI_API void _upcr_all_fread_list_shared_async(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                 const void *memvec, size_t filevec_entries,
                                                 const void *filevec, int sync);
UPCRI_API void _upcr_all_fwrite_list_shared_async(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                  const void *memvec, size_t filevec_entries,
                                                  const void *filevec, int sync);
/* Waits for the outstanding operation and returns what its blocking form would have returned. */
UPCRI_API upc_off_t _upcr_all_fwait_async(upcr_pshared_ptr_t fd);
/*
 * *flag = 1 when the operation is complete on all threads: as upc_all_fwait_async(). Else *flag = 0, returns
 * 0, and the operation stays outstanding. The flag is the same on all threads.
 */
UPCRI_API upc_off_t _upcr_all_ftest_async(upcr_pshared_ptr_t fd, int *flag);

UPCRI_END_C

#define bupc_all_fopen _upcr_all_fopen
#define bupc_all_fclose _upcr_all_fclose
#define bupc_all_fsync _upcr_all_fsync
#define bupc_all_fseek _upcr_all_fseek
#define bupc_all_fset_size _upcr_all_fset_size
#define bupc_all_fget_size _upcr_all_fget_size
#define bupc_all_fpreallocate _upcr_all_fpreallocate
#define bupc_all_fcntl _upcr_all_fcntl
#define bupc_all_fwait_async _upcr_all_fwait_async
#define bupc_all_ftest_async _upcr_all_ftest_async
#if UPCRI_ENCODING == 0
#define bupc_all_fread_local _upcr_all_fread_local
#define bupc_all_fwrite_local _upcr_all_fwrite_local
#define bupc_all_fread_shared _upcr_all_fread_shared
#define bupc_all_fwrite_shared _upcr_all_fwrite_shared
#define bupc_all_fread_list_local _upcr_all_fread_list_local
#define bupc_all_fwrite_list_local _upcr_all_fwrite_list_local
#define bupc_all_fread_list_shared _upcr_all_fread_list_shared
#define bupc_all_fwrite_list_shared _upcr_all_fwrite_list_shared
#define bupc_all_fread_local_async _upcr_all_fread_local_async
#define bupc_all_fwrite_local_async _upcr_all_fwrite_local_async
#define bupc_all_fread_shared_async _upcr_all_fread_shared_async
#define bupc_all_fwrite_shared_async _upcr_all_fwrite_shared_async
#define bupc_all_fread_list_local_async _upcr_all_fread_list_local_async
#define bupc_all_fwrite_list_local_async _upcr_all_fwrite_list_local_async
#define bupc_all_fread_list_shared_async _upcr_all_fread_list_shared_async
#define bupc_all_fwrite_list_shared_async _upcr_all_fwrite_list_shared_async
#else
#include "upcr/io_older.h"
#endif

#include "upcr_preinclude/upc_io_names.h"
