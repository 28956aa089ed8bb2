// SPDX-License-Identifier: BSD-3-Clause
// See program_info.hpp.
#include "upcr/gupc/program/program_info.hpp"

#include <algorithm>
#include <cstdio>

#include "conduits/core/base/report/error.hpp"
#include "include/upcr/types.h"
#include "upcr/state/runtime.hpp"

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

// Between words: the header that compilers include first writes two of them in places.
bool take_blanks(string_view* text) {
  const std::size_t blanks = std::min(text->find_first_not_of(" \t\n"), text->size());
  text->remove_prefix(blanks);
  return blanks != 0;
}

// The file that the first of the two strings in Clang-UPC's objects names: it comes from a header.
constexpr string_view kHeader = "<built-in>";

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

[[noreturn]] void refuse_string(string_view text) {
  defer_to_first_process();
  fatal(
      "the section upc_pgm_info has a string that does not describe a file's threads: '%.*s'; is an "
      "object of another compiler among the files?",
      length(text), text.data());
}

// The thread counts that the files of a program were compiled for, each with the first file that has it.
// Files for any number of threads are compatible with files for one number.
class Program {
 public:
  bool any = false;
  FileInfo model, threads, pthreads;

  void add(const FileInfo& info) {
    if (!any) model = threads = pthreads = info;
    any = true;
    if (threads.threads == 0 && info.threads != 0) threads = info;
    if (pthreads.pthreads == 0 && info.pthreads != 0) pthreads = info;
    const bool differs = info.tls != model.tls || (info.threads != 0 && info.threads != threads.threads) ||
                         (info.pthreads != 0 && info.pthreads != pthreads.pthreads);
    if (differs && !disagree_) other_ = info;
    disagree_ = disagree_ || differs;
  }

  // Fatal when files do not agree.
  void check() const {
    if (!disagree_) return;
    defer_to_first_process();
    if (other_.tls != model.tls) refuse(model, model_of(model), model_of(other_));
    if (other_.threads != 0 && other_.threads != threads.threads)
      refuse(threads, threads_of(threads), threads_of(other_));
    refuse(pthreads, model_of(pthreads), model_of(other_));
  }

 private:
  bool disagree_ = false;
  FileInfo other_;  // the first file that does not agree with those before it

  [[noreturn]] void refuse(const FileInfo& first, const Words& its, const Words& others) const {
    fatal(
        "the files of this program do not agree about threads: %.*s was compiled for %s, %.*s for %s; "
        "compile "
        "all files alike",
        length(first.file), first.file.data(), its.text, length(other_.file), other_.file.data(),
        others.text);
  }
};

// The program that the strings of `section` describe. Other text is passed to `refuse_text`, if that is not
// null, and is skipped otherwise.
Program read_program(string_view section, void (*refuse_text)(string_view)) {
  Program program;
  FileInfo header;  // the string of Clang-UPC's header: the next one names the object's file
  bool has_header = false;
  for (string_view text; !(text = next_info(&section)).empty();) {
    FileInfo info;
    if (!parse_info(text, &info)) {
      if (refuse_text != nullptr) refuse_text(text);
      continue;
    }
    if (has_header) {
      header.file = info.file;
      program.add(header);
    }
    has_header = info.file == kHeader;
    header = info;
    if (!has_header) program.add(info);
  }
  if (has_header) program.add(header);
  return program;
}

void check_pthreads(const Program& program, unsigned pthreads) {
  const FileInfo& model = program.model;
  if (!model.tls && pthreads > 1)
    fatal(
        "cannot run %u UPC threads in a process: %.*s was compiled for one; compile the program for "
        "pthreads, or run one UPC thread per process (UPCR_PTHREADS=1)",
        pthreads, length(model.file), model.file.data());
  // The first process has its full share, others may have fewer.
  const FileInfo& fixed = program.pthreads;
  const unsigned most = std::min(fixed.pthreads, runtime().threads);
  if (fixed.pthreads != 0 && (job().topology.rank == 0 ? pthreads != most : pthreads > most))
    fatal(
        "%.*s was compiled for %u UPC threads per process, but there are %u; start it with that many (upcrun "
        "--pthreads, UPCR_PTHREADS, -fupc-pthreads-N), or compile it for any number",
        length(fixed.file), fixed.file.data(), fixed.pthreads, pthreads);
}

}  // namespace

bool parse_info(string_view text, FileInfo* info) {
  if (!take(&text, "$GCCUPCConfig:")) return false;
  (void)take_blanks(&text);
  if (!take(&text, "(")) return false;
  // A file's name may have parentheses: the last one ends it.
  const std::size_t close = text.rfind(')');
  if (close == string_view::npos) return false;
  info->file = text.substr(0, close);
  text.remove_prefix(close + 1);
  if (!take_blanks(&text)) return false;
  if (!take_count(&text, "dynamicthreads", "staticthreads=", &info->threads)) return false;
  if (!take_blanks(&text)) return false;
  info->tls = take(&text, "pthreads-tls");
  if (!info->tls && !take(&text, "process")) return false;
  if (take_blanks(&text) && text != "$" &&
      !take_count(&text, "dynamicpthreads", "staticpthreads=", &info->pthreads))
    return false;
  (void)take_blanks(&text);
  return text == "$";
}

string_view next_info(string_view* section) {
  section->remove_prefix(std::min(section->find_first_not_of('\0'), section->size()));
  const string_view found = section->substr(0, section->find('\0'));
  section->remove_prefix(found.size());
  return found;
}

FileInfo merged_info(string_view section) {
  const Program program = read_program(section, nullptr);
  FileInfo info = program.model;
  info.threads = program.threads.threads;
  info.pthreads = program.pthreads.pthreads;
  return info;
}

void check_program_info(string_view section, unsigned pthreads) {
  const Program program = read_program(section, refuse_string);
  program.check();
  if (program.any) check_pthreads(program, pthreads);
}

}  // namespace upcr::gupc
