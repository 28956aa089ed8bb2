// SPDX-License-Identifier: BSD-3-Clause
// The JSON of UPCR_STATS; docs/observing.md describes it. Times in nanoseconds. Members that are 0 are left
// out of an operation's object, all but "count".
#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>

#include "upcr/observe/report/json_writer.hpp"
#include "upcr/observe/report/report.hpp"

namespace upcr::observe {
namespace {

// Each bucket by its least size.
void write_sizes(JsonWriter& w, const std::array<std::uint64_t, kBuckets>& counts) {
  w.name("sizes");
  w.open('{');
  for (unsigned i = 0; i < kBuckets; ++i)
    if (counts[i] != 0) w.member(std::to_string(least_of_bucket(i)), counts[i]);
  w.close('}');
}

void write_counts(JsonWriter& w, const Counts& c) {
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

void write_line(JsonWriter& w, const Line& line) {
  w.open('{');
  if (!line.file.empty()) w.member("file", line.file);
  if (line.line != 0) w.member("line", line.line);
  w.member("kind", name_of(line.kind));
  write_counts(w, line.counts);
  w.close('}');
  w.line_end();
}

void write_directions(JsonWriter& w, const PairKind& p) {
  w.count("reads", p.reads);
  w.count("read_bytes", p.read_bytes);
  w.count("writes", p.writes);
  w.count("written_bytes", p.written_bytes);
  w.count("ns", p.time);
  w.count("waited_ns", p.waited);
}

// Of messages: how many were sent.
void write_pair_kind(JsonWriter& w, const PairKind& p) {
  w.open('{');
  w.member("kind", name_of(p.kind));
  if (is_message(p.kind)) {
    w.member("count", p.writes);
    w.count("bytes", p.written_bytes);
  } else {
    write_directions(w, p);
  }
  w.close('}');
}

void write_pair(JsonWriter& w, const PairProfile& p) {
  w.open('{');
  w.member("thread", p.thread);
  write_directions(w, p.sum);
  write_sizes(w, p.sizes);
  w.name("kinds");
  w.open('[');
  for (const PairKind& kind : p.kinds) write_pair_kind(w, kind);
  w.close(']');
  w.close('}');
}

void write_thread(JsonWriter& w, const ThreadProfile& t) {
  w.open('{');
  w.member("thread", t.header.thread);
  w.member("process", t.header.rank);
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

void write_sums(JsonWriter& w, const Profile& profile) {
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
  JsonWriter w;
  w.open('{');
  w.member("format", "upcr-stats 1");
  w.member("program", profile.program);
  w.member("conduit", profile.conduit);
  w.member("threads_of_job", profile.threads_of_job);
  w.member("complete", profile.complete);
  w.line_end();
  write_sums(w, profile);
  w.write_to(out);
  w.name("threads");
  w.open('[');
  for (const ThreadProfile& t : profile.threads) {
    write_thread(w, t);
    w.write_to(out);
  }
  w.close(']');
  w.close('}');
  w.line_end();
  w.write_to(out);
  const bool written = std::ferror(out) == 0;
  return std::fclose(out) == 0 && written;
}

}  // namespace upcr::observe
