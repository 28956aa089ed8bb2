// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/base/program.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "include/upcr/types.h"
#include "tools/upcrun/base/failure.hpp"

namespace upcrun {
namespace {

constexpr int kNotFound = 127, kNotExecutable = 126;

// The errno that says why the file cannot be run, or 0.
int executable_error(const std::string& path) {
  struct stat st;
  if (::stat(path.c_str(), &st) != 0) return errno;
  if (S_ISDIR(st.st_mode)) return EISDIR;
  return ::access(path.c_str(), X_OK) == 0 ? 0 : errno;
}

std::string search_path(const std::string& name, bool here) {
  std::string denied;
  if (here && executable_error("./" + name) == 0) return "./" + name;
  for (const std::string& folder : path_folders()) {
    std::string path = folder + "/" + name;
    const int error = executable_error(path);
    if (error == 0) return path;
    if (error == EACCES && denied.empty()) denied = path;
  }
  if (!denied.empty()) throw Failure{kNotExecutable, "cannot run '" + denied + "': " + std::strerror(EACCES)};
  const bool there = here && executable_error("./" + name) == EACCES;
  if (there)
    throw Failure{kNotExecutable, "cannot run './" + name + "': " + std::strerror(EACCES) + " (chmod +x)"};
  throw Failure{kNotFound,
                "'" + name + "' is " + (here ? "neither in the current folder nor" : "not") + " in PATH"};
}

// The contents of an ELF file; empty when the file is no ELF file or cannot be read.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0) return;
    if (::fstat(fd, &st) == 0 && st.st_size > SELFMAG) {
      size_ = static_cast<std::size_t>(st.st_size);
      map_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    ::close(fd);
  }
  ~ElfFile() {
    if (map_ != MAP_FAILED) ::munmap(map_, size_);
  }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  std::string_view bytes() const {
    if (map_ == MAP_FAILED) return {};
    const std::string_view file(static_cast<const char*>(map_), size_);
    return file.substr(0, SELFMAG) == ELFMAG ? file : std::string_view();
  }

 private:
  void* map_ = MAP_FAILED;
  std::size_t size_ = 0;
};

}  // namespace

std::vector<std::string> path_folders() {
  const char* variable = ::secure_getenv("PATH");
  std::string_view rest = variable != nullptr ? variable : "/bin:/usr/bin";
  std::vector<std::string> folders;
  for (;;) {
    const std::size_t colon = rest.find(':');
    const std::string_view folder = rest.substr(0, colon);
    folders.emplace_back(folder.empty() ? "." : folder);
    if (colon == std::string_view::npos) return folders;
    rest.remove_prefix(colon + 1);
  }
}

std::string find_program(const std::string& name, bool here) {
  if (name.empty()) throw Failure{kNotFound, "the program's name is empty; use `upcrun -n N PROGRAM`"};
  if (name.find('/') == std::string::npos) return search_path(name, here);
  const int error = executable_error(name);
  if (error == 0) return name;
  std::string message = "cannot run '" + name + "': " + std::strerror(error);
  if (error == EACCES) message += " (is it executable? chmod +x)";
  throw Failure{error == ENOENT || error == ENOTDIR ? kNotFound : kNotExecutable, message};
}

bool is_in_path(const std::string& name) {
  const std::vector<std::string> folders = path_folders();
  return std::any_of(folders.begin(), folders.end(), [&name](const std::string& folder) {
    return executable_error(folder + "/" + name) == 0;
  });
}

unsigned default_pthreads(const std::string& path) {
  constexpr std::string_view kIdent = "$UPCRDefaultPthreads: ";
  const ElfFile elf(path);
  const std::string_view file = elf.bytes();
  for (std::size_t at = file.find(kIdent); at != std::string_view::npos; at = file.find(kIdent, at + 1)) {
    const std::string digits(file.substr(at + kIdent.size(), 12));
    char* end = nullptr;
    const unsigned long value = std::strtoul(digits.c_str(), &end, 10);
    if (std::strncmp(end, " $", 2) == 0 && value >= 1 && value <= UPCR_MAX_PTHREADS)
      return static_cast<unsigned>(value);
  }
  return 0;
}

