/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Active messages (GASNet specification 1.8, 4). A request runs a handler at its target, which may send
 * one reply; a reply runs a handler here, which sends nothing. M arguments, 0 to 16, of 32 bits each.
 *
 *   int gasnet_AMRequestShortM(dest, handler, a0, ...)
 *   int gasnet_AMRequestMediumM(dest, handler, src, nbytes, a0, ...)
 *   int gasnet_AMRequestLongM(dest, handler, src, nbytes, dst, a0, ...)
 *   int gasnet_AMRequestLongAsyncM(dest, handler, src, nbytes, dst, a0, ...)
 *   int gasnet_AMReplyShortM(token, handler, a0, ...)
 *   int gasnet_AMReplyMediumM(token, handler, src, nbytes, a0, ...)
 *   int gasnet_AMReplyLongM(token, handler, src, nbytes, dst, a0, ...)
 *
 * and the same without M, with the number of arguments as an int before them. All return GASNET_OK.
 *
 * Handlers: void h(gasnet_token_t, a0, ...) for Short, void h(gasnet_token_t, void *buf, size_t nbytes, a0,
 * ...) for Medium and Long. Medium: buf is 16-byte aligned, writable, valid until the handler returns, and
 * may be the source of its reply. Long: buf is dst, an address in the target's segment (any address with
 * GASNET_SEGMENT_EVERYTHING), where the data is before the handler runs. src is reusable on return;
 * LongAsync: when the handler of the reply runs, which is required. nbytes may be 0; src is ignored then.
 *
 * Requests may run handlers while they wait for buffers; not in handlers, nor with an HSL held. Replies: in
 * the handler of a request, once. Messages are delivered once each, in any order. Threads as in core.h; a
 * handler runs on a thread of the node that is in a call, or on the progress thread (UPCR_PROGRESS_THREAD).
 */
#pragma once
#include "gasnet/types.h"
#include "gasnet/core.h"

GASNETI_BEGIN_EXTERNC

/* Limits: constant; after gasnet_init(), in handlers too. */
GASNETI_INLINE size_t gasnet_AMMaxArgs(void) { return 16; }
GASNETI_INLINE size_t gasnet_AMMaxMedium(void) { return gasneti_state.max_medium; }
GASNETI_INLINE size_t gasnet_AMMaxLongRequest(void) { return (size_t)1 << 26; }
GASNETI_INLINE size_t gasnet_AMMaxLongReply(void) { return (size_t)1 << 26; }

/* The node that sent the message of the calling handler. GASNET_ERR_BAD_ARG: an argument is null. */
extern GASNETI_API int gasnet_AMGetMsgSource(gasnet_token_t token, gasnet_node_t *source);

extern GASNETI_API int gasneti_request_short(gasnet_node_t dest, gasnet_handler_t handler, int numargs,
                                             const gasnet_handlerarg_t *args);
extern GASNETI_API int gasneti_request_medium(gasnet_node_t dest, gasnet_handler_t handler, const void *src,
                                              size_t nbytes, int numargs, const gasnet_handlerarg_t *args);
extern GASNETI_API int gasneti_request_long(gasnet_node_t dest, gasnet_handler_t handler, const void *src,
                                            size_t nbytes, void *dst, int numargs,
                                            const gasnet_handlerarg_t *args);
extern GASNETI_API int gasneti_reply_short(gasnet_token_t token, gasnet_handler_t handler, int numargs,
                                           const gasnet_handlerarg_t *args);
extern GASNETI_API int gasneti_reply_medium(gasnet_token_t token, gasnet_handler_t handler, const void *src,
                                            size_t nbytes, int numargs, const gasnet_handlerarg_t *args);
extern GASNETI_API int gasneti_reply_long(gasnet_token_t token, gasnet_handler_t handler, const void *src,
                                          size_t nbytes, void *dst, int numargs,
                                          const gasnet_handlerarg_t *args);

/* The forms that take the number of arguments. */
extern GASNETI_API int gasnet_AMRequestShort(gasnet_node_t dest, gasnet_handler_t handler, int numargs, ...);
extern GASNETI_API int gasnet_AMRequestMedium(gasnet_node_t dest, gasnet_handler_t handler, const void *src,
                                              size_t nbytes, int numargs, ...);
