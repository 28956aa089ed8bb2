// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>

#include "tools/upc2c/diag/original.hpp"
#include "tools/upc2c/diag/render.hpp"

namespace upc2c {
namespace {

std::string escaped(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      out += code;
    } else {
      out += c;
    }
  }
  return out + '"';
}

class JsonRenderer {
 public:
  explicit JsonRenderer(const TokenStream& stream) : stream_(stream), original_(stream) {}

  std::string diagnostic(const Diagnostic& d) {
    const DiagInfo& row = info(d.diag);
    std::string out = "{\"kind\": " + std::string(d.severity == Severity::kError     ? "\"error\""
                                                  : d.severity == Severity::kWarning ? "\"warning\""
                                                                                     : "\"note\"");
    out += ", \"message\": " + escaped(d.text) + ", \"id\": " + escaped(row.id);
    if (!row.group.empty()) out += ", \"option\": " + escaped("-W" + std::string(row.group));
    out += ", \"locations\": [" + location(d.mark, {});
    for (const Note& label : d.labels) out += ", " + location(label.mark, label.text);
    out += "], \"children\": [";
    for (const Note& note : d.notes) {
      if (&note != &d.notes.front()) out += ", ";
      out += "{\"kind\": \"note\", \"message\": " + escaped(note.text) + ", \"locations\": [" +
             location(note.mark, {}) + "], \"children\": []}";
    }
    return out + "]}";
  }

 private:
  std::string point(const Place& place, std::uint32_t column) {
    return "{\"file\": " + escaped(place.file) + ", \"line\": " + std::to_string(place.line) +
           ", \"column\": " + std::to_string(column) + "}";
  }

  std::string location(const Mark& mark, std::string_view label) {
    const Place place = place_of(stream_, mark),
                begin = mark.spot == Mark::Spot::kToken ? stream_.place(mark.range.begin) : place;
    const OriginalRange caret = original_.caret(mark), range = original_.range(mark);
    std::string out = "{\"caret\": " + point(place, caret.begin) +
                      ", \"start\": " + point(begin, range.begin) +
                      ", \"finish\": " + point(begin, range.end - 1);
    if (!label.empty()) out += ", \"label\": " + escaped(label);
    return out + "}";
  }

  const TokenStream& stream_;
  OriginalLines original_;
};

}  // namespace

std::string render_json(const Diagnostics& diagnostics, const TokenStream& stream) {
  JsonRenderer json(stream);
  std::string out = "[";
  for (const Diagnostic& d : diagnostics.all()) {
    if (out.size() > 1) out += ",\n ";
    out += json.diagnostic(d);
  }
  return out + "]\n";
}

}  // namespace upc2c
