// SPDX-License-Identifier: BSD-3-Clause
// The summary at the end of a job: where the time went, the costliest lines, how unequally threads arrive at
// barriers, who accesses whose memory. At most some 40 lines of 80 columns, whatever the number of threads.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "upcr/observe/report/report.hpp"
#include "upcr/observe/report/text.hpp"

namespace upcr::observe {
namespace {

constexpr std::size_t kMaxLines = 10, kMaxKinds = 8, kMaxPlaces = 3, kMaxColumns = 16;

using Position = std::tuple<std::string, int>;

std::string place(const Position& at) {
  const auto& [file, line] = at;
  if (file.empty()) return "(line not known)";
  std::string text = line != 0 ? file + ":" + std::to_string(line) : file;
  if (text.size() > 34) text = "..." + text.substr(text.size() - 31);
  return text;
}

std::string bar(double share, unsigned width) {
  return std::string(static_cast<std::size_t>(std::lround(share * width)), '#');
}

class Summary {
 public:
  explicit Summary(const Profile& profile) : profile_(profile) {
    for (const ThreadProfile& t : profile.threads) {
      total_ns_ += t.header.duration;
      longest_ns_ = std::max(longest_ns_, t.header.duration);
      for (const Line& line : t.lines) count(line);
    }
  }

  std::string text(const std::string& file) {
    out_ = format("== upcr statistics: %s, %u UPC thread%s, %s, %s ==\n", profile_.program.c_str(),
                  profile_.threads_of_job, profile_.threads_of_job == 1 ? "" : "s", profile_.conduit.c_str(),
                  text_of_time(longest_ns_).c_str());
    if (!profile_.complete) out_ += how_it_ended();
    times();
    lines();
    barriers();
    locks();
    messages();
    matrix();
    if (sampled_ != 0)
      out_ += format("times of short accesses are estimated: %s of %s were timed\n",
                     text_of_count(timed_).c_str(), text_of_count(sampled_).c_str());
    if (!file.empty()) out_ += "details: " + file + "\n";
    return out_;
  }

 private:
  void count(const Line& line) {
    if (is_message(line.kind)) return add(messages_[line.kind], line.counts);
    add(kinds_[line.kind], line.counts);
    add(lines_[{line.file, line.line, line.kind}], line.counts);
    if (line.counts.timed < line.counts.count) timed_ += line.counts.timed, sampled_ += line.counts.count;
    if (line.kind != Kind::kUser) inside_ns_ += line.counts.time;
  }

  std::string how_it_ended() const {
    if (profile_.threads.size() == 1 && !profile_.threads[0].killed)
      return "   the program did not end in order: only what the thread that ended it has done\n";
    std::string killed;
    std::size_t number = 0;
    for (const ThreadProfile& t : profile_.threads)
      if (t.killed && ++number <= kMaxColumns)
        killed += (number == 1 ? " " : ", ") + std::to_string(t.header.thread);
    std::string text = "   the program did not end in order: this is what its threads had done until then\n";
    if (number != 0)
      text += format("   UPC thread%s%s%s %s killed, or ended by an error\n", number == 1 ? "" : "s",
                     killed.c_str(), number > kMaxColumns ? ", ..." : "", number == 1 ? "was" : "were");
    if (const std::size_t missing =
            profile_.threads_of_job - std::min<std::size_t>(profile_.threads.size(), profile_.threads_of_job);
        missing != 0)
      text += format("   the statistics of %zu UPC threads are not here\n", missing);
    return text;
  }

  void time_row(const char* what, std::uint64_t ns, std::uint64_t number) {
    const double share = total_ns_ == 0 ? 0 : static_cast<double>(ns) / static_cast<double>(total_ns_);
    out_ += format("  %-14s %5.1f %%  %-24s %10s %10s\n", what, 100 * share,
                   bar(std::min(share, 1.0), 24).c_str(), text_of_time(ns).c_str(),
                   number == 0 ? "" : (text_of_count(number) + " x").c_str());
  }

