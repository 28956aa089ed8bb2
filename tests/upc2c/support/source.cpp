// SPDX-License-Identifier: BSD-3-Clause
#include "tests/upc2c/support/source.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tools/upc2c/parse/parser.hpp"

namespace {

// A file that is removed with the object.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& text, const std::string& suffix) {
    std::string pattern = ::testing::TempDir() + "/upc2c-XXXXXX" + suffix;
    const int file = mkstemps(pattern.data(), static_cast<int>(suffix.size()));
    path_ = pattern;
    if (file >= 0) close(file);
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

int run(const std::string& command, std::string& output) {
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return -1;
  char buffer[65536];
  for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, n);
  return pclose(pipe);
}

}  // namespace

Parsed::Parsed(std::string text, std::string name) : stream(std::move(text), std::move(name)) {
  unit = upc2c::Parser(stream, arena, diagnostics).parse();
}

std::string Parsed::messages() const { return messages_of(diagnostics, stream); }

Checked::Checked(std::string text, std::string name, const upc2c::CheckOptions& options,
                 const std::vector<std::string>& warnings)
    : stream(std::move(text), std::move(name)), checker(stream, arena, types, diagnostics, options) {
  for (const std::string& warning : warnings) EXPECT_TRUE(diagnostics.set_option(warning)) << warning;
  upc2c::Parser parser(stream, arena, diagnostics);
  while (upc2c::Node* node = parser.next_external_declaration()) {
    checker.check(node);
    items.push_back(node);
  }
}

std::string Checked::messages() const { return messages_of(diagnostics, stream); }

std::string Checked::ids() const {
  std::string out;
  for (const upc2c::Diagnostic& d : diagnostics.all())
    out += (out.empty() ? "" : " ") + std::string(upc2c::info(d.diag).id);
  return out;
}

std::string messages_of(const upc2c::Diagnostics& diagnostics, const upc2c::TokenStream& stream) {
  std::string out;
  for (const upc2c::Diagnostic& d : diagnostics.all()) {
    const upc2c::Place place = stream.place(d.mark.caret);
    out += std::string(upc2c::info(d.diag).id) + " " + std::string(place.file) + ":" +
           std::to_string(place.line) + ":" + std::to_string(place.column) + " " + d.text + "\n";
  }
  return out;
}

std::string upc_options() {
  const std::string source = UPC2C_SOURCE, build = UPC2C_BUILD;
  return "-D__UPC__=1 -D__UPC_VERSION__=201311L -DUPC_MAX_BLOCK_SIZE=1048576 -D__UPC_DYNAMIC_THREADS__=1 "
         "-D__BERKELEY_UPC__=1 -D__BERKELEY_UPC_FIRST_PREPROCESS__=1 -I" +
         source + "/include/upcr_preinclude -I" + source + "/include -I" + build + "/include";
}

std::string preprocessed(const std::string& file, const std::string& options, const std::string& text) {
  return preprocessed_by(UPC2C_CC, file, options, text);
}

std::string preprocessed_by(const std::string& compiler, const std::string& file, const std::string& options,
                            const std::string& text) {
  std::string output;
  const TemporaryFile temporary(text, ".c");
  const std::string& path = text.empty() ? file : temporary.path();
  EXPECT_EQ(run(compiler + " -E -dD -dI -x c " + options + " " + path, output), 0) << path;
  EXPECT_FALSE(output.empty());
  return output;
}

bool compiles(const std::string& text, std::string& output, const std::string& options) {
  return compiles_with(UPC2C_CC, text, output, "-std=gnu11 -w -fsyntax-only " + options);
}

bool compiles_with(const std::string& compiler, const std::string& text, std::string& output,
                   const std::string& options) {
  const TemporaryFile temporary(text, ".c");
  return run(compiler + " " + options + " " + temporary.path() + " 2>&1", output) == 0;
}

bool runs(const std::string& text, std::string& output) {
  const TemporaryFile source(text, ".c"), program("", ".exe");
  return run(std::string(UPC2C_CC) + " -std=gnu11 -w -o " + program.path() + " " + source.path() +
                 " 2>&1 && " + program.path() + " 2>&1",
             output) == 0;
}

std::vector<std::string> example_programs() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(UPC2C_SOURCE) + "/docs/examples"))
    if (entry.path().extension() == ".upc") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  EXPECT_GE(files.size(), 12u);
  return files;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}
