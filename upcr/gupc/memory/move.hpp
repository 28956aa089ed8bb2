// SPDX-License-Identifier: BSD-3-Clause
// Puts, gets, copies and fills of the calling UPC thread, started as transfers that are counted and tracked
// by their range (transfers.hpp). They do not wait by the table: the caller ensures the order. `access`: the
// kind of the transfer. Not in a handler.
#pragma once
#include "upcr/gupc/memory/transfers.hpp"

namespace upcr::gupc {

// Reads; `dst` is written later (start) or on return.
void start_get(ThreadCtx& c, unsigned access, void* dst, SharedAddr src, std::size_t bytes);
void blocking_get(ThreadCtx& c, void* dst, SharedAddr src, std::size_t bytes);
// Sources may be reused on return.
void start_put(ThreadCtx& c, unsigned access, SharedAddr dst, const void* src, std::size_t bytes);
void start_copy(ThreadCtx& c, unsigned access, SharedAddr dst, SharedAddr src, std::size_t bytes);
void start_set(ThreadCtx& c, unsigned access, SharedAddr dst, int byte, std::size_t bytes);

}  // namespace upcr::gupc
