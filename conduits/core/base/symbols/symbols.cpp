// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/base/symbols/symbols.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace upcr {
namespace {

// An ELF file, mapped read-only while this lives. Every offset in it is checked: files may be cut short.
class ElfFile {
 public:
  explicit ElfFile(const char* path) noexcept {
    const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    struct stat file {};
    if (::fstat(fd, &file) == 0 && file.st_size > 0) {
      void* at = ::mmap(nullptr, static_cast<std::size_t>(file.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
      if (at != MAP_FAILED) {
        data_ = static_cast<const char*>(at);
        size_ = static_cast<std::size_t>(file.st_size);
      }
    }
    ::close(fd);
  }
  ~ElfFile() {
    if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
  }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  // `count` objects at an offset, or nullptr when the file does not hold them.
  template <typename T>
  const T* at(std::uint64_t offset, std::uint64_t count = 1) const noexcept {
    if (offset > size_ || count > (size_ - offset) / sizeof(T) || offset % alignof(T) != 0) return nullptr;
    return reinterpret_cast<const T*>(data_ + offset);
  }
  std::string_view string_at(std::uint64_t offset) const noexcept {
    if (offset >= size_) return {};
    const std::string_view rest(data_ + offset, size_ - offset);
    return rest.substr(0, rest.find('\0'));
  }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

const ElfW(Ehdr) * header_of(const ElfFile& file) noexcept {
  const auto* head = file.at<ElfW(Ehdr)>(0);
  const bool right =
      head != nullptr && std::string_view(reinterpret_cast<const char*>(head->e_ident), 4) == ELFMAG;
  return right && head->e_shentsize == sizeof(ElfW(Shdr)) && head->e_phentsize == sizeof(ElfW(Phdr))
             ? head
             : nullptr;
}

// The address that the file was linked for at its start: 0 for libraries and position-independent programs.
std::uint64_t link_base(const ElfFile& file, const ElfW(Ehdr) & head) noexcept {
  const auto* segments = file.at<ElfW(Phdr)>(head.e_phoff, head.e_phnum);
  for (unsigned i = 0; segments != nullptr && i < head.e_phnum; ++i)
    if (segments[i].p_type == PT_LOAD) return segments[i].p_vaddr - segments[i].p_offset;
  return 0;
}

struct Found {
  std::string_view name;
  std::uint64_t start = 0;
};

Found search(const ElfFile& file, const ElfW(Ehdr) & head, const ElfW(Shdr) & table,
             std::uint64_t address) noexcept {
  const auto* sections = file.at<ElfW(Shdr)>(head.e_shoff, head.e_shnum);
  const std::uint64_t count = table.sh_size / sizeof(ElfW(Sym));
  const auto* symbols = file.at<ElfW(Sym)>(table.sh_offset, count);
  if (symbols == nullptr || table.sh_link >= head.e_shnum) return {};
  for (std::uint64_t i = 0; i < count; ++i) {
    const ElfW(Sym)& s = symbols[i];
    if ((s.st_info & 15) != STT_FUNC || s.st_shndx == SHN_UNDEF) continue;
    if (address - s.st_value < s.st_size)
      return {file.string_at(sections[table.sh_link].sh_offset + s.st_name), s.st_value};
  }
  return {};
}

// Appends the readable part of a name: "upcr::wait" for _ZN4upcr12_GLOBAL__N_14waitEv. Arguments are left
// out; names with templates, operators or constructors in them stay as they are (c++filt reads them).
void add_name(SafeText& text, std::string_view name) noexcept {
  const bool nested = name.starts_with("_ZN");
  std::string_view rest = name.substr(nested ? 3 : name.starts_with("_Z") ? 2 : name.size());
  char buf[256];
  SafeText parts(buf, sizeof buf);
  while (!rest.empty() && rest[0] >= '1' && rest[0] <= '9') {
    std::size_t length = 0;
    while (!rest.empty() && rest[0] >= '0' && rest[0] <= '9') {
      length = length * 10 + static_cast<std::size_t>(rest[0] - '0');
      rest.remove_prefix(1);
    }
    if (length > rest.size()) break;
    if (!rest.starts_with("_GLOBAL__N_"))
      parts.add(parts.size() != 0 ? "::" : "").add(rest.substr(0, length));
    rest.remove_prefix(length);
    if (!nested) break;
  }
  const bool complete = parts.size() != 0 && !rest.empty() && (nested ? rest[0] == 'E' : rest[0] != 'I');
  text.add(complete ? std::string_view(parts.data(), parts.size()) : name);
}

// The function that holds `address`, an address as the file was linked.
Found find_function(const ElfFile& file, std::uint64_t address) noexcept {
  const auto* const head = header_of(file);
  const auto* const sections = head != nullptr ? file.at<ElfW(Shdr)>(head->e_shoff, head->e_shnum) : nullptr;
  if (sections == nullptr) return {};
  for (const std::uint32_t kind : {SHT_SYMTAB, SHT_DYNSYM}) {
    for (unsigned i = 0; i < head->e_shnum; ++i) {
      if (sections[i].sh_type != kind) continue;
      if (const Found found = search(file, *head, sections[i], address); !found.name.empty()) return found;
    }
  }
  return {};
}

}  // namespace

CodePlace find_code(const void* pc, bool is_return) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(pc);
  Dl_info info{};
  const std::uintptr_t inside =
      is_return ? address - 1 : address;  // a call may be a function's last instruction
  if (dladdr(reinterpret_cast<const void*>(inside), &info) == 0 || info.dli_fname == nullptr)
    return {nullptr, address};
  CodePlace place{info.dli_fname, address - reinterpret_cast<std::uintptr_t>(info.dli_fbase)};
  const ElfFile file(path_to_open(place));
  if (const auto* head = header_of(file)) place.address += link_base(file, *head);
  return place;
}

const char* path_to_open(const CodePlace& place) noexcept {
  return ::access(place.path, R_OK) == 0 ? place.path : "/proc/self/exe";
}

void add_function(SafeText& text, const CodePlace& place, bool is_return) noexcept {
  if (place.path == nullptr) return;
  const ElfFile file(path_to_open(place));
  const Found found = find_function(file, is_return ? place.address - 1 : place.address);
  if (found.name.empty()) return;
  add_name(text, found.name);
  text.add("+").add_address(place.address - found.start);
}

void add_code_location(SafeText& text, const void* pc, bool is_return, std::string_view line) noexcept {
  const CodePlace place = find_code(pc, is_return);
  if (place.path == nullptr) {
    text.add_address(place.address);
    return;
  }
  const std::size_t before = text.size();
  add_function(text, place, is_return);
  if (!line.empty()) text.add(text.size() != before ? " at " : "at ").add(line);
  text.add(text.size() != before ? " (" : "(").add(place.path).add(" ").add_address(place.address).add(")");
}

}  // namespace upcr
