// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/diag/render.hpp"

#include <algorithm>

#include "tools/upc2c/diag/original.hpp"

namespace upc2c {
namespace {

constexpr std::string_view kBold = "\033[1m", kReset = "\033[0m", kRed = "\033[1;31m",
                           kMagenta = "\033[1;35m", kCyan = "\033[1;36m", kGreen = "\033[1;32m";

std::string_view word(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kRemark:
      return "remark";
    default:
      return "note";
  }
}

std::string_view color_of(Severity severity) {
  return severity == Severity::kError ? kRed : severity == Severity::kWarning ? kMagenta : kCyan;
}

class TextRenderer {
 public:
  TextRenderer(const TokenStream& stream, bool color) : stream_(stream), original_(stream), color_(color) {}

  void add(const Diagnostic& d) {
    add_includes(d.mark);
    const DiagInfo& row = info(d.diag);
    std::string tag(row.id);
    if (d.severity == Severity::kRemark) tag = "-Rupc";
    if (!row.group.empty() && d.severity == Severity::kWarning) tag = "-W" + std::string(row.group);
    if (!row.group.empty() && d.severity == Severity::kError)
      tag += ", -W" + std::string(row.severity == Severity::kError ? "" : "error=") + std::string(row.group);
    add_message(d.mark, d.severity, d.text + " [" + tag + "]", d.labels);
    for (const Note& note : d.notes) add_message(note.mark, Severity::kNote, note.text, {});
  }

  std::string out;

 private:
  void paint(std::string_view color, std::string_view text) {
    if (color_) out += color;
    out += text;
    if (color_) out += kReset;
  }

  void add_includes(const Mark& mark) {
    const Stretch& stretch = stream_.lines().stretch(stream_.token(mark.caret).offset);
    const Place from = stream_.lines().includer(stretch);
    if (from.line == 0 || stretch.included_at == last_include_) return;
    last_include_ = stretch.included_at;
    out += "In file included from " + std::string(from.file) + ":" + std::to_string(from.line) + ":\n";
  }

  void add_message(const Mark& mark, Severity severity, std::string_view text,
                   const std::vector<Note>& labels) {
    const Place place = place_of(stream_, mark);
    const OriginalRange caret = original_.caret(mark);
    paint(kBold, std::string(place.file) + ":" + std::to_string(place.line) + ":" +
                     std::to_string(caret.begin) + ":");
    out += ' ';
    paint(color_of(severity), std::string(word(severity)) + ":");
    out += ' ';
    paint(kBold, text);
    out += '\n';
    add_line(mark, place, caret, labels);
    if (!caret.macro.empty()) add_note_of_macro(mark, place, caret);
  }

  // At the macro's definition, or at its use where no file has the definition.
  void add_note_of_macro(const Mark& mark, const Place& use, const OriginalRange& caret) {
    const std::optional<MacroDefinition> macro = original_.definition(caret.macro, mark.caret);
    const std::string_view file = macro ? macro->file : use.file;
    const std::uint32_t line = macro ? macro->line : use.line, column = macro ? macro->column : caret.begin;
    out += std::string(file) + ":" + std::to_string(line) + ":" + std::to_string(column) +
           ": note: expanded from macro " + quoted(caret.macro) + "\n";
    if (!macro) return;
    const std::string margin = margin_of(line);
    out += margin + " | " + std::string(macro->text) + '\n' + std::string(margin.size(), ' ') + " | " +
           blanks_like(macro->text, column - 1, {}) + '^' + std::string(caret.macro.size() - 1, '~') + '\n';
  }

  // The number of a line, right-aligned.
  static std::string margin_of(std::uint32_t line) {
    std::string number = std::to_string(line);
    number.insert(0, number.size() < 5 ? 5 - number.size() : 0, ' ');
    return number;
  }

  // The source line, the line of the caret and its range, and the labels below.
  void add_line(const Mark& mark, const Place& place, const OriginalRange& caret,
                const std::vector<Note>& labels) {
    const std::string number = margin_of(place.line), margin(number.size(), ' ');
    out += number + " | " + caret.line + '\n';
    std::string marks;
    const auto underline = [&](std::uint32_t begin, std::uint32_t end) {
      if (marks.size() + 1 < end) marks.resize(end - 1, ' ');
      for (std::uint32_t i = begin; i < end; i++) marks[i - 1] = '~';
    };
    const auto on_this_line = [&](const Mark& m) {
      const Place p = m.spot == Mark::Spot::kToken ? stream_.place(m.range.begin) : place_of(stream_, m);
      return p.line == place.line && p.file == place.file;
    };
    if (on_this_line(mark)) {
      const OriginalRange range = original_.range(mark);
      underline(range.begin, range.end);
    }
    std::vector<std::pair<std::uint32_t, std::string>> texts;
    for (const Note& label : labels) {
      if (!on_this_line(label.mark)) continue;
      const OriginalRange range = original_.find(label.mark.range);
      underline(range.begin, range.end);
      texts.emplace_back(range.begin, label.text);
    }
    if (marks.size() < caret.begin) marks.resize(caret.begin, ' ');
    marks[caret.begin - 1] = '^';
    out += margin + " | " + blanks_like(caret.line, marks.size(), marks);
    std::sort(texts.begin(), texts.end());
    if (!texts.empty() && texts.back().first + texts.back().second.size() > 0) {
      paint(kGreen, " " + texts.back().second);
      texts.pop_back();
    }
    out += '\n';
    for (; !texts.empty(); texts.pop_back()) {
      out += margin + " | " + blanks_like(caret.line, texts.back().first - 1, {});
      paint(kGreen, texts.back().second);
      out += '\n';
    }
  }

  // Marks with a tab wherever the line has one, so that they stay below what they mark.
  std::string blanks_like(std::string_view line, std::size_t length, std::string_view marks) const {
    std::string text(length, ' ');
    for (std::size_t i = 0; i < length; i++) {
      if (i < marks.size()) text[i] = marks[i];
      if (text[i] == ' ' && i < line.size() && line[i] == '\t') text[i] = '\t';
    }
    if (!color_ || marks.empty()) return text;
    return std::string(kGreen) + text + std::string(kReset);
  }

  const TokenStream& stream_;
  OriginalLines original_;
  bool color_;
  std::int32_t last_include_ = -1;
};

// Some are found only when more of the text has been read.
std::vector<const Diagnostic*> in_order(const Diagnostics& diagnostics) {
  std::vector<const Diagnostic*> out;
  for (const Diagnostic& d : diagnostics.all()) out.push_back(&d);
  std::stable_sort(out.begin(), out.end(),
                   [](const Diagnostic* a, const Diagnostic* b) { return a->mark.caret < b->mark.caret; });
  return out;
}

}  // namespace

std::string render_text(const Diagnostics& diagnostics, const TokenStream& stream,
                        const RenderOptions& options) {
  TextRenderer text(stream, options.color);
  unsigned errors = 0;
  for (const Diagnostic* message : in_order(diagnostics)) {
    const Diagnostic& d = *message;
    if (d.severity == Severity::kError && options.max_errors != 0 && errors++ == options.max_errors) {
      text.out += "too many errors; -fmax-errors=0 prints all\n";
      break;
    }
    text.add(d);
  }
  return text.out;
}

}  // namespace upc2c