extern GASNETI_API int gasnet_AMRequestLong(gasnet_node_t dest, gasnet_handler_t handler, const void *src,
                                            size_t nbytes, void *dst, int numargs, ...);
extern GASNETI_API int gasnet_AMRequestLongAsync(gasnet_node_t dest, gasnet_handler_t handler,
                                                 const void *src, size_t nbytes, void *dst, int numargs, ...);
extern GASNETI_API int gasnet_AMReplyShort(gasnet_token_t token, gasnet_handler_t handler, int numargs, ...);
extern GASNETI_API int gasnet_AMReplyMedium(gasnet_token_t token, gasnet_handler_t handler, const void *src,
                                            size_t nbytes, int numargs, ...);
extern GASNETI_API int gasnet_AMReplyLong(gasnet_token_t token, gasnet_handler_t handler, const void *src,
                                          size_t nbytes, void *dst, int numargs, ...);

/* The numbered forms: functions, so that arguments convert as in the specification. GASNETI_P(M): the
 * parameters, GASNETI_A(M): the array of them. */
#define GASNETI_T gasnet_handlerarg_t
#define GASNETI_P_0
#define GASNETI_A_0 const GASNETI_T *const args_ = 0;
#define GASNETI_P_1 , GASNETI_T a0_
#define GASNETI_P_2 GASNETI_P_1, GASNETI_T a1_
#define GASNETI_P_3 GASNETI_P_2, GASNETI_T a2_
#define GASNETI_P_4 GASNETI_P_3, GASNETI_T a3_
#define GASNETI_P_5 GASNETI_P_4, GASNETI_T a4_
#define GASNETI_P_6 GASNETI_P_5, GASNETI_T a5_
#define GASNETI_P_7 GASNETI_P_6, GASNETI_T a6_
#define GASNETI_P_8 GASNETI_P_7, GASNETI_T a7_
#define GASNETI_P_9 GASNETI_P_8, GASNETI_T a8_
#define GASNETI_P_10 GASNETI_P_9, GASNETI_T a9_
#define GASNETI_P_11 GASNETI_P_10, GASNETI_T a10_
#define GASNETI_P_12 GASNETI_P_11, GASNETI_T a11_
#define GASNETI_P_13 GASNETI_P_12, GASNETI_T a12_
#define GASNETI_P_14 GASNETI_P_13, GASNETI_T a13_
#define GASNETI_P_15 GASNETI_P_14, GASNETI_T a14_
#define GASNETI_P_16 GASNETI_P_15, GASNETI_T a15_
#define GASNETI_L_1 a0_
#define GASNETI_L_2 GASNETI_L_1, a1_
#define GASNETI_L_3 GASNETI_L_2, a2_
#define GASNETI_L_4 GASNETI_L_3, a3_
#define GASNETI_L_5 GASNETI_L_4, a4_
#define GASNETI_L_6 GASNETI_L_5, a5_
#define GASNETI_L_7 GASNETI_L_6, a6_
#define GASNETI_L_8 GASNETI_L_7, a7_
#define GASNETI_L_9 GASNETI_L_8, a8_
#define GASNETI_L_10 GASNETI_L_9, a9_
#define GASNETI_L_11 GASNETI_L_10, a10_
#define GASNETI_L_12 GASNETI_L_11, a11_
#define GASNETI_L_13 GASNETI_L_12, a12_
#define GASNETI_L_14 GASNETI_L_13, a13_
#define GASNETI_L_15 GASNETI_L_14, a14_
#define GASNETI_L_16 GASNETI_L_15, a15_
#define GASNETI_A_1 const GASNETI_T args_[1] = {GASNETI_L_1};
#define GASNETI_A_2 const GASNETI_T args_[2] = {GASNETI_L_2};
#define GASNETI_A_3 const GASNETI_T args_[3] = {GASNETI_L_3};
#define GASNETI_A_4 const GASNETI_T args_[4] = {GASNETI_L_4};
#define GASNETI_A_5 const GASNETI_T args_[5] = {GASNETI_L_5};
#define GASNETI_A_6 const GASNETI_T args_[6] = {GASNETI_L_6};
#define GASNETI_A_7 const GASNETI_T args_[7] = {GASNETI_L_7};
#define GASNETI_A_8 const GASNETI_T args_[8] = {GASNETI_L_8};
#define GASNETI_A_9 const GASNETI_T args_[9] = {GASNETI_L_9};
#define GASNETI_A_10 const GASNETI_T args_[10] = {GASNETI_L_10};
#define GASNETI_A_11 const GASNETI_T args_[11] = {GASNETI_L_11};
#define GASNETI_A_12 const GASNETI_T args_[12] = {GASNETI_L_12};
#define GASNETI_A_13 const GASNETI_T args_[13] = {GASNETI_L_13};
#define GASNETI_A_14 const GASNETI_T args_[14] = {GASNETI_L_14};
#define GASNETI_A_15 const GASNETI_T args_[15] = {GASNETI_L_15};
#define GASNETI_A_16 const GASNETI_T args_[16] = {GASNETI_L_16};