unsigned static_threads(const std::string& path) {
  const ElfFile elf(path);
  const std::string_view file = elf.bytes();
  // The number behind `mark`, in the string that begins with `ident` and ends with a dollar sign.
  const auto number = [file](std::string_view ident, std::string_view mark) {
    for (std::size_t at = file.find(ident); at != file.npos; at = file.find(ident, at + 1)) {
      const std::string_view text = file.substr(at, file.substr(at + 1, 4096).find('$') + 1);
      const std::size_t digits = text.find(mark);
      if (digits == text.npos) continue;
      const unsigned long value =
          std::strtoul(std::string(text.substr(digits + mark.size(), 12)).c_str(), nullptr, 10);
      if (value >= 1 && value <= UPCR_MAX_THREADS) return static_cast<unsigned>(value);
    }
    return 0u;
  };
  const unsigned own = number("$UPCRStaticThreads: ", "Threads: ");
  return own != 0 ? own : number("$GCCUPCConfig: ", "staticthreads=");
}

GasnetMode gasnet_mode(const std::string& path) {
  const ElfFile elf(path);
  const auto has = [&elf](std::string_view ident) {
    return elf.bytes().find(ident) != std::string_view::npos;
  };
  if (has("$GASNetThreadModel: GASNET_PAR $") || has("$GASNetThreadModel: GASNET_PARSYNC $"))
    return GasnetMode::kThreads;
  if (has("$GASNetThreadModel: GASNET_SEQ $")) return GasnetMode::kSeq;
  return has("libupcr") ? GasnetMode::kNone : GasnetMode::kUnknown;
}

std::vector<std::string> identifications(const std::string& path) {
  constexpr std::size_t kLongest = 4096;
  const ElfFile elf(path);
  const std::string_view file = elf.bytes();
  std::vector<std::string> found;
  for (const std::string_view start : {"$UPCR", "$GASNet"})
    for (std::size_t at = file.find(start); at != file.npos; at = file.find(start, at + 1)) {
      const std::size_t length = file.substr(at + 1, kLongest).find('$');
      if (length == file.npos) continue;
      const std::string text(file.substr(at, length + 2));
      const bool whole = text.ends_with(" $") && text.find(": ") != text.npos && text.find('\0') == text.npos;
      if (whole && std::find(found.begin(), found.end(), text) == found.end()) found.push_back(text);
    }
  return found;
}

std::vector<std::string> needed_libraries(const std::string& path) {
  const ElfFile elf(path);
  const std::string_view file = elf.bytes();
  // Reading beyond the end of the file fails: a truncated file has no libraries.
  const auto read = [&file]<typename T>(std::uint64_t at, T* out) {
    const bool inside = at <= file.size() && file.size() - at >= sizeof *out;
    if (inside) std::memcpy(out, file.data() + at, sizeof *out);
    return inside;
  };
  Elf64_Ehdr header{};
  if (!read(0, &header) || header.e_ident[EI_CLASS] != ELFCLASS64) return {};
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  for (unsigned i = 0; i < header.e_phnum; ++i)
    if (!read(header.e_phoff + i * sizeof(Elf64_Phdr), &segments[i])) return {};
  const auto file_offset = [&segments](std::uint64_t address) {
    for (const Elf64_Phdr& segment : segments)
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
          address - segment.p_vaddr < segment.p_filesz)
        return segment.p_offset + (address - segment.p_vaddr);
    return std::uint64_t{0};
  };
  std::vector<std::uint64_t> names;  // offsets in the string table
  std::uint64_t strings = 0;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_DYNAMIC) continue;
    Elf64_Dyn entry{};
    for (std::uint64_t at = segment.p_offset; read(at, &entry) && entry.d_tag != DT_NULL;
         at += sizeof entry) {
      if (entry.d_tag == DT_NEEDED) names.push_back(entry.d_un.d_val);
      if (entry.d_tag == DT_STRTAB) strings = file_offset(entry.d_un.d_ptr);
    }
  }
  std::vector<std::string> libraries;
  for (const std::uint64_t name : names) {
    const std::uint64_t at = strings + name;
    if (strings == 0 || at >= file.size()) continue;
    libraries.emplace_back(file.substr(at, file.find('\0', at) - at));
  }
  return libraries;
}

}  // namespace upcrun
