/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives on values of the calling threads, not on shared arrays (Berkeley UPC's bupc_collectivev.h, its
 * interface 1.2). Macros that take a TYPE:
 *
 *   TYPE  bupc_allv_broadcast(TYPE, val, root)          root's val, on every thread
 *   TYPE  bupc_allv_scatter(TYPE, root, array)          array[MYTHREAD] of root; array: TYPE *, there only
 *   TYPE *bupc_allv_gather(TYPE, val, root, array)      thread i's val in array[i] of root
 *   TYPE *bupc_allv_gather_all(TYPE, val, array)        the same on every thread
 *   TYPE  bupc_allv_permute(TYPE, val, tothread)        the val of the thread whose tothread is this thread
 *   TYPE  bupc_allv_reduce(TYPE, val, root, op)         val of thread 0 @ val of thread 1 @ ..., on root;
 *                                                       elsewhere the value is undefined
 *   TYPE  bupc_allv_reduce_all(TYPE, val, op)           the same on every thread
 *   TYPE  bupc_allv_prefix_reduce(TYPE, val, op)        val of thread 0 @ ... @ val of this thread
 *
 *   TYPE      for the last three an arithmetic type, else any object type that can be assigned; `TYPE *` must
 *             be the pointer to it
 *   val       an expression that a TYPE can be initialised with; evaluated once
 *   array     private memory of THREADS elements; ignored where it is not used. The gathers return it
 *   root      a thread; equal on all. tothread: a permutation of 0 .. THREADS - 1
 *   op        UPC_ADD MULT AND OR XOR LOGAND LOGOR MIN MAX; no AND, OR, XOR on floating types
 *
 * Collective: all UPC threads, with equal TYPE, root and op. As with UPC_IN_MYSYNC | UPC_OUT_MYSYNC a thread
 * waits only for values that it needs. Not between upcr_notify() and upcr_wait(); not from an AM handler. A
 * root or tothread that is no thread and an operation that does not exist are fatal.
 */
#pragma once
#include "upcr/encoding.h"

UPCRI_BEGIN_C

/* The functions behind the macros. `value`: the calling thread's, of `bytes` bytes; replaced by the result
 * and returned. */
UPCRI_API void *upcri_allv_broadcast(void *value, size_t bytes, int root);
UPCRI_API void *upcri_allv_scatter(void *value, size_t bytes, int root, const void *array);
UPCRI_API void *upcri_allv_gather(const void *value, size_t bytes, int root, void *array);
UPCRI_API void *upcri_allv_gather_all(const void *value, size_t bytes, void *array);
UPCRI_API void *upcri_allv_permute(void *value, size_t bytes, int tothread);
/* `kind`: UPCRI_ALLV_KIND of the type; `root`: of reduce only. op in the values of UPC 1.3. */
enum upcri_allv_form { UPCRI_ALLV_REDUCE, UPCRI_ALLV_REDUCE_ALL, UPCRI_ALLV_PREFIX_REDUCE };
UPCRI_API void *upcri_allv_combine(enum upcri_allv_form form, void *value, int kind, int root,
                                   unsigned long long op);

UPCRI_STATIC void *upcri_allv_reduce(void *value, int kind, int root, unsigned long long op) {
    return upcri_allv_combine(UPCRI_ALLV_REDUCE, value, kind, root, upcri_coll_op(op));
}
UPCRI_STATIC void *upcri_allv_reduce_all(void *value, int kind, unsigned long long op) {
    return upcri_allv_combine(UPCRI_ALLV_REDUCE_ALL, value, kind, 0, upcri_coll_op(op));
}
UPCRI_STATIC void *upcri_allv_prefix_reduce(void *value, int kind, unsigned long long op) {
    return upcri_allv_combine(UPCRI_ALLV_PREFIX_REDUCE, value, kind, 0, upcri_coll_op(op));
}

/*
 * For macros without compound literals, in UPC source. upcri_allv_value: a buffer of this size, aligned for any
 * type, for a value of the calling thread; calls may be nested in the expression of the value. upcri_allv_taken:
 * the last buffer that was not taken, for the next call; it is used again after 64 more.
 */
UPCRI_API void *upcri_allv_value(size_t bytes);
UPCRI_API void *upcri_allv_taken(void);

UPCRI_END_C

#include "upcr_preinclude/bupc_collectivev_macros.h"

#ifdef __cplusplus

extern "C++" {
template <typename T>
struct upcri_allv {
    static T broadcast(T value, int root) { return *(T *)upcri_allv_broadcast(&value, sizeof value, root); }
    static T scatter(int root, const T *array) {
        T value{};
        return *(T *)upcri_allv_scatter(&value, sizeof value, root, array);
    }
    static T *gather(T value, int root, T *array) {
        return (T *)upcri_allv_gather(&value, sizeof value, root, array);
    }
    static T *gather_all(T value, T *array) {
        return (T *)upcri_allv_gather_all(&value, sizeof value, array);
    }
    static T permute(T value, int tothread) {
        return *(T *)upcri_allv_permute(&value, sizeof value, tothread);
    }
    static T reduce(T value, int root, unsigned long long op) {
        return *(T *)upcri_allv_reduce(&value, UPCRI_ALLV_KIND(T), root, op);
    }
    static T reduce_all(T value, unsigned long long op) {
        return *(T *)upcri_allv_reduce_all(&value, UPCRI_ALLV_KIND(T), op);
    }
    static T prefix_reduce(T value, unsigned long long op) {
        return *(T *)upcri_allv_prefix_reduce(&value, UPCRI_ALLV_KIND(T), op);
    }
};
}
#define bupc_allv_broadcast(TYPE, val, root) upcri_allv<TYPE>::broadcast(val, root)
#define bupc_allv_scatter(TYPE, root, array) upcri_allv<TYPE>::scatter(root, array)
#define bupc_allv_gather(TYPE, val, root, array) upcri_allv<TYPE>::gather(val, root, array)
#define bupc_allv_gather_all(TYPE, val, array) upcri_allv<TYPE>::gather_all(val, array)
#define bupc_allv_permute(TYPE, val, tothread) upcri_allv<TYPE>::permute(val, tothread)
#define bupc_allv_reduce(TYPE, val, root, op) upcri_allv<TYPE>::reduce(val, root, op)
#define bupc_allv_reduce_all(TYPE, val, op) upcri_allv<TYPE>::reduce_all(val, op)
#define bupc_allv_prefix_reduce(TYPE, val, op) upcri_allv<TYPE>::prefix_reduce(val, op)

#endif
