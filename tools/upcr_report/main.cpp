// SPDX-License-Identifier: BSD-3-Clause
// upcr_report: an HTML page from files of upcrun --stats; statistics, or a timeline, from what the threads of
// a job without an orderly end have left; both from what GASNet clients have written.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "tools/upcr_report/gasnet_report.hpp"
#include "tools/upcr_report/gasnet_text.hpp"
#include "tools/upcr_report/page.hpp"
#include "tools/upcr_report/records.hpp"
#include "upcr/config.h"
#include "upcr/observe/report/timeline.hpp"

namespace upcr_report {
namespace {

[[noreturn]] void fail(const std::string& text) {
  std::fprintf(stderr, "upcr_report: %s\n", text.c_str());
  std::exit(1);
}

std::string read(const std::string& file) {
  std::error_code no_folder;
  if (std::filesystem::is_directory(file, no_folder)) fail(file + ": is a folder");
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) fail(file + ": " + std::strerror(errno));
  const std::streamoff size = in.tellg();
  std::string content(static_cast<std::size_t>(size), '\0');
  in.seekg(0);
  in.read(content.data(), size);
  content.resize(static_cast<std::size_t>(in.gcount()));
  return content;
}

// What a thread leaves that is killed while it makes its file: its first word, which is written last, is 0.
bool is_unfinished(const std::string& content) {
  const std::size_t word = std::min(content.size(), sizeof(std::uint64_t));
  return std::all_of(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(word),
                     [](char c) { return c == 0; });
}

// Ends the program if none is left.
void leave_out_unfinished(std::vector<std::string>& files) {
  const auto left_out = [](const std::string& file) {
    if (!is_unfinished(read(file))) return false;
    std::fprintf(stderr, "upcr_report: %s: nothing was recorded in it; left out\n", file.c_str());
    return true;
  };
  files.erase(std::remove_if(files.begin(), files.end(), left_out), files.end());
  if (files.empty()) fail("nothing was recorded in any of the files");
}

bool is_part(const std::string& content) {
  constexpr std::uint64_t kMagic = upcr::observe::kPartMagic;
  return content.size() >= sizeof kMagic && std::memcmp(content.data(), &kMagic, sizeof kMagic) == 0;
}

void close(std::FILE* out, const std::string& file) {
  const bool written = std::ferror(out) == 0;
  if (std::fclose(out) != 0 || !written) fail(file + ": " + std::strerror(errno));
}

std::FILE* create(const std::string& file) {
  std::FILE* const out = std::fopen(file.c_str(), "we");
  if (out == nullptr) fail(file + ": " + std::strerror(errno));
  return out;
}

// One part at a time is in memory.
void write_timeline(const std::vector<std::string>& parts, const std::string& file) {
  std::FILE* const out = create(file);
  upcr::observe::Timeline timeline(out);
  for (const std::string& part : parts) {
    const std::string content = read(part);
    if (!timeline.add({content.begin(), content.end()}))
      fail(part + ": no part of a trace, or damaged, or of a thread that is in another one as well");
  }
  timeline.end();
  close(out, file);
  std::printf("%llu events in %s; %llu earlier ones are lost\n",
              static_cast<unsigned long long>(timeline.events()), file.c_str(),
              static_cast<unsigned long long>(timeline.lost()));
}

void write_left_statistics(const std::vector<std::string>& files, const std::string& out) {
  std::vector<std::string> records;
  for (const std::string& file : files) records.push_back(read(file));
  const std::string summary = write_statistics(records, out);
  std::fwrite(summary.data(), 1, summary.size(), stdout);
}

void write_page(const std::vector<Run>& runs, const std::string& file) {
  const std::string text = page(runs);
  std::FILE* const out = create(file);
  std::fwrite(text.data(), 1, text.size(), out);
  close(out, file);
  std::printf("%s\n", file.c_str());
}

// An object, to its last brace.
bool is_cut(const std::string& json) {
  const std::size_t last = json.find_last_not_of(" \n\r\t");
  return last == json.npos || json[last] != '}' || json.find("\"threads\":[") == json.npos ||
         json.find("\"kinds\":[") == json.npos;
}

void write_page_of_files(const std::vector<std::string>& files, const std::string& file) {
  if (files.size() > 2)
    fail("statistics of one job or of two are shown; " + std::to_string(files.size()) + " files are given");
  std::vector<Run> runs;
  for (const std::string& name : files) {
    runs.push_back({name, read(name)});
    if (runs.back().json.rfind("{\"format\":\"upcr-stats 1\"", 0) != 0)
      fail(name + ": neither a file of upcrun --stats=FILE nor a part of a trace, nor one of GASNet's");
    if (is_cut(runs.back().json)) fail(name + ": is cut short");
  }
  write_page(runs, file);
}

// The texts of the nodes of one job. `file`: empty: a name of its own.
void write_of_gasnet(const std::vector<std::string>& files, const std::string& file) {
  std::vector<std::string> texts;
  for (const std::string& name : files) {
    texts.push_back(read(name));
    if (!is_gasnet_text(texts.back())) fail(name + ": no line of GASNet's traces or statistics");
  }
  if (!is_gasnet_trace(texts) || file.ends_with(".html"))
    return write_page({{files[0], gasnet_statistics(texts)}}, file.empty() ? "upcr_report.html" : file);
  const std::string name = file.empty() ? "trace.json" : file;
  std::FILE* const out = create(name);
  const std::uint64_t events = write_gasnet_timeline(texts, out);
  close(out, name);
  std::printf("%llu events in %s\n", static_cast<unsigned long long>(events), name.c_str());
}

// By what the first file is. Returns the status of the program.
int report(const std::vector<std::string>& files, const std::string& first, const std::string& out) {
  if (is_part(first))
    write_timeline(files, out.empty() ? "trace.json" : out);
  else if (is_record(first))
    write_left_statistics(files, out.empty() ? "stats.json" : out);
  else if (is_gasnet_text(first))
    write_of_gasnet(files, out);
  else
    write_page_of_files(files, out.empty() ? "upcr_report.html" : out);
  return 0;
}

int run(int argc, char** argv) {
  CLI::App app{
      "Makes an HTML page from statistics of a job (upcrun --stats=FILE); two files are compared.\n"
      "Given what the threads of a killed job have left (FILE.part0 ...), makes FILE: the statistics, or the timeline.\n"
      "Given what the nodes of a GASNet client have written, makes a timeline of its traces or a page of its counts."};
  app.set_version_flag("--version", std::string("upcr_report ") + UPCR_VERSION);
  std::vector<std::string> files;
  std::string out;
  app.add_option("-o", out, "file to write (default: upcr_report.html, stats.json, trace.json)")
      ->type_name("OUT");
  app.add_option("FILE", files, "files of one or two jobs, or all parts of one")->required();
  CLI11_PARSE(app, argc, argv);
  leave_out_unfinished(files);
  const std::string first = read(files[0]);
  try {
    return report(files, first, out);
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

}  // namespace
}  // namespace upcr_report

int main(int argc, char** argv) { return upcr_report::run(argc, argv); }
