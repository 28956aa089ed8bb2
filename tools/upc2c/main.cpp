// SPDX-License-Identifier: BSD-3-Clause
// upc2c: translates preprocessed UPC (cc -E -dD -dI) to C, or prints what is wrong with it. For tests and
// editors; users call upcc.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>

#include "tools/upc2c/ast/dump.hpp"
#include "tools/upc2c/driver.hpp"
#include "tools/upc2c/parse/parser.hpp"

namespace {

constexpr const char* kUsage =
    "usage: upc2c [-o OUT.c | -fsyntax-only | --dump-tree] [OPTION...] FILE.i\n"
    "  FILE.i                            UPC after cc -E -dD -dI, - for standard input\n"
    "  -o OUT.c                          where the C goes; without it, or with -: standard output\n"
    "  -fsyntax-only                     messages, and no C\n"
    "  --dump-tree                       the tree instead of messages and C\n"
    "  -fupc-threads=N                   the static environment: THREADS is N\n"
    "  -fupc-pthreads                    several UPC threads a process\n"
    "  -fupc-pts=packed|struct           representation of pointers-to-shared (packed)\n"
    "  -fupc-max-block-size=N            UPC_MAX_BLOCK_SIZE (1048576)\n"
    "  -g                                positions of statements for messages at run time\n"
    "  -fdiagnostics-format=text|json    form of the messages\n"
    "  -fdiagnostics-color=auto|always|never\n"
    "  -fmax-errors=N                    errors that are printed (20), 0: all\n"
    "  --opt=0|1|2                       loops: as they are (0), iterations by owner, also private accesses;\n"
    "                                    2: reads of straight code done together\n"
    "  --opt-only=LINE                   only loops and statements that begin in this line\n"
    "  -Rupc                             a remark for each loop, and for reads done together\n"
    "  -W..., -Wno-..., -Werror[=...], -w   groups of warnings\n";

struct Options {
  std::string file, output = "-";
  bool dump = false;
  upc2c::TranslateOptions translate;
};

[[noreturn]] void fail(const std::string& message) {
  std::cerr << "upc2c: " << message << '\n';
  std::exit(2);
}

// The number behind `prefix`; false if the option is another one.
bool number(const char* option, const char* prefix, long long& out) {
  const std::size_t length = std::strlen(prefix);
  if (std::strncmp(option, prefix, length) != 0) return false;
  char* end = nullptr;
  out = std::strtoll(option + length, &end, 10);
  if (option[length] == 0 || *end != 0 || out < 0)
    fail("'" + std::string(option) + "': a number is expected");
  return true;
}

void read_option(const std::string& option, Options& options) {
  upc2c::TranslateOptions& translate = options.translate;
  long long value = 0;
  if (option == "-fsyntax-only")
    translate.syntax_only = true;
  else if (option == "--dump-tree")
    options.dump = true;
  else if (number(option.c_str(), "-fupc-threads=", value))
    translate.check.threads = translate.lower.threads = value;
  else if (option == "-fupc-pthreads")
    translate.lower.pthreads = true;
  else if (option == "-fupc-pts=packed" || option == "-fupc-pts=struct")
    translate.target.pointer_to_shared_size = option == "-fupc-pts=packed" ? 8 : 16;
  else if (option == "-g")
    translate.lower.source_positions = true;
  else if (number(option.c_str(), "-fupc-max-block-size=", value))
    translate.check.max_block = static_cast<std::uint32_t>(value);
  else if (number(option.c_str(), "-fmax-errors=", value))
    translate.render.max_errors = static_cast<unsigned>(value);
  else if (option == "-fdiagnostics-format=json" || option == "-fdiagnostics-format=text")
    translate.json = option == "-fdiagnostics-format=json";
  else if (option == "-fdiagnostics-color=always")
    translate.render.color = true;
  else if (option == "-fdiagnostics-color=never")
    translate.render.color = false;
  else if (option == "-fdiagnostics-color=auto")
    translate.render.color = isatty(2) != 0;
  else if (option == "--opt=0" || option == "--opt=1" || option == "--opt=2")
    translate.lower.loops.level = option.back() - '0';
  else if (number(option.c_str(), "--opt-only=", value))
    translate.lower.loops.only.push_back(static_cast<std::uint32_t>(value));
  else if (option.starts_with("-W") || option == "-w" || option == "-Rupc")
    translate.warnings.push_back(option);
  else if (option == "-" || option[0] != '-')
    options.file = option;
  else {
    std::cerr << "upc2c: unknown option '" << option << "'\n" << kUsage;
    std::exit(2);
  }
}

std::string read(std::istream& in) {
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

std::string read(const std::string& file) {
  if (file == "-") return read(std::cin);
  std::ifstream in(file, std::ios::binary);
  if (!in) fail(file + ": " + std::strerror(errno));
  return read(in);
}

void write(const std::string& file, const std::string& text) {
  if (file == "-") {
    std::cout << text;
    if (!std::cout.flush()) fail("cannot write to standard output");
    return;
  }
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush()) fail(file + ": " + std::strerror(errno));
}

int dump_tree(const Options& options) {
  upc2c::Diagnostics diagnostics;
  upc2c::TokenStream stream(read(options.file), options.file);
  upc2c::Arena arena;
  upc2c::Types types(options.translate.target);
  upc2c::Parser parser(stream, arena, diagnostics);
  upc2c::Checker checker(stream, arena, types, diagnostics, options.translate.check);
  while (upc2c::Node* node = parser.next_external_declaration()) {
    checker.check(node);
    if (stream.token(node->tokens.begin).origin == upc2c::Origin::kUser)
      std::cout << upc2c::dump(node, stream) << '\n';
  }
  return diagnostics.errors() != 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  options.translate.render.color = isatty(2) != 0;
  for (int i = 1; i < argc; i++) {
    if (std::strcmp(argv[i], "--help") == 0) {
      std::cout << kUsage;
      return 0;
    }
    if (std::strcmp(argv[i], "-o") == 0 && i + 1 < argc)
      options.output = argv[++i];
    else
      read_option(argv[i], options);
  }
  if (options.file.empty()) {
    std::cerr << kUsage;
    return 2;
  }
  if (options.dump) return dump_tree(options);
  options.translate.lower.file = options.file;
  const upc2c::Translation result = upc2c::translate(read(options.file), options.translate);
  std::cerr << result.messages;
  if (result.errors != 0) return 1;
  if (!options.translate.syntax_only) write(options.output, result.c);
  return 0;
}