  // Of the sum of all threads' times.
  void times() {
    std::vector<std::pair<Kind, Counts>> order(kinds_.begin(), kinds_.end());
    std::sort(order.begin(), order.end(),
              [](const auto& a, const auto& b) { return a.second.time > b.second.time; });
    out_ += "where time goes\n";
    time_row("the program", total_ns_ - std::min(total_ns_, inside_ns_), 0);
    std::size_t shown = 0;
    Counts rest{};
    for (const auto& [kind, counts] : order) {
      if (kind == Kind::kUser) continue;
      if (shown++ < kMaxKinds)
        time_row(name_of(kind), counts.time, counts.count);
      else
        add(rest, counts);
    }
    if (rest.count != 0) time_row("others", rest.time, rest.count);
  }

  void lines() {
    if (lines_.empty()) return;
    using Entry = decltype(lines_)::const_pointer;
    std::vector<Entry> order;
    for (const auto& entry : lines_) order.push_back(&entry);
    std::stable_sort(order.begin(), order.end(),
                     [](Entry a, Entry b) { return a->second.time > b->second.time; });
    out_ += format("costliest lines%19s %-13s %8s %9s %9s %9s\n", "", "", "count", "bytes", "time", "waited");
    for (std::size_t i = 0; i < std::min(kMaxLines, order.size()); ++i) {
      const auto& [at, c] = *order[i];
      out_ += format("  %-34s %-11s %8s %9s %9s %9s\n", place({std::get<0>(at), std::get<1>(at)}).c_str(),
                     name_of(std::get<2>(at)), text_of_count(c.count).c_str(), text_of_bytes(c.bytes).c_str(),
                     text_of_time(c.time).c_str(), text_of_time(c.waited).c_str());
    }
    if (std::all_of(order.begin(), order.end(), [](Entry e) { return std::get<0>(e->first).empty(); }))
      out_ += "  lines are known of files that `upcc --stats` or `upcc -g` has compiled\n";
  }

  // A thread that waits little at a barrier comes last: the others wait for it.
  void barriers() {
    struct Waits {
      std::uint64_t sum = 0, least = ~std::uint64_t{0}, most = 0;
      std::uint32_t late = 0, early = 0;
      std::size_t threads = 0;
    };
    std::map<Position, Waits> waits;
    for (const ThreadProfile& t : profile_.threads)
      for (const Line& line : t.lines) {
        if (line.kind != Kind::kBarrier) continue;
        Waits& w = waits[{line.file, line.line}];
        const std::uint64_t ns = line.counts.waited;
        w.sum += ns;
        ++w.threads;
        if (ns < w.least) w.least = ns, w.late = t.header.thread;
        if (ns >= w.most) w.most = ns, w.early = t.header.thread;
      }
    std::vector<std::pair<Position, Waits>> order;
    for (const auto& entry : waits)
      if (entry.second.threads > 1) order.push_back(entry);
    std::sort(order.begin(), order.end(),
              [](const auto& a, const auto& b) { return a.second.sum > b.second.sum; });
    if (order.size() > kMaxPlaces) order.resize(kMaxPlaces);
    if (!order.empty()) out_ += "barriers: who waits least arrives last\n";
    for (const auto& [at, w] : order)
      out_ += format("  %-34s thread %u waited %s, thread %u %s\n", place(at).c_str(), w.late,
                     text_of_time(w.least).c_str(), w.early, text_of_time(w.most).c_str());
  }

