// SPDX-License-Identifier: BSD-3-Clause
// See elf.hpp. Every offset that the file gives is checked before use. A damaged file has no symbols for
// upcc; the linker reports what is wrong with it.
#include "tools/upcc/object/elf.hpp"

#include <elf.h>

#include <bit>
#include <cstddef>
#include <cstring>

#include "tools/upcc/object/note.hpp"

namespace upcc {
namespace {

using std::string_view;

constexpr unsigned char kByteOrder = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

class Reader {
 public:
  Reader(string_view bytes, Object& object) : bytes_(bytes), object_(object) {}

  void read() {
    Elf64_Ehdr header;
    if (!get(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return;
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != kByteOrder) return;
    if (header.e_shentsize != sizeof(Elf64_Shdr)) return;
    object_.readable = true;
    object_.shared = header.e_type == ET_DYN;
    if (!read_sections(header)) return;
    const std::uint32_t wanted = object_.shared ? SHT_DYNSYM : SHT_SYMTAB;
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      if (sections_[i].sh_type == wanted) read_symbols(sections_[i]);
      if (is_tld_section(section_name(i))) object_.tld = true;
      if (section_name(i) == kNoteSection) object_.note = contents(sections_[i]);
    }
  }

 private:
  template <typename T>
  bool get(std::uint64_t at, T& value) const {
    if (at > bytes_.size() || bytes_.size() - at < sizeof value) return false;
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return true;
  }

  string_view contents(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS || section.sh_offset > bytes_.size()) return {};
    return bytes_.substr(section.sh_offset, section.sh_size);
  }

  string_view text_at(string_view table, std::uint64_t at) const {
    if (at >= table.size()) return {};
    table.remove_prefix(at);
    return table.substr(0, table.find('\0'));
  }

  bool read_sections(const Elf64_Ehdr& header) {
    Elf64_Shdr first;
    if (header.e_shoff == 0 || !get(header.e_shoff, first)) return false;
    // With more than 65,279 sections the numbers are in the first section header.
    const std::uint64_t count = header.e_shnum != 0 ? header.e_shnum : first.sh_size;
    const std::uint64_t names = header.e_shstrndx != SHN_XINDEX ? header.e_shstrndx : first.sh_link;
    if (count > (bytes_.size() - header.e_shoff) / sizeof(Elf64_Shdr)) return false;
    sections_.resize(count);
    for (std::uint64_t i = 0; i < count; ++i) get(header.e_shoff + i * sizeof(Elf64_Shdr), sections_[i]);
    if (names < count) names_ = contents(sections_[names]);
    return true;
  }

  string_view section_name(std::size_t i) const {
    return i < sections_.size() ? text_at(names_, sections_[i].sh_name) : string_view();
  }

  // The table of section numbers that are too large for the symbols' own field.
  string_view extended_indices(std::size_t symbols) const {
    for (const Elf64_Shdr& section : sections_)
      if (section.sh_type == SHT_SYMTAB_SHNDX && section.sh_link == symbols) return contents(section);
    return {};
  }

  void read_symbols(const Elf64_Shdr& section) {
    const string_view table = contents(section);
    const string_view names =
        section.sh_link < sections_.size() ? contents(sections_[section.sh_link]) : string_view();
    const string_view extended = extended_indices(static_cast<std::size_t>(&section - sections_.data()));
    for (std::size_t i = 0; (i + 1) * sizeof(Elf64_Sym) <= table.size(); ++i) {
      Elf64_Sym raw;
      std::memcpy(&raw, table.data() + i * sizeof raw, sizeof raw);
      Symbol symbol;
      symbol.name = text_at(names, raw.st_name);
      if (symbol.name.empty()) continue;
      if (symbol.name == "__gnu_lto_slim") object_.symbols_hidden = true;
      std::uint32_t index = raw.st_shndx;
      if (index == SHN_XINDEX && (i + 1) * 4 <= extended.size())
        std::memcpy(&index, extended.data() + i * 4, 4);
      symbol.defined = raw.st_shndx != SHN_UNDEF;
      symbol.global = ELF64_ST_BIND(raw.st_info) != STB_LOCAL;
      symbol.data = ELF64_ST_TYPE(raw.st_info) == STT_OBJECT || raw.st_shndx == SHN_COMMON;
      symbol.tls = ELF64_ST_TYPE(raw.st_info) == STT_TLS;
      symbol.hidden = ELF64_ST_VISIBILITY(raw.st_other) != STV_DEFAULT;
      symbol.size = raw.st_size;
      symbol.visibility_at = section.sh_offset + i * sizeof raw + offsetof(Elf64_Sym, st_other);
      if (raw.st_shndx == SHN_COMMON)
        symbol.section = "COMMON";
      else if (symbol.defined)
        symbol.section = section_name(index);
      symbol.zero = symbol.defined && index < sections_.size() && sections_[index].sh_type == SHT_NOBITS;
      object_.symbols.push_back(std::move(symbol));
    }
  }

  string_view bytes_;
  Object& object_;
  std::vector<Elf64_Shdr> sections_;
  string_view names_;
};

}  // namespace

Object parse_object(string_view bytes, const std::string& path) {
  Object object;
  object.path = path;
  Reader(bytes, object).read();
  return object;
}

}  // namespace upcc