#define GASNETI_AM(M)                                                                                        \
    GASNETI_INLINE int gasnet_AMRequestShort##M(gasnet_node_t dest_,                                         \
                                                gasnet_handler_t handler_ GASNETI_P_##M) {                   \
        GASNETI_A_##M return gasneti_request_short(dest_, handler_, M, args_);                               \
    }                                                                                                        \
    GASNETI_INLINE int gasnet_AMRequestMedium##M(gasnet_node_t dest_, gasnet_handler_t handler_,             \
                                                 const void *src_, size_t nbytes_ GASNETI_P_##M) {           \
        GASNETI_A_##M return gasneti_request_medium(dest_, handler_, src_, nbytes_, M, args_);               \
    }                                                                                                        \
    GASNETI_INLINE int gasnet_AMRequestLong##M(gasnet_node_t dest_, gasnet_handler_t handler_,               \
                                               const void *src_, size_t nbytes_, void *dst_ GASNETI_P_##M) { \
        GASNETI_A_##M return gasneti_request_long(dest_, handler_, src_, nbytes_, dst_, M, args_);           \
    }                                                                                                        \
    GASNETI_INLINE int gasnet_AMRequestLongAsync##M(gasnet_node_t dest_, gasnet_handler_t handler_,          \
                                                    const void *src_, size_t nbytes_,                        \
                                                    void *dst_ GASNETI_P_##M) {                              \
        GASNETI_A_##M return gasneti_request_long(dest_, handler_, src_, nbytes_, dst_, M, args_);           \
    }                                                                                                        \
    GASNETI_INLINE int gasnet_AMReplyShort##M(gasnet_token_t token_,                                         \
                                              gasnet_handler_t handler_ GASNETI_P_##M) {                     \
        GASNETI_A_##M return gasneti_reply_short(token_, handler_, M, args_);                                \
    }                                                                                                        \
    GASNETI_INLINE int gasnet_AMReplyMedium##M(gasnet_token_t token_, gasnet_handler_t handler_,             \
                                               const void *src_, size_t nbytes_ GASNETI_P_##M) {             \
        GASNETI_A_##M return gasneti_reply_medium(token_, handler_, src_, nbytes_, M, args_);                \
    }                                                                                                        \
    GASNETI_INLINE int gasnet_AMReplyLong##M(gasnet_token_t token_, gasnet_handler_t handler_,               \
                                             const void *src_, size_t nbytes_, void *dst_ GASNETI_P_##M) {   \
        GASNETI_A_##M return gasneti_reply_long(token_, handler_, src_, nbytes_, dst_, M, args_);            \
    }

GASNETI_AM(0)
GASNETI_AM(1)
GASNETI_AM(2)
GASNETI_AM(3)
GASNETI_AM(4)
GASNETI_AM(5)
GASNETI_AM(6)
GASNETI_AM(7)
GASNETI_AM(8)
GASNETI_AM(9)
GASNETI_AM(10)
GASNETI_AM(11)
GASNETI_AM(12)
GASNETI_AM(13)
GASNETI_AM(14)
GASNETI_AM(15)
GASNETI_AM(16)

GASNETI_END_EXTERNC
