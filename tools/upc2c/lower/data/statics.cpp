// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/data/statics.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "tools/upc2c/lower/lower.hpp"
#include "tools/upc2c/type/layout.hpp"
#include "tools/upc2c/type/print.hpp"

namespace upc2c {
namespace {

std::uint32_t fnv1a(std::string_view text) {
  std::uint32_t hash = 2166136261u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash;
}

bool is_phaseless(const Symbol& symbol) { return upc2c::is_phaseless(pts_kind(symbol.type)); }

}  // namespace

void Statics::add(const Symbol& symbol, const Expr* initializer) {
  if (std::find(objects_.begin(), objects_.end(), &symbol) == objects_.end()) objects_.push_back(&symbol);
  if (initializer != nullptr) steps_.push_back({{}, &symbol, initializer});
}

void Statics::add_statement(const std::string& statements) {
  steps_.push_back({statements, nullptr, nullptr});
}

// Two files of one name have two paths, and one file that is compiled twice, with other macros, two texts.
std::string Statics::suffix() const {
  std::error_code error;
  std::filesystem::path path = std::filesystem::absolute(lower_.options.file, error).lexically_normal();
  if (error) path = lower_.options.file;
  std::string stem = path.stem().string();
  for (char& c : stem)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return stem + "_" + std::to_string(fnv1a(path.string() + '\n' + std::string(lower_.stream.input())));
}

// The memory that the runtime allocates: blocks of so many bytes, dealt to the threads in turn.
std::string Statics::entry(const Symbol& symbol) const {
  const QualType element = symbol.type.ultimate_element();
  const Extent count = element_count(symbol.type).value_or(Extent{1, false});
  const bool local = element.is_record() && lower_.moved_statics.is_local(*element->record) &&
                     !lower_.moved_statics.is_moved(*element->record);
  const std::string size = local ? std::to_string(size_of(element).value_or(Extent{}).factor)
                                 : "sizeof(" + lower_.type_texts.spell(element) + ")";
  std::int64_t block = 1, blocks = 1;
  bool times_threads = false;
  if (symbol.type.is_array()) {
    const std::int64_t elements = std::max<std::int64_t>(count.factor, 1);
    times_threads = count.threads && element.block != 0;
    block = element.block == 0 ? elements : element.block;
    if (!times_threads) block = std::min(block, elements);
    blocks = ceil_div(elements, block);
  }
  std::string bytes = block == 1 ? size : std::to_string(block) + " * " + size;
  // By the letter an indefinite array has no bound with THREADS; what the checker lets through is on thread
  // 0.
  if (count.threads && !times_threads) bytes += " * (size_t)upcr_threads()";
  return "{&" + lower_.declarations.name(symbol) + ", " + bytes + ", " + std::to_string(blocks) + ", " +
         (times_threads ? "1" : "0") + ", " + size + ", \"" + std::string(symbol.text) + "\", \"" +
         to_upc(symbol.type) + "\"}";
}

std::string Statics::table(bool phaseless) {
  std::string entries;
  for (const Symbol* symbol : objects_)
    if (is_phaseless(*symbol) == phaseless) entries += (entries.empty() ? "" : ",\n") + entry(*symbol);
  if (entries.empty()) return {};
  const std::string kind = phaseless ? "pshalloc" : "shalloc", name = lower_.splice.temporary("objects");
  // Static where it can be: debuggers read the names and types of shared objects from it.
  const std::string storage = entries.find("upcr_threads()") == std::string::npos ? "static " : "";
  return storage + "upcr_startup_" + kind + "_t " + name + "[] = {\n" + entries + "};\nupcr_startup_" + kind +
         "(" + name + ", sizeof " + name + " / sizeof " + name + "[0]);\n";
}

std::string Statics::functions() {
  std::string out;
  const std::string file = objects_.empty() && steps_.empty() ? "" : suffix();
  // Start-up functions are none of the program's: a tool does not see them.
  const auto begin = [&](std::string_view kind) {
    const std::string signature = "void UPCRI_" + std::string(kind) + file + "(void)";
    return signature + ";\n" + signature + " {\n" +  // twice, for -Wmissing-prototypes
           (lower_.options.instrument_functions ? "" : "UPCR_BEGIN_FUNCTION();\n");
  };
  if (!objects_.empty()) out += begin("ALLOC_") + table(true) + table(false) + "}\n";
  if (!steps_.empty()) {
    out += begin("INIT_");
    for (const Step& step : steps_)
      out += step.symbol == nullptr
                 ? step.text
                 : Positions::mark(step.initializer->tokens.begin) +
                       lower_.initial_values.shared(*step.symbol, step.initializer,
                                                    lower_.declarations.name(*step.symbol));
    out += "}\n";
  }
  out += lower_.type_texts.assertions();
  return lower_.type_texts.drain_typedefs() + lower_.declarations.drain_hoisted() + definitions_ + out;
}

}  // namespace upc2c
