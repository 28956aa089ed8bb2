// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/loop/remark.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace upc2c {
namespace {

// A text about the treatment of the runs; runs with the same treatment are together.
std::string runs_text(const LoopPlan& plan, std::string_view before) {
  std::vector<std::pair<std::string, std::string>> groups;
  for (const PlannedRun& run : plan.runs) {
    std::string fate = "private where mapped, else ";
    fate += run.uncopied.empty() ? "copied" : "general (" + std::string(run.uncopied) + ")";
    if (plan.owner.form != Ownership::Form::kAll) fate = "private";
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == fate; });
    if (group == groups.end()) group = groups.insert(groups.end(), {fate, ""});
    group->second += (group->second.empty() ? ": " : ", ") + quoted(run.run.text);
  }
  std::string out;
  for (const auto& [fate, names] : groups) {
    out += std::string(out.empty() ? before : "; ") + fate + names;
  }
  return out;
}

// The same of irregular accesses.
std::string irregular_text(const LoopPlan& plan, std::string_view before) {
  std::string out;
  for (const bool anywhere : {false, true}) {
    std::string names;
    for (const IrregularAccess& access : plan.irregular)
      if (const std::string name = quoted(access.text);
          access.anywhere == anywhere && names.find(name) == std::string::npos)
        names += (names.empty() ? "" : ", ") + name;
    if (names.empty()) continue;
    out += out.empty() ? before : "; ";
    out += anywhere ? "private where all threads are mapped: " : "private where the whole array is mapped: ";
    out += names;
  }
  return out;
}

}  // namespace

std::string remark_of(const LoopPlan& plan, const References& references) {
  std::string text = plan.owner.form == Ownership::Form::kAll ? "" : "iterations by owner";
  text += runs_text(plan, text.empty() ? "" : "; ");
  if (!plan.irregular.empty())
    return text + irregular_text(plan, text.empty() ? "" : "; ") +
           (plan.later ? ", prefetched in long loops" : "");
  if (!references.other.empty())
    text += "; " + quoted(references.other) + " stays general: " + references.reason;
  return text;
}

}  // namespace upc2c
