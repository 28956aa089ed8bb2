// SPDX-License-Identifier: BSD-3-Clause
// The choice of algorithms. See settings.hpp.
#include "upcr/reduce/settings.hpp"

#include <bit>
#include <cstring>

#include "conduits/core/base/config/config.hpp"
#include "upcr/coll/call/tuning.hpp"

namespace upcr::coll {
namespace {

const ConfigVar kVars[] = {
    {"UPCR_COLL_REDUCE", ConfigType::kChoice, "auto", "tree of reductions to one thread",
     "auto|flat|binomial|knomial"},
    {"UPCR_COLL_REDUCE_ALL", ConfigType::kChoice, "auto",
     "algorithm of reductions to all threads: recursive doubling, or a reduction and a broadcast",
     "auto|doubling|reduce-broadcast"},
    {"UPCR_COLL_PREFIX_REDUCE", ConfigType::kChoice, "auto",
     "algorithm of prefix reductions and of those that do not commute: partial results are combined by trees, or each "
     "row at one thread",
     "auto|rows|transpose"},
    {"UPCR_COLL_REDUCE_CHUNK", ConfigType::kSize, "64KB",
     "memory of each thread for partial results of blocks in a prefix reduction"},
};
const ConfigTable table("reductions", kVars);

struct Settings {
  enum class Tree { kAuto, kFlat, kBinomial, kKnomial } tree;
  bool doubling, auto_all;  // of reductions to all threads; auto_all: not chosen by the user
  enum class Order { kAuto, kRows, kTranspose } order;
  std::size_t chunk;
};

const Settings& settings() {
  static const Settings all = [] {
    Settings s{};
    const auto is = [](const char* name, const char* value) {
      return std::strcmp(config_string(name), value) == 0;
    };
    s.tree = is("UPCR_COLL_REDUCE", "flat")       ? Settings::Tree::kFlat
             : is("UPCR_COLL_REDUCE", "binomial") ? Settings::Tree::kBinomial
             : is("UPCR_COLL_REDUCE", "knomial")  ? Settings::Tree::kKnomial
                                                  : Settings::Tree::kAuto;
    s.doubling = !is("UPCR_COLL_REDUCE_ALL", "reduce-broadcast");
    s.auto_all = is("UPCR_COLL_REDUCE_ALL", "auto");
    s.order = is("UPCR_COLL_PREFIX_REDUCE", "rows")        ? Settings::Order::kRows
              : is("UPCR_COLL_PREFIX_REDUCE", "transpose") ? Settings::Order::kTranspose
                                                           : Settings::Order::kAuto;
    s.chunk = static_cast<std::size_t>(config_size("UPCR_COLL_REDUCE_CHUNK"));
    return s;
  }();
  return all;
}

}  // namespace

Slot reduce_radix(Slot ranks) {
  const Slot flat = std::max<Slot>(ranks, 2);
  switch (settings().tree) {
    case Settings::Tree::kFlat:
      return flat;
    case Settings::Tree::kBinomial:
      return 2;
    case Settings::Tree::kKnomial:
      return default_tuning().radix;
    case Settings::Tree::kAuto:
      break;
  }
  return ranks <= default_tuning().flat_threads ? flat : default_tuning().radix;
}

bool reduce_is_auto(bool to_all) {
  const Settings& s = settings();
  return s.tree == Settings::Tree::kAuto && (!to_all || s.auto_all);
}
bool reduce_all_by_doubling() { return settings().doubling; }

OrderedMethod choose_ordered_method(const ReduceOp& op, const Layout& layout) {
  const Settings& s = settings();
  const std::size_t rows = std::max<std::size_t>(s.chunk / op.bytes, 1);
  const std::size_t bytes = static_cast<std::size_t>(std::min<std::uint64_t>(rows, layout.rows())) * op.bytes;
  bool transpose = s.order == Settings::Order::kTranspose;
  if (s.order == Settings::Order::kAuto) transpose = layout.ranks() > 2 && bytes > default_tuning().small;
  if (layout.rows() == 1) transpose = false;  // one row cannot be distributed
  return {transpose, rows, reduce_radix(layout.ranks())};
}

}  // namespace upcr::coll
