// SPDX-License-Identifier: BSD-3-Clause
// The rules from the most certain to the least: the first that finds something ends the search, because what
// the later ones would find is its effect on other threads.
#include "tools/upcrun/waits/likely_cause.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace upcrun {
namespace {

using upcr::ThreadReport;

constexpr std::uint64_t kLongWaitMs = 500;  // of a job that goes on, hardly any thread waits longer
constexpr std::size_t kMaxCauses = 4;

class Diagnosis {
 public:
  explicit Diagnosis(const ThreadStates& threads) : threads_(threads) {
    for (const ThreadState& t : threads) by_number_[t.report.thread] = &t;
  }

  std::vector<std::string> causes() {
    using Rule = void (Diagnosis::*)();
    for (const Rule rule :
         {&Diagnosis::cycles_of_locks, &Diagnosis::holders_that_wait, &Diagnosis::different_collectives,
          &Diagnosis::collectives_and_barriers, &Diagnosis::threads_that_left, &Diagnosis::missing_answers,
          &Diagnosis::holders_that_compute, &Diagnosis::missed_barriers}) {
      (this->*rule)();
      if (!found_.empty()) break;
    }
    if (found_.size() > kMaxCauses) found_.resize(kMaxCauses);
    return found_;
  }

 private:
  static std::string name(const ThreadState& t) { return names_of({&t}); }
  // "UPC thread 1 waits in barrier 3 at heat.upc:12"
  static std::string sentence(const ThreadState& t) {
    return name(t) + " " + activity_of(t.report) + position_of(t.report);
  }
  template <typename Test>
  ThreadGroup select(Test test) const {
    ThreadGroup group;
    for (const ThreadState& t : threads_)
      if (test(t.report)) group.push_back(&t);
    return group;
  }
  static bool is_in_barrier_or_collective(const ThreadReport& r) {
    return r.activity == Activity::kBarrier || r.activity == Activity::kCollective;
  }
  ThreadGroup all_of(Activity activity) const {
    return select([activity](const ThreadReport& r) { return r.activity == activity; });
  }
  const ThreadState* find(unsigned thread) const {
    const auto found = by_number_.find(thread);
    return found != by_number_.end() ? found->second : nullptr;
  }

  // The thread that has the lock for which `waiter` waits; null: not known.
  const ThreadState* holder_of(const ThreadState& waiter) const {
    const ThreadState* t = &waiter;
    for (std::size_t steps = 0; t != nullptr && steps <= threads_.size(); ++steps) {
      t = find(t->report.peer);
      if (t == nullptr || t->report.activity != Activity::kLock || t->report.lock != waiter.report.lock)
        return t;
    }
    return nullptr;
  }

  void cycles_of_locks() {
    std::set<const ThreadState*> seen;
    for (const ThreadState* start : all_of(Activity::kLock)) {
      ThreadGroup path;
      const ThreadState* t = start;
      while (t != nullptr && t->report.activity == Activity::kLock && seen.insert(t).second) {
        path.push_back(t);
        t = holder_of(*t);
      }
      const auto first = std::find(path.begin(), path.end(), t);
      if (first == path.end()) continue;
      std::string text = "a cycle of locks: ";
      for (auto i = first; i != path.end(); ++i)
        text += (i == first ? "" : "; ") + sentence(**i) + ", which " + name(*holder_of(**i)) + " holds";
      found_.push_back(text + "; all threads must take locks in the same order");
    }
  }

  // The threads that wait for each lock, and its holder.
  struct Queue {
    const ThreadState* holder = nullptr;
    ThreadGroup waiters;
  };
  std::map<std::uint64_t, Queue> queues() const {
    std::map<std::uint64_t, Queue> queues;
    for (const ThreadState* t : all_of(Activity::kLock)) {
      Queue& queue = queues[t->report.lock];
      queue.waiters.push_back(t);
      if (queue.holder == nullptr) queue.holder = holder_of(*t);
    }
    return queues;
  }
  static std::string describe(const Queue& queue) {
    const bool many = queue.waiters.size() > 1;
    const ThreadReport& first = queue.waiters[0]->report;
    return names_of(queue.waiters) + " " + activity_of(first, many) + position_of(first) +
           ", whose holder, " + name(*queue.holder) + ", ";
  }
  void holders_that_wait() {
    for (const auto& [lock, queue] : queues()) {
      if (queue.holder == nullptr || queue.holder->report.activity == Activity::kLock ||
          queue.holder->report.activity == Activity::kComputes)
        continue;
      const ThreadReport& holder = queue.holder->report;
      found_.push_back(describe(queue) + activity_of(holder) +
                       (holder.activity == Activity::kLeft ? std::string() : position_of(holder)) +
                       " and has not called upc_unlock");
    }
  }
  void holders_that_compute() {
    for (const auto& [lock, queue] : queues())
      if (queue.holder != nullptr && queue.holder->report.activity == Activity::kComputes)
        found_.push_back(describe(queue) + "computes" + last_call(*queue.holder));
  }
  static std::string last_call(const ThreadState& t) {
    const std::string at = position_of(t.report);
    return at.empty() ? "" : ", last UPC call" + at;
  }

