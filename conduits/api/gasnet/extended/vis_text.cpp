// SPDX-License-Identifier: BSD-3-Clause
// gasnett_format_*: lists and strides of gasnet_vis.h as text for messages. Any thread.
#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "include/gasnet_vis.h"
// After gasnet.h, with which it declares more.
#include "include/gasnet/tools/with_gasnet.h"

namespace {

// Long lists are shown in part.
constexpr std::size_t kShown = 32, kLine = 96;

std::size_t room(std::size_t entries) { return (std::min(entries, kShown) + 4) * kLine; }

class Text {
 public:
  Text(char* buf, std::size_t size) : at_(buf), end_(buf + size) { *buf = '\0'; }
  __attribute__((format(printf, 2, 3))) void add(const char* format, ...) {
    std::va_list args;
    va_start(args, format);
    const int n = std::vsnprintf(at_, static_cast<std::size_t>(end_ - at_), format, args);
    va_end(args);
    at_ += std::min<std::ptrdiff_t>(n > 0 ? n : 0, end_ - at_ - 1);
  }
  char* at() const { return at_; }

 private:
  char *at_, *end_;
};

gasneti_memveclist_stats_t stats_of(std::size_t count, const gasnet_memvec_t* list) {
  gasneti_memveclist_stats_t s = {static_cast<std::size_t>(-1), 0, 0, nullptr, nullptr};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t n = list[i].len;
    char* first = static_cast<char*>(list[i].addr);
    if (n == 0) continue;
    s.minsz = std::min(s.minsz, n);
    s.maxsz = std::max(s.maxsz, n);
    if (s.totalsz == 0 || first < s.minaddr) s.minaddr = first;
    if (s.totalsz == 0 || first + n - 1 > s.maxaddr) s.maxaddr = first + n - 1;
    s.totalsz += n;
  }
  if (s.totalsz == 0) s.minsz = 0;
  return s;
}

void add_vector(Text& text, std::size_t count, const gasnet_memvec_t* list) {
  const gasneti_memveclist_stats_t s = stats_of(count, list);
  text.add("%zu entries, %zu bytes in pieces of %zu to %zu, %p to %p\n", count, s.totalsz, s.minsz, s.maxsz,
           s.minaddr, s.maxaddr);
  for (std::size_t i = 0; i < std::min(count, kShown); ++i)
    text.add(" %zu: %p, %zu bytes\n", i, list[i].addr, list[i].len);
  if (count > kShown) text.add(" and %zu more\n", count - kShown);
}

gasneti_addrlist_stats_t add_addresses(Text& text, std::size_t count, void* const* list, std::size_t length) {
  gasneti_addrlist_stats_t s = {nullptr, nullptr};
  for (std::size_t i = 0; i < count; ++i) {
    char* first = static_cast<char*>(list[i]);
    if (i == 0 || first < s.minaddr) s.minaddr = first;
    if (i == 0 || first + length - 1 > s.maxaddr) s.maxaddr = first + length - 1;
  }
  text.add("%zu pieces of %zu bytes, %p to %p\n", count, length, s.minaddr, s.maxaddr);
  for (std::size_t i = 0; i < std::min(count, kShown); ++i) text.add(" %zu: %p\n", i, list[i]);
  if (count > kShown) text.add(" and %zu more\n", count - kShown);
  return s;
}

void add_sizes(Text& text, std::size_t count, const std::size_t* list) {
  text.add("[");
  for (std::size_t i = 0; i < std::min(count, kShown); ++i) text.add("%s%zu", i > 0 ? ", " : "", list[i]);
  text.add(count > kShown ? ", ...]" : "]");
}

}  // namespace

extern "C" {

size_t gasnett_format_memveclist_bufsz(size_t count) { return room(count); }
gasneti_memveclist_stats_t gasnett_format_memveclist(char* buf, size_t count, gasnet_memvec_t const* list) {
  Text text(buf, room(count));
  add_vector(text, count, list);
  return stats_of(count, list);
}

size_t gasnett_format_addrlist_bufsz(size_t count) { return room(count); }
gasneti_addrlist_stats_t gasnett_format_addrlist(char* buf, size_t count, void* const* list, size_t len) {
  Text text(buf, room(count));
  return add_addresses(text, count, list, len);
}

size_t gasnett_format_strides_bufsz(size_t count) { return room(count); }
void gasnett_format_strides(char* buf, size_t count, const size_t* list) {
  Text text(buf, room(count));
  add_sizes(text, count, list);
}

size_t gasnett_format_putvgetv_bufsz(size_t dstcount, size_t srccount) {
  return room(dstcount) + room(srccount);
}
size_t gasnett_format_putvgetv(char* buf, gasnet_node_t node, size_t dstcount,
                               gasnet_memvec_t const dstlist[], size_t srccount,
                               gasnet_memvec_t const srclist[]) {
  Text text(buf, gasnett_format_putvgetv_bufsz(dstcount, srccount));
  text.add("node %u; destination: ", node);
  add_vector(text, dstcount, dstlist);
  text.add("source: ");
  add_vector(text, srccount, srclist);
  return stats_of(dstcount, dstlist).totalsz;
}

size_t gasnett_format_putigeti_bufsz(size_t dstcount, size_t srccount) {
  return room(dstcount) + room(srccount);
}
size_t gasnett_format_putigeti(char* buf, gasnet_node_t node, size_t dstcount, void* const dstlist[],
                               size_t dstlen, size_t srccount, void* const srclist[], size_t srclen) {
  Text text(buf, gasnett_format_putigeti_bufsz(dstcount, srccount));
  text.add("node %u; destination: ", node);
  (void)add_addresses(text, dstcount, dstlist, dstlen);
  text.add("source: ");
  (void)add_addresses(text, srccount, srclist, srclen);
  return dstcount * dstlen;
}

size_t gasnett_format_putsgets_bufsz(size_t stridelevels) { return 4 * room(stridelevels); }
size_t gasnett_format_putsgets(char* buf, void*, gasnet_node_t node, void* dstaddr, const size_t dststrides[],
                               void* srcaddr, const size_t srcstrides[], const size_t count[],
                               size_t stridelevels) {
  Text text(buf, gasnett_format_putsgets_bufsz(stridelevels));
  std::size_t bytes = 1;
  for (std::size_t i = 0; i <= stridelevels; ++i) bytes *= count[i];
  text.add("node %u, %zu bytes; destination %p, strides ", node, bytes, dstaddr);
  add_sizes(text, stridelevels, dststrides);
  text.add("; source %p, strides ", srcaddr);
  add_sizes(text, stridelevels, srcstrides);
  text.add("; count ");
  add_sizes(text, stridelevels + 1, count);
  return bytes;
}

int gasnett_run_diagnostics(int, int, const char*, gasnet_seginfo_t const*) { return 0; }
void gasnett_diagnostic_gethandlers(gasnet_handlerentry_t** table, int* count) {
  if (table != nullptr) *table = nullptr;
  if (count != nullptr) *count = 0;
}

}  // extern "C"
