// SPDX-License-Identifier: BSD-3-Clause
// Facts about a program from the symbols and notes of its objects.
#pragma once
#include <map>
#include <set>
#include <string>

#include "tools/upcc/object/elf.hpp"
#include "tools/upcc/options/options.hpp"
#include "tools/upcc/scan/scan.hpp"

namespace upcc {

struct DirectTldUse {
  std::string name, file;  // an empty name: a translated file that upcc did not compile
  int line;
};

struct Program {
  std::vector<std::string> allocs, inits;  // UPCRI_ALLOC_*, UPCRI_INIT_*: in link order, each once
  std::string main_in, user_main_in;       // the file that defines it, or empty
  bool main_is_linked = false;             // main_in is an object of its own, not an archive's member
  bool symbols_hidden = false;             // some object shows no names (-flto)
  bool starts_runtime = false;             // something calls a function that makes the process part of a job
  std::string uses_runtime_in;  // an object that calls or reads something else of the runtime, or empty
  bool debug = false;           // some object was compiled with -g
  unsigned threads = 0;         // static THREADS; 0: any
  std::vector<DirectTldUse> direct_uses;  // thread-local data that is not one for each thread
  std::set<std::string> defined;          // global names
  // Collectives that files call by the library's name and no file defines, with their callers' encoding.
  std::map<std::string, int> collectives;
};

struct LinkedFile {
  std::string path,
      display_name;  // for messages: the source that the file was just compiled from, or the path
};

// `files` in link order. Fatal when objects do not match each other or the library.
Program read_program(const std::vector<LinkedFile>& files, const Options& options);

}  // namespace upcc