  // Members of one team that are, or were, in calls of the same number: function and arguments must agree.
  void different_collectives() {
    for (const ThreadState* t : all_of(Activity::kCollective)) {
      if (t->report.function.empty()) continue;
      for (const ThreadState& other : threads_)
        if (&other != t && compare(*t, other)) return;
    }
  }
  bool compare(const ThreadState& t, const ThreadState& other) {
    const ThreadReport &a = t.report, &b = other.report;
    if (b.function.empty() || a.team != b.team || a.call != b.call) return false;
    const std::string which = "collective call " + std::to_string(a.call);
    if (a.function != b.function) {
      found_.push_back("different collectives: " + name(t) + " calls " + a.function + position_of(a) +
                       " as " + which + ", " + name(other) + " calls " + b.function + position_of(b));
      return true;
    }
    for (std::size_t i = 0; i < a.arguments.size() && i < b.arguments.size(); ++i) {
      if (a.arguments[i].value == b.arguments[i].value) continue;
      found_.push_back("different arguments of " + a.function + " (" + which + "): " + a.arguments[i].name +
                       " is " + std::to_string(a.arguments[i].value) + " on " + name(t) + position_of(a) +
                       ", but " + std::to_string(b.arguments[i].value) + " on " + name(other) +
                       position_of(b));
      return true;
    }
    return false;
  }

  void collectives_and_barriers() {
    const ThreadGroup collective = all_of(Activity::kCollective), barrier = all_of(Activity::kBarrier);
    if (collective.empty() || barrier.empty()) return;
    found_.push_back("a missed barrier or collective: " + groups(collective) + ", but " + groups(barrier) +
                     "; all threads must make the same collective calls and barriers in the same order");
  }

  void threads_that_left() {
    const ThreadGroup left = all_of(Activity::kLeft);
    const ThreadGroup waiting = select(is_in_barrier_or_collective);
    if (left.empty() || waiting.empty()) return;
    found_.push_back(names_of(left) + " " + activity_of(left[0]->report, left.size() > 1) + ", but " +
                     groups(waiting));
  }

  // Threads that wait for an answer of a process that does not poll, for all of its threads compute.
  void missing_answers() {
    std::map<const ThreadState*, ThreadGroup> waiters;
    for (const ThreadState* t : all_of(Activity::kAnswer)) {
      const ThreadState* const peer = find(t->report.peer);
      if (peer == nullptr || peer->rank == t->rank) continue;
      const bool polls = std::any_of(threads_.begin(), threads_.end(), [peer](const ThreadState& other) {
        return other.rank == peer->rank && other.report.activity != Activity::kComputes;
      });
      if (!polls) waiters[peer].push_back(t);
    }
    for (const auto& [peer, group] : waiters)
      found_.push_back("a message that nobody answers: " + groups(group) + ", but the process of " +
                       name(*peer) + " does not poll: " + name(*peer) + " computes" + last_call(*peer) +
                       "; call upc_poll() in long computations, or set UPCR_PROGRESS_THREAD=yes");
  }

  void missed_barriers() {
    const ThreadGroup inside = select(is_in_barrier_or_collective);
    const ThreadGroup outside = select([](const ThreadReport& r) {
      return !is_in_barrier_or_collective(r) && r.activity != Activity::kLeft;
    });
    if (inside.empty() || outside.empty()) return;
    found_.push_back(std::string(inside[0]->report.activity == Activity::kBarrier ? "a missed barrier: "
                                                                                  : "a missed collective: ") +
                     groups(inside) + "; " + names_of(outside) + (outside.size() > 1 ? " have" : " has") +
                     " not come to it: " + groups(outside));
  }

  // "UPC threads 0 and 1 wait in barrier 3 at a.upc:12, UPC thread 2 waits in barrier 3 at a.upc:20": those
  // that do the same in one line are one group.
  static std::string groups(const ThreadGroup& threads) {
    std::vector<ThreadGroup> parts;
    std::map<std::string, std::size_t> group_of;
    for (const ThreadState* t : threads) {
      const auto [group, is_new] =
          group_of.try_emplace(activity_of(t->report) + position_of(t->report), parts.size());
      if (is_new) parts.emplace_back();
      parts[group->second].push_back(t);
    }
    std::string text;
    for (const ThreadGroup& group : parts) {
      const ThreadState& first = *group[0];
      text += (text.empty() ? "" : ", ") + names_of(group) + " " +
              activity_of(first.report, group.size() > 1) +
              (first.report.activity == Activity::kComputes ? last_call(first) : position_of(first.report));
    }
    return text;
  }

  const ThreadStates& threads_;
  std::map<unsigned, const ThreadState*> by_number_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> likely_causes(const ThreadStates& threads, const std::vector<std::string>& silent) {
  if (!silent.empty()) {
    std::vector<std::string> causes;
    for (std::size_t i = 0; i < silent.size() && i < kMaxCauses; ++i)
      causes.push_back(silent[i] + " does not answer: it is stopped, or its host cannot be reached");
    return causes;
  }
  const bool long_wait = std::any_of(threads.begin(), threads.end(),
                                     [](const ThreadState& t) { return t.report.waited_ms >= kLongWaitMs; });
  return long_wait ? Diagnosis(threads).causes() : std::vector<std::string>();
}

}  // namespace upcrun
