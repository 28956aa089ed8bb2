// SPDX-License-Identifier: BSD-3-Clause
// upcr_report: an HTML page from files of upcrun --stats; statistics, or a timeline, from what the threads of
// a job without an orderly end have left; both from what GASNet clients have written.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/command_line/command_line.hpp"
#include "tools/upcr_report/reports.hpp"
#include "upcr/config.h"

namespace upcr_report {
namespace {

[[noreturn]] void fail(const std::string& file, const char* why) {
  throw std::runtime_error(file + ": " + why);
}

// Before anything is written.
void check_readable(const std::string& file) {
  std::error_code no_folder;
  if (std::filesystem::is_directory(file, no_folder)) fail(file, "is a folder");
  if (access(file.c_str(), R_OK) != 0) fail(file, std::strerror(errno));
}

// A pipe, too.
std::string read(const std::string& file) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "re"), std::fclose);
  if (in == nullptr) fail(file, std::strerror(errno));
  std::string content;
  std::vector<char> block(1 << 16);
  while (const std::size_t size = std::fread(block.data(), 1, block.size(), in.get()))
    content.append(block.data(), size);
  if (std::ferror(in.get()) != 0) fail(file, std::strerror(errno));
  return content;
}

// What a thread leaves that is killed while it makes its file: its first word, which is written last, is 0.
bool is_unfinished(const std::string& content) {
  const std::size_t word = std::min(content.size(), sizeof(std::uint64_t));
  return std::all_of(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(word),
                     [](char c) { return c == 0; });
}

// Each file is read once, and one is in memory unless the report keeps it.
void report(const std::vector<std::string>& files, const std::string& out) {
  for (const std::string& file : files) check_readable(file);
  std::unique_ptr<Report> report;
  for (const std::string& file : files) {
    const std::string content = read(file);
    if (is_unfinished(content)) {
      std::fprintf(stderr, "upcr_report: %s: nothing was recorded in it; left out\n", file.c_str());
      continue;
    }
    if (report == nullptr) report = report_of(content, out);
    report->add(file, content);
  }
  if (report == nullptr) throw std::runtime_error("nothing was recorded in any of the files");
  report->finish();
}

int run(int argc, char** argv) {
  CLI::App app{
      "Makes an HTML page from statistics of a job (upcrun --stats=FILE); two files are compared.\n"
      "Given what the threads of a killed job have left (FILE.part0 ...), makes FILE: the statistics, or the timeline.\n"
      "Given what the nodes of a GASNet client have written, makes a timeline of its traces or a page of its counts.",
      "upcr_report"};
  app.set_version_flag("--version", std::string("upcr_report ") + UPCR_VERSION);
  std::vector<std::string> files;
  std::string out;
  app.add_option("-o", out, "file to write (default: upcr_report.html, stats.json, trace.json)")
      ->type_name("OUT");
  app.add_option("FILE", files, "files of one or two jobs, or all parts of one")->required();
  if (const auto status = upcr::parse_command_line(app, argc, argv)) return *status;
  try {
    report(files, out);
    return upcr::finish_output(app, 0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "upcr_report: %s\n", error.what());
    return 1;
  }
}

}  // namespace
}  // namespace upcr_report

int main(int argc, char** argv) { return upcr_report::run(argc, argv); }
