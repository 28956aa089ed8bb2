// SPDX-License-Identifier: BSD-3-Clause
// See program.hpp.
#include "tools/upcc/link/program.hpp"

#include <algorithm>
#include <map>

#include "include/upcr/types.h"
#include "tools/upcc/object/note.hpp"

namespace upcc {
namespace {

struct AnnotatedObject {
  Object object;
  Note note;
};

bool starts(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

void add_once(std::vector<std::string>& list, const std::string& name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

// What main() calls; other functions of these names are for the initialisation of static objects.
bool is_start(const std::string& name) {
  return starts(name, "bupc_init") || name == "upcr_startup_init" || name == "upcr_startup_attach" ||
         name == "upcr_startup_spawn" || name == "upcr_startup_spawnfuncs";
}

void note_use_of_runtime(const Object& object, const std::string& name, Program& program) {
  if (is_start(name))
    program.starts_runtime = true;
  else if (starts(name, "upcr") && !object.member && !object.shared)
    program.uses_runtime_in = object.path;
}

void read_symbols(const Object& object, Program& program) {
  program.symbols_hidden = program.symbols_hidden || object.symbols_hidden || !object.readable;
  for (const Symbol& symbol : object.symbols) {
    if (!symbol.defined) note_use_of_runtime(object, symbol.name, program);
    if (!symbol.defined || !symbol.global) continue;
    if (starts(symbol.name, "UPCRI_ALLOC_")) add_once(program.allocs, symbol.name);
    if (starts(symbol.name, "UPCRI_INIT_")) add_once(program.inits, symbol.name);
    if (object.shared) continue;
    program.defined.insert(symbol.name);
    if (symbol.name == "user_main" && program.user_main_in.empty()) program.user_main_in = object.path;
    if (symbol.name == "main" && (program.main_in.empty() || (!program.main_is_linked && !object.member))) {
      program.main_in = object.path;
      program.main_is_linked = !object.member;
    }
  }
}

void check_note(const AnnotatedObject& annotated, const AnnotatedObject*& static_threads, Program& program) {
  const Note& note = annotated.note;
  if (note.pointer_size != UPCR_SHARED_SIZE)
    fatal(annotated.object.path + ": compiled for pointers-to-shared of " +
          std::to_string(note.pointer_size) + " bytes, this upcr has " + std::to_string(UPCR_SHARED_SIZE) +
          "; compile it again with this upcc");
  program.debug = program.debug || note.debug;
  if (note.threads == 0) return;
  if (program.threads != 0 && program.threads != note.threads)
    fatal(annotated.object.path + ": compiled with -T " + std::to_string(note.threads) + ", but " +
          (static_threads != nullptr ? static_threads->object.path + " with -T " : "this link has -T ") +
          std::to_string(program.threads) + "; compile all with the same -T");
  program.threads = note.threads;
  static_threads = &annotated;
}

// The file that defines a global variable.
struct Definition {
  std::string path;
  bool per_thread;  // in a section that is copied for each UPC thread
};
using Definitions = std::map<std::string, Definition>;  // by name; shared libraries count last

Definitions find_definitions(const std::vector<AnnotatedObject>& objects) {
  Definitions found;
  for (const bool shared : {false, true})
    for (const AnnotatedObject& annotated : objects)
      for (const Symbol& symbol : annotated.object.symbols)
        if (annotated.object.shared == shared && symbol.defined && symbol.global && symbol.data)
          found.try_emplace(symbol.name,
                            Definition{annotated.object.path, !shared && is_tld_section(symbol.section)});
  return found;
}

// Only translators write these functions; user_main() may also be written by hand, in C++ for one.
bool has_entry_points(const Object& object) {
  return std::any_of(object.symbols.begin(), object.symbols.end(), [](const Symbol& s) {
    return s.defined && s.global && (starts(s.name, "UPCRI_ALLOC_") || starts(s.name, "UPCRI_INIT_"));
  });
}

class TldChecker {
 public:
  TldChecker(const std::vector<AnnotatedObject>& objects, Program& program)
      : objects_(objects), definitions_(find_definitions(objects)), program_(program) {}

  void run() {
    for (const AnnotatedObject& annotated : objects_) {
      // A shared library's variables are not in the program's section, and no note says how its code uses
      // them, nor which of them are static.
      if (annotated.object.shared && annotated.object.tld) add("", annotated.object.path, 0);
      if (annotated.object.shared) continue;
      if (!annotated.note.present && has_entry_points(annotated.object)) add("", annotated.object.path, 0);
      for (const DirectUse& use : annotated.note.direct_uses)
        add(use.name, use.file.empty() ? annotated.note.file : use.file, use.line);
      for (const std::string& name : annotated.note.tld_addresses) check_address(annotated, name);
      for (const Symbol& symbol : annotated.object.symbols)
        if (!symbol.defined && symbol.global) check_reference(annotated, symbol.name);
    }
  }

 private:
  void add(const std::string& name, const std::string& file, int line) {
    for (const DirectTldUse& known : program_.direct_uses)
      if (known.name == name && known.file == file) return;
    program_.direct_uses.push_back({name, file, line});
  }

  // The variable of UPCR_TLD_ADDR(name) must be one that is copied for each thread.
  void check_address(const AnnotatedObject& annotated, const std::string& name) {
    for (const Symbol& symbol : annotated.object.symbols) {
      const bool local = symbol.defined && !symbol.global && symbol.data;
      if (local && symbol.name == name && !is_tld_section(symbol.section))
        add(name, annotated.object.path, 0);
      if (local && symbol.name == name) return;
    }
    const auto it = definitions_.find(name);
    if (it != definitions_.end() && !it->second.per_thread) add(name, it->second.path, 0);
  }

  // A reference to another file's thread-local variable without UPCR_TLD_ADDR, as in C that no translator
  // wrote.
  void check_reference(const AnnotatedObject& annotated, const std::string& name) {
    const auto it = definitions_.find(name);
    if (it == definitions_.end() || !it->second.per_thread) return;
    const Arguments& addressed = annotated.note.tld_addresses;
    if (std::find(addressed.begin(), addressed.end(), name) != addressed.end()) return;
    const bool checks_itself = std::any_of(annotated.object.symbols.begin(), annotated.object.symbols.end(),
                                           [](const Symbol& s) { return s.name == "upcri_tld_copy"; });
    if (!checks_itself) add(name, annotated.note.present ? annotated.note.file : annotated.object.path, 0);
  }

  const std::vector<AnnotatedObject>& objects_;
  const Definitions definitions_;
  Program& program_;
};

}  // namespace

namespace {

// One function serves all callers of a name, so all callers must have the same encoding.
void find_collectives(const std::vector<AnnotatedObject>& objects, Program& program) {
  std::set<std::string> defined;
  for (const AnnotatedObject& annotated : objects)
    for (const Symbol& symbol : annotated.object.symbols)
      if (symbol.defined && symbol.global) defined.insert(symbol.name);
  std::map<std::string, const AnnotatedObject*> first;
  for (const AnnotatedObject& annotated : objects)
    for (const Symbol& symbol : annotated.object.symbols) {
      if (symbol.defined || !symbol.global || annotated.object.shared || !is_collective(symbol.name))
        continue;
      if (defined.count(symbol.name) != 0) continue;
      const auto [it, is_first] = program.collectives.try_emplace(symbol.name, annotated.note.encoding);
      if (is_first) first[symbol.name] = &annotated;
      if (it->second == annotated.note.encoding) continue;
      fatal(
          annotated.object.path + ": declares " + symbol.name + " itself, and so does " +
          first[symbol.name]->object.path +
          ", but their flags and operators are those of different releases (upcc " +
          "-v prints them); translate both by the same release, or leave the declaration out of one of them");
    }
}

}  // namespace

Program read_program(const std::vector<LinkedFile>& files, const Options& options) {
  Program program;
  program.threads = options.threads;
  program.debug = options.debug;
  std::vector<AnnotatedObject> objects;
  for (const LinkedFile& file : files)
    for (Object& object : read_objects(file.path)) {
      if (file.display_name != file.path) object.path = file.display_name;
      const Note note = object.note.empty() ? Note() : parse_note(object.note);
      objects.push_back({std::move(object), note});
    }
  const AnnotatedObject* static_threads = nullptr;
  for (const AnnotatedObject& annotated : objects) {
    read_symbols(annotated.object, program);
    if (annotated.note.present) check_note(annotated, static_threads, program);
  }
  find_collectives(objects, program);
  TldChecker(objects, program).run();
  return program;
}

}  // namespace upcc
