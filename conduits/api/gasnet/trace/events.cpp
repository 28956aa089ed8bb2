// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/api/gasnet/trace/events.hpp"

#include <iterator>

#include "include/gasnet/extended_rep.h"

namespace upcr::gasnet {
namespace {

struct Text {
  char letter;
  const char* name;
};
constexpr Text kTexts[] = {
    {'G', "GET"},
    {'G', "GET_NB"},
    {'G', "GET_NBI"},
    {'G', "GET_VIS"},
    {'P', "PUT"},
    {'P', "PUT_NB"},
    {'P', "PUT_NBI"},
    {'P', "PUT_VIS"},
    {'P', "MEMSET"},
    {'P', "MEMSET_NB"},
    {'P', "MEMSET_NBI"},
    {'S', "SYNC"},
    {'S', "SYNC_TRY"},
    {'S', "SYNC_NBI"},
    {'W', "COLLECTIVE"},
    {'B', "BARRIER_NOTIFY"},
    {'B', "BARRIER_WAIT"},
    {'B', "BARRIER_TRY"},
    {'A', "AMREQUEST_SHORT"},
    {'A', "AMREQUEST_MEDIUM"},
    {'A', "AMREQUEST_LONG"},
    {'A', "AMREPLY_SHORT"},
    {'A', "AMREPLY_MEDIUM"},
    {'A', "AMREPLY_LONG"},
    {'A', "AM_SHORT_HANDLER"},
    {'A', "AM_MEDIUM_HANDLER"},
    {'A', "AM_LONG_HANDLER"},
    {'L', "HSL_WAIT"},
};
static_assert(std::size(kTexts) == kEvents);

const Text& text_of(Event event) noexcept { return kTexts[static_cast<unsigned>(event)]; }

}  // namespace

Event nonblocking(Event first, unsigned how) noexcept {
  return static_cast<Event>(static_cast<unsigned>(first) + ((how & GASNETI_NB_IMPLICIT) != 0 ? 2 : 1));
}

char letter_of(Event event) noexcept { return text_of(event).letter; }
const char* name_of(Event event) noexcept { return text_of(event).name; }
bool is_access(Event event) noexcept { return letter_of(event) == 'G' || letter_of(event) == 'P'; }

}  // namespace upcr::gasnet
