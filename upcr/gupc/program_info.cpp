// SPDX-License-Identifier: BSD-3-Clause
// See program_info.hpp.
#include "upcr/gupc/program_info.hpp"

#include <algorithm>
#include <cstdio>

#include "conduits/base/report.hpp"
#include "conduits/core/job.hpp"
#include "include/upcr/types.h"
#include "upcr/runtime.hpp"

namespace upcr::gupc {
namespace {

using std::string_view;

bool take(string_view* text, string_view start) {
  if (text->substr(0, start.size()) != start) return false;
  text->remove_prefix(start.size());
  return true;
}

// A number of 1 to UPCR_MAX_THREADS.
bool take_number(string_view* text, unsigned* value) {
  unsigned long number = 0;
  std::size_t digits = 0;
  for (; digits < text->size() && (*text)[digits] >= '0' && (*text)[digits] <= '9' && digits < 9; ++digits)
    number = number * 10 + static_cast<unsigned long>((*text)[digits] - '0');
  text->remove_prefix(digits);
  *value = static_cast<unsigned>(number);
  return digits != 0 && number >= 1;
}

bool take_count(string_view* text, string_view any, string_view fixed, unsigned* value) {
  if (take(text, any)) return true;
  return take(text, fixed) && take_number(text, value);
}

struct Words {
  char text[80];
};
Words threads_of(const FileInfo& info) {
  Words words;
  if (info.threads == 0)
    std::snprintf(words.text, sizeof words.text, "any number of UPC threads");
  else
    std::snprintf(words.text, sizeof words.text, "%u UPC threads", info.threads);
  return words;
}
Words model_of(const FileInfo& info) {
  Words words;
  if (!info.tls)
    std::snprintf(words.text, sizeof words.text, "one UPC thread per process");
  else if (info.pthreads == 0)
    std::snprintf(words.text, sizeof words.text, "any number of UPC threads per process");
  else
    std::snprintf(words.text, sizeof words.text, "%u UPC threads per process", info.pthreads);
  return words;
}

int length(string_view text) { return static_cast<int>(text.size()); }

void check_agrees(const FileInfo& first, const FileInfo& info) {
  const bool threads = first.threads == info.threads;
  if (threads && first.tls == info.tls && first.pthreads == info.pthreads) return;
  let_first_process_speak();
  fatal(
      "the files of this program do not agree about threads: %.*s was compiled for %s, %.*s for %s; compile "
      "all files alike",
      length(first.file), first.file.data(), threads ? model_of(first).text : threads_of(first).text,
      length(info.file), info.file.data(), threads ? model_of(info).text : threads_of(info).text);
}

}  // namespace

bool parse_info(string_view text, FileInfo* info) {
  if (!take(&text, "$GCCUPCConfig: (")) return false;
  // A file's name may have parentheses: the last one ends it.
  const std::size_t close = text.rfind(") ");
  if (close == string_view::npos) return false;
  info->file = text.substr(0, close);
  text.remove_prefix(close + 2);
  if (!take_count(&text, "dynamicthreads ", "staticthreads=", &info->threads)) return false;
  if (info->threads != 0 && !take(&text, " ")) return false;
  info->tls = take(&text, "pthreads-tls");
  if (!info->tls && !take(&text, "process")) return false;
  if (take(&text, " ") && !take_count(&text, "dynamicpthreads", "staticpthreads=", &info->pthreads))
    return false;
  return text == "$";
}

string_view next_info(string_view* section) {
  section->remove_prefix(std::min(section->find_first_not_of('\0'), section->size()));
  const string_view found = section->substr(0, section->find('\0'));
  section->remove_prefix(found.size());
  return found;
}

void check_program_info(string_view section, unsigned pthreads) {
  FileInfo first;
  bool found = false;
  for (string_view text; !(text = next_info(&section)).empty();) {
    FileInfo info;
    if (!parse_info(text, &info)) {
      let_first_process_speak();
      fatal(
          "the section upc_pgm_info has a string that says nothing about a file's threads: '%.*s'; is an "
          "object of another compiler among the files?",
          length(text), text.data());
    }
    if (found) check_agrees(first, info);
    if (!found) first = info;
    found = true;
  }
  if (!found) return;
  if (!first.tls && pthreads > 1)
    fatal(
        "cannot run %u UPC threads in a process: %.*s was compiled for one; compile the program for "
        "pthreads, or run one UPC thread per process (UPCR_PTHREADS=1)",
        pthreads, length(first.file), first.file.data());
  // The first process has its full share, others may have fewer.
  const unsigned most = std::min(first.pthreads, runtime().threads);
  if (first.pthreads != 0 && (job().topology.rank == 0 ? pthreads != most : pthreads > most))
    fatal(
        "%.*s was compiled for %u UPC threads per process, but there are %u; start it with that many (upcrun "
        "--pthreads, UPCR_PTHREADS, -fupc-pthreads-N), or compile it for any number",
        length(first.file), first.file.data(), first.pthreads, pthreads);
}

}  // namespace upcr::gupc
