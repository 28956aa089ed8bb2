// SPDX-License-Identifier: BSD-3-Clause
// Linkable forms of the inlined pointer operations, under the same names: for translated C and plain C
// objects that declare one themselves (extern upcr_shared_ptr_t upcr_pshared_to_shared(...)) without
// upcr.h. Any thread.

// Inlined whatever the optimization: a copy out of line would have the name of the export.
#define UPCRI_STATIC static inline __attribute__((unused, always_inline))
#include "include/upcr/sptr.h"

// The header's functions have internal linkage, so each export is a function of its own whose assembler
// name is the public one. Flattened, so that no copy of the inlined function, which has that name too, is
// left.
#define UPCRI_EXPORT(result, name, params, args)                                                  \
  extern "C" UPCRI_API __attribute__((flatten)) result upcri_export_##name params __asm__(#name); \
  result upcri_export_##name params { return name args; }

#define S upcr_shared_ptr_t
#define P upcr_pshared_ptr_t

UPCRI_EXPORT(int, upcr_isnull_shared, (S p), (p))
UPCRI_EXPORT(int, upcr_isnull_pshared, (P p), (p))
UPCRI_EXPORT(int, upcr_setnull_shared, (S * p), (p))
UPCRI_EXPORT(int, upcr_setnull_pshared, (P * p), (p))
UPCRI_EXPORT(int, upcr_is_init_shared, (S p), (p))
UPCRI_EXPORT(int, upcr_is_init_pshared, (P p), (p))
UPCRI_EXPORT(upcr_thread_t, upcr_threadof_shared, (S p), (p))
UPCRI_EXPORT(upcr_thread_t, upcr_threadof_pshared, (P p), (p))
UPCRI_EXPORT(upcr_phase_t, upcr_phaseof_shared, (S p), (p))
UPCRI_EXPORT(upcr_phase_t, upcr_phaseof_pshared, (P p), (p))
UPCRI_EXPORT(uintptr_t, upcr_addrfield_shared, (S p), (p))
UPCRI_EXPORT(uintptr_t, upcr_addrfield_pshared, (P p), (p))

UPCRI_EXPORT(P, upcr_shared_to_pshared, (S p), (p))
UPCRI_EXPORT(void, upcr_shared_to_pshared_ref, (S p, P* r), (p, r))
UPCRI_EXPORT(S, upcr_pshared_to_shared, (P p), (p))
UPCRI_EXPORT(void, upcr_pshared_to_shared_ref, (P p, S* r), (p, r))
UPCRI_EXPORT(S, upcr_pshared_to_shared_withphase, (P p, upcr_phase_t phase), (p, phase))
UPCRI_EXPORT(void, upcr_pshared_to_shared_ref_withphase, (P p, upcr_phase_t phase, S* r), (p, phase, r))
UPCRI_EXPORT(S, upcr_shared_resetphase, (S p), (p))
UPCRI_EXPORT(void, upcr_shared_resetphase_ref, (S * p), (p))

UPCRI_EXPORT(int, upcr_isequal_shared_shared, (S a, S b), (a, b))
UPCRI_EXPORT(int, upcr_isequal_shared_pshared, (S a, P b), (a, b))
UPCRI_EXPORT(int, upcr_isequal_pshared_shared, (P a, S b), (a, b))
UPCRI_EXPORT(int, upcr_isequal_pshared_pshared, (P a, P b), (a, b))
UPCRI_EXPORT(int, upcr_isequal_shared_local, (S a, void* b), (a, b))
UPCRI_EXPORT(int, upcr_isequal_pshared_local, (P a, void* b), (a, b))
UPCRI_EXPORT(int, upcr_hasAffinity_shared, (S p, upcr_thread_t t), (p, t))
UPCRI_EXPORT(int, upcr_hasAffinity_pshared, (P p, upcr_thread_t t), (p, t))
UPCRI_EXPORT(int, upcr_hasMyAffinity_shared, (S p), (p))
UPCRI_EXPORT(int, upcr_hasMyAffinity_pshared, (P p), (p))

UPCRI_EXPORT(void*, upcr_shared_to_local, (S p), (p))
UPCRI_EXPORT(void*, upcr_pshared_to_local, (P p), (p))
UPCRI_EXPORT(void*, upcr_shared_to_processlocal, (S p), (p))
UPCRI_EXPORT(void*, upcr_pshared_to_processlocal, (P p), (p))
UPCRI_EXPORT(S, upcr_local_to_shared, (void* l), (l))
UPCRI_EXPORT(void, upcr_local_to_shared_ref, (void* l, S* r), (l, r))
UPCRI_EXPORT(P, upcr_local_to_pshared, (void* l), (l))
UPCRI_EXPORT(void, upcr_local_to_pshared_ref, (void* l, P* r), (l, r))
UPCRI_EXPORT(S, upcr_local_to_shared_withphase, (void* l, upcr_phase_t f, upcr_thread_t t), (l, f, t))
UPCRI_EXPORT(void, upcr_local_to_shared_ref_withphase, (void* l, upcr_phase_t f, upcr_thread_t t, S* r),
             (l, f, t, r))
UPCRI_EXPORT(S, upcr_mylocal_to_shared_withphase, (void* l, upcr_phase_t f, upcr_thread_t t), (l, f, t))

UPCRI_EXPORT(S, upcr_add_shared, (S p, size_t e, ptrdiff_t i, size_t b), (p, e, i, b))
UPCRI_EXPORT(void, upcr_inc_shared, (S * p, size_t e, ptrdiff_t i, size_t b), (p, e, i, b))
UPCRI_EXPORT(P, upcr_add_psharedI, (P p, size_t e, ptrdiff_t i), (p, e, i))
UPCRI_EXPORT(void, upcr_inc_psharedI, (P * p, size_t e, ptrdiff_t i), (p, e, i))
UPCRI_EXPORT(P, upcr_add_pshared1, (P p, size_t e, ptrdiff_t i), (p, e, i))
UPCRI_EXPORT(void, upcr_inc_pshared1, (P * p, size_t e, ptrdiff_t i), (p, e, i))
UPCRI_EXPORT(ptrdiff_t, upcr_sub_shared, (S a, S b, size_t e, size_t n), (a, b, e, n))
UPCRI_EXPORT(ptrdiff_t, upcr_sub_psharedI, (P a, P b, size_t e), (a, b, e))
UPCRI_EXPORT(ptrdiff_t, upcr_sub_pshared1, (P a, P b, size_t e), (a, b, e))
UPCRI_EXPORT(S, _bupc_ptradd, (S p, size_t b, size_t e, ptrdiff_t i), (p, b, e, i))
