// SPDX-License-Identifier: BSD-3-Clause
// The JSON of UPCR_STATS; docs/observing.md describes it. Times in nanoseconds. Members that are 0 are left
// out of an operation's object, all but "count".
#include <array>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>

#include "upcr/observe/report/json_text.hpp"
#include "upcr/observe/report/report.hpp"

namespace upcr::observe {
namespace {

class Writer {
 public:
  explicit Writer(std::FILE* out) : out_(out) {}

  void open(char bracket) {
    comma();
    std::fputc(bracket, out_);
    first_ = true;
  }
  void close(char bracket) {
    std::fputc(bracket, out_);
    first_ = false;
  }
  void name(const char* text) {
    comma();
    string(text);
    std::fputc(':', out_);
    first_ = true;
  }
  void value(std::uint64_t number) {
    comma();
    std::fprintf(out_, "%" PRIu64, number);
  }
  void value(const std::string& text) {
    comma();
    string(text.c_str());
  }
  void value(bool yes) {
    comma();
    std::fputs(yes ? "true" : "false", out_);
  }
  template <typename T>
  void member(const char* key, const T& what) {
    name(key);
    value(what);
  }
  void count(const char* key, std::uint64_t number) {
    if (number != 0) member(key, number);
  }
  void line_end() { std::fputc('\n', out_); }

 private:
  void comma() {
    if (!first_) std::fputc(',', out_);
    first_ = false;
  }
  void string(const char* text) { std::fprintf(out_, "\"%s\"", json_text(text).c_str()); }

  std::FILE* out_;
  bool first_ = true;
};

// Each bucket by its least size.
void write_sizes(Writer& w, const std::array<std::uint64_t, kBuckets>& counts) {
  w.name("sizes");
  w.open('{');
  for (unsigned i = 0; i < kBuckets; ++i)
    if (counts[i] != 0) w.member(std::to_string(i == 0 ? 0 : std::uint64_t{1} << (i - 1)).c_str(), counts[i]);
  w.close('}');
}

void write_counts(Writer& w, const Counts& c) {
  w.member("count", c.count);
  w.count("bytes", c.bytes);
  if (c.timed < c.count && c.time != 0) w.count("timed", c.timed);
  w.count("ns", c.time);
  w.count("waited_ns", c.waited);
  w.count("held_ns", c.held);
  w.count("local", c.local);
  w.count("mapped", c.mapped);
  w.count("remote", c.remote);
  if (c.bytes == 0) return;
  write_sizes(w, c.sizes);
}

void write_line(Writer& w, const Line& line) {
  w.open('{');
  if (!line.file.empty()) w.member("file", line.file);
  if (line.line != 0) w.member("line", static_cast<std::uint64_t>(line.line));
  w.member("kind", std::string(name_of(line.kind)));
  write_counts(w, line.counts);
  w.close('}');
  w.line_end();
}

void write_directions(Writer& w, const PairKind& p) {
  w.count("reads", p.reads);
  w.count("read_bytes", p.read_bytes);
  w.count("writes", p.writes);
  w.count("written_bytes", p.written_bytes);
  w.count("ns", p.time);
  w.count("waited_ns", p.waited);
}

// Of messages: how many were sent.
void write_pair_kind(Writer& w, const PairKind& p) {
  w.open('{');
  w.member("kind", std::string(name_of(p.kind)));
  if (is_message(p.kind)) {
    w.member("count", p.writes);
    w.count("bytes", p.written_bytes);
  } else {
    write_directions(w, p);
  }
  w.close('}');
}

void write_pair(Writer& w, const PairProfile& p) {
  w.open('{');
  w.member("thread", std::uint64_t{p.thread});
  write_directions(w, p.sum);
  write_sizes(w, p.sizes);
  w.name("kinds");
  w.open('[');
  for (const PairKind& kind : p.kinds) write_pair_kind(w, kind);
  w.close(']');
  w.close('}');
}

void write_thread(Writer& w, const ThreadProfile& t) {
  w.open('{');
  w.member("thread", std::uint64_t{t.header.thread});
  w.member("process", std::uint64_t{t.header.rank});
  w.member("host", t.host);
  w.member("ns", t.header.duration);
  w.count("without_line", t.header.lost);
  if (t.killed) w.member("killed", true);
  w.name("operations");
  w.open('[');
  for (const Line& line : t.lines) write_line(w, line);
  w.close(']');
  w.name("pairs");
  w.open('[');
  for (const PairProfile& p : t.pairs) write_pair(w, p);
  w.close(']');
  w.close('}');
  w.line_end();
}

void write_sums(Writer& w, const Profile& profile) {
  std::map<Kind, Counts> kinds;
  std::map<std::tuple<std::string, int, Kind>, Counts> lines;
  for (const ThreadProfile& t : profile.threads)
    for (const Line& line : t.lines) {
      add(kinds[line.kind], line.counts);
      add(lines[{line.file, line.line, line.kind}], line.counts);
    }
  w.name("kinds");
  w.open('[');
  for (const auto& [kind, counts] : kinds) write_line(w, {"", 0, kind, counts});
  w.close(']');
  w.name("lines");
  w.open('[');
  for (const auto& [key, counts] : lines)
    write_line(w, {std::get<0>(key), std::get<1>(key), std::get<2>(key), counts});
  w.close(']');
}

}  // namespace

bool write_json(const Profile& profile, const char* file) {
  std::FILE* const out = std::fopen(file, "we");
  if (out == nullptr) return false;
  Writer w(out);
  w.open('{');
  w.member("format", std::string("upcr-stats 1"));
  w.member("program", profile.program);
  w.member("conduit", profile.conduit);
  w.member("threads_of_job", std::uint64_t{profile.threads_of_job});
  w.member("complete", profile.complete);
  w.line_end();
  write_sums(w, profile);
  w.name("threads");
  w.open('[');
  for (const ThreadProfile& t : profile.threads) write_thread(w, t);
  w.close(']');
  w.close('}');
  w.line_end();
  const bool written = std::ferror(out) == 0;
  return std::fclose(out) == 0 && written;
}

}  // namespace upcr::observe