  // Locks of one line are those that it acquired.
  void locks() {
    using Entry = decltype(lines_)::const_pointer;
    std::vector<Entry> order;
    for (const auto& entry : lines_)
      if (entry.second.held != 0) order.push_back(&entry);
    std::stable_sort(order.begin(), order.end(),
                     [](Entry a, Entry b) { return a->second.held > b->second.held; });
    if (order.size() > kMaxPlaces) order.resize(kMaxPlaces);
    if (!order.empty()) out_ += "locks: how long they were held, and waited for\n";
    for (const Entry entry : order) {
      const auto& [at, c] = *entry;
      out_ += format("  %-34s held %s, waited for %s, %s x\n",
                     place({std::get<0>(at), std::get<1>(at)}).c_str(), text_of_time(c.held).c_str(),
                     text_of_time(c.waited).c_str(), text_of_count(c.count).c_str());
    }
  }

  // "messages: 200 requests (150 short, 50 medium: 1.6 kB), 200 replies (200 short)"
  void messages() {
    if (messages_.empty()) return;
    out_ += "messages: " + group_of_messages("request", "requests", Kind::kRequestShort) + ", " +
            group_of_messages("reply", "replies", Kind::kReplyShort) + "\n";
  }
  std::string group_of_messages(const char* one, const char* many, Kind first) const {
    static constexpr const char* kCategories[] = {"short", "medium", "long"};
    std::uint64_t count = 0, bytes = 0;
    std::string parts;
    for (unsigned i = 0; i < 3; ++i) {
      const auto found = messages_.find(static_cast<Kind>(static_cast<unsigned>(first) + i));
      if (found == messages_.end()) continue;
      count += found->second.count;
      bytes += found->second.bytes;
      parts += (parts.empty() ? "" : ", ") + text_of_count(found->second.count) + " " + kCategories[i];
    }
    return text_of_count(count) + " " + (count == 1 ? one : many) +
           (count == 0 ? "" : " (" + parts + (bytes != 0 ? ": " + text_of_bytes(bytes) : "") + ")");
  }

  // Several threads share a row and a column when there are many.
  void matrix() {
    const std::size_t n = profile_.threads_of_job, per = (n + kMaxColumns - 1) / kMaxColumns;
    if (n < 2) return;
    const std::size_t size = (n + per - 1) / per;
    std::vector<std::uint64_t> bytes(size * size);
    std::uint64_t most = 0;
    for (const ThreadProfile& t : profile_.threads)
      for (const PairProfile& pair : t.pairs) {
        if (pair.thread >= n) break;
        std::uint64_t& cell = bytes[t.header.thread / per * size + pair.thread / per];
        cell += pair.sum.read_bytes + pair.sum.written_bytes;
        most = std::max(most, cell);
      }
    if (most == 0) return;
    out_ += format("accesses: rows are the threads that access, columns those whose memory it is; @ is %s\n",
                   text_of_bytes(most).c_str());
    for (std::size_t row = 0; row < size; ++row) {
      out_ += per == 1 ? format("  %4zu ", row) : format("  %4zu.. ", row * per);
      for (std::size_t column = 0; column < size; ++column) {
        out_ += ' ';
        out_ += shade(bytes[row * size + column], most);
      }
      out_ += '\n';
    }
  }
  static char shade(std::uint64_t bytes, std::uint64_t most) {
    static constexpr char kShades[] = ".:-=+*#%@";
    constexpr std::uint64_t kLast = sizeof kShades - 2;
    if (bytes == 0) return ' ';
    return kShades[static_cast<std::size_t>(static_cast<double>(bytes) / static_cast<double>(most) * kLast)];
  }

  const Profile& profile_;
  std::string out_;
  std::uint64_t total_ns_ = 0, longest_ns_ = 0, inside_ns_ = 0;
  std::uint64_t timed_ = 0, sampled_ = 0;  // of the operations of lines that were timed by a sample
  std::map<Kind, Counts> kinds_, messages_;
  std::map<std::tuple<std::string, int, Kind>, Counts> lines_;
};

}  // namespace

std::string summary_of(const Profile& profile, const std::string& file) {
  return Summary(profile).text(file);
}

}  // namespace upcr::observe
