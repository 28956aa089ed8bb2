// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcr_report/reports.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tools/upcr_report/gasnet_report.hpp"
#include "tools/upcr_report/gasnet_text.hpp"
#include "tools/upcr_report/page.hpp"
#include "tools/upcr_report/records.hpp"
#include "upcr/observe/report/timeline.hpp"

namespace upcr_report {
namespace {

[[noreturn]] void fail(const std::string& text) { throw std::runtime_error(text); }

// A file that is written.
class Output {
 public:
  explicit Output(const std::string& name) : name_(name), file_(std::fopen(name.c_str(), "we")) {
    if (file_ == nullptr) fail(name + ": " + std::strerror(errno));
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() {
    if (file_ != nullptr) std::fclose(file_);
  }
  const std::string& name() const noexcept { return name_; }
  std::FILE* file() const noexcept { return file_; }
  void close() {
    const bool written = std::ferror(file_) == 0;
    if (std::fclose(std::exchange(file_, nullptr)) != 0 || !written)
      fail(name_ + ": " + std::strerror(errno));
  }

 private:
  const std::string name_;
  std::FILE* file_;
};

unsigned long long printable(std::uint64_t number) { return number; }

// Of the parts of a trace that threads have left. One at a time is in memory.
class TimelineReport : public Report {
 public:
  explicit TimelineReport(const std::string& out) : out_(out.empty() ? "trace.json" : out) {}

  static bool is_of(const std::string& content) {
    constexpr std::uint64_t kMagic = upcr::observe::kPartMagic;
    return content.size() >= sizeof kMagic && std::memcmp(content.data(), &kMagic, sizeof kMagic) == 0;
  }
  void add(const std::string& name, const std::string& content) override {
    if (!timeline_.add(content))
      fail(name + ": no part of a trace, or damaged, or of a thread that is in another one as well");
  }
  void finish() override {
    timeline_.end();
    out_.close();
    std::printf("%llu events in %s; %llu earlier ones are lost\n", printable(timeline_.events()),
                out_.name().c_str(), printable(timeline_.lost()));
  }

 private:
  Output out_;
  upcr::observe::Timeline timeline_{out_.file()};
};

// Of the statistics that threads have left.
class StatisticsReport : public Report {
 public:
  explicit StatisticsReport(const std::string& out) : out_(out.empty() ? "stats.json" : out) {}

  void add(const std::string&, const std::string& content) override { records_.add(content); }
  void finish() override {
    const std::string summary = records_.write(out_);
    std::fwrite(summary.data(), 1, summary.size(), stdout);
  }

 private:
  const std::string out_;
  Records records_;
};

void write_page(const std::vector<Run>& runs, const std::string& out) {
  const std::string text = page(runs);
  Output file(out.empty() ? "upcr_report.html" : out);
  std::fwrite(text.data(), 1, text.size(), file.file());
  file.close();
  std::printf("%s\n", file.name().c_str());
}

// Of the texts of the nodes of one job of a GASNet client.
class GasnetReport : public Report {
 public:
  explicit GasnetReport(const std::string& out) : out_(out) {}

  void add(const std::string& name, const std::string& content) override {
    if (!is_gasnet_text(content)) fail(name + ": no line of GASNet's traces or statistics");
    if (texts_.empty()) first_ = name;
    texts_.push_back(content);
  }
  void finish() override {
    if (!is_gasnet_trace(texts_) || out_.ends_with(".html"))
      return write_page({{first_, gasnet_statistics(texts_)}}, out_);
    Output file(out_.empty() ? "trace.json" : out_);
    const std::uint64_t events = write_gasnet_timeline(texts_, file.file());
    file.close();
    std::printf("%llu events in %s\n", printable(events), file.name().c_str());
  }

 private:
  const std::string out_;
  std::string first_;
  std::vector<std::string> texts_;
};

// Of statistics of one job, or of two.
class PageReport : public Report {
 public:
  explicit PageReport(const std::string& out) : out_(out) {}

  void add(const std::string& name, const std::string& content) override {
    if (!content.starts_with("{\"format\":\"upcr-stats 1\""))
      fail(name + ": neither a file of upcrun --stats=FILE nor a part of a trace, nor one of GASNet's");
    if (is_cut(content)) fail(name + ": is cut short");
    runs_.push_back({name, content});
  }
  void finish() override {
    if (runs_.size() > 2)
      fail("statistics of one job or of two are shown; " + std::to_string(runs_.size()) + " files are given");
    write_page(runs_, out_);
  }

 private:
  // An object is whole to its last brace.
  static bool is_cut(const std::string& json) {
    const std::size_t last = json.find_last_not_of(" \n\r\t");
    return last == json.npos || json[last] != '}' || json.find("\"threads\":[") == json.npos ||
           json.find("\"kinds\":[") == json.npos;
  }

  const std::string out_;
  std::vector<Run> runs_;
};

}  // namespace

std::unique_ptr<Report> report_of(const std::string& first, const std::string& out) {
  if (TimelineReport::is_of(first)) return std::make_unique<TimelineReport>(out);
  if (is_record(first)) return std::make_unique<StatisticsReport>(out);
  if (is_gasnet_text(first)) return std::make_unique<GasnetReport>(out);
  return std::make_unique<PageReport>(out);
}

}  // namespace upcr_report
