// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/bootstrap/launcher/mpi_library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <cstring>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/bootstrap/launcher/mpi_names.hpp"

namespace upcr {
namespace {

constexpr ConfigVar kVars[] = {
    {"UPCR_MPI_LIBRARY", ConfigType::kChoice, "auto",
     "MPI library of conduit mpi; auto: the program's, else the launcher's, else the one that is installed",
     "auto|openmpi|mpich"},
};
const ConfigTable table("mpi", kVars);

struct Found {
  MpiLibrary library = MpiLibrary::kNone;
  std::string file;
};

Found find_loaded() {
  Found found;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        const MpiLibrary library = mpi_library_of_file(info->dlpi_name);
        if (library == MpiLibrary::kNone) return 0;
        *static_cast<Found*>(out) = {library, info->dlpi_name};
        return 1;
      },
      &found);
  return found;
}

bool set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

std::string start_with(MpiLibrary library) {
  return std::string(mpi_library_name(library)) + "'s mpirun (" +
         (library == MpiLibrary::kOpenMpi ? "mpirun.openmpi" : "mpirun.mpich") + " where both are installed)";
}

MpiLibrary configured_library() {
  const std::string value = config_string("UPCR_MPI_LIBRARY");
  return value == "openmpi" ? MpiLibrary::kOpenMpi
         : value == "mpich" ? MpiLibrary::kMpich
                            : MpiLibrary::kNone;
}

// How to get the library's module where it was not built.
std::string cure(const ModuleKind& kind, MpiLibrary library) {
  const bool open = library == MpiLibrary::kOpenMpi;
  const MpiLibrary other = open ? MpiLibrary::kMpich : MpiLibrary::kOpenMpi;
  const std::string name = mpi_library_name(library);
  std::string text = "; this upcr was built without " + name + ": install " + name +
                     " for developers (Debian: " + (open ? "libopenmpi-dev" : "libmpich-dev") +
                     ") and build upcr again, where it is in a folder of its own with cmake "
                     "-DCMAKE_PREFIX_PATH=FOLDER or PKG_CONFIG_PATH=FOLDER/lib/pkgconfig";
  if (loaded_mpi() == MpiLibrary::kNone && module_file_exists(kind, mpi_module_file(other)))
    text += "; or use " + std::string(mpi_library_name(other)) +
            ", for which there is a module: start the job with " + start_with(other);
  return text;
}

}  // namespace

const char* mpi_module_file(MpiLibrary library) {
  return library == MpiLibrary::kOpenMpi ? "mpi_openmpi" : "mpi_mpich";
}

MpiLibrary loaded_mpi() { return find_loaded().library; }

MpiLibrary launcher_mpi() {
  if (set("OMPI_COMM_WORLD_SIZE")) return MpiLibrary::kOpenMpi;
  // Hydra's own: srun offers PMI_RANK and PMI_SIZE too, to either library.
  if (set("PMI_SIZE") && (set("HYDI_CONTROL_FD") || set("MPI_LOCALNRANKS"))) return MpiLibrary::kMpich;
  return MpiLibrary::kNone;
}

bool mpi_is_initialized() {
  const Found found = find_loaded();
  if (found.library == MpiLibrary::kNone) return false;
  void* handle = dlopen(found.file.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (handle == nullptr) return false;
  const auto query = [&](const char* name) {
    const auto function = reinterpret_cast<int (*)(int*)>(dlsym(handle, name));
    int value = 0;
    return function != nullptr && function(&value) == 0 && value != 0;
  };
  const bool running = query("MPI_Initialized") && !query("MPI_Finalized");
  dlclose(handle);
  return running;
}

MpiChoice choose_mpi(MpiLibrary requested, MpiLibrary loaded, MpiLibrary launcher, MpiLibrary likely) {
  constexpr MpiLibrary kNone = MpiLibrary::kNone;
  const auto differ = [](MpiLibrary a, MpiLibrary b) { return a != kNone && b != kNone && a != b; };
  if (differ(loaded, launcher))
    return {kNone, std::string("the program is linked with ") + mpi_library_name(loaded) + ", but " +
                       mpi_library_name(launcher) + "'s mpirun started it; start it with " +
                       start_with(loaded) + ", or link it with " + mpi_library_name(launcher)};
  if (differ(requested, loaded))
    return {kNone, std::string("UPCR_MPI_LIBRARY asks for ") + mpi_library_name(requested) +
                       ", but the program is linked with " + mpi_library_name(loaded) +
                       "; unset UPCR_MPI_LIBRARY, or link the program with " + mpi_library_name(requested)};
  if (differ(requested, launcher))
    return {kNone, std::string("UPCR_MPI_LIBRARY asks for ") + mpi_library_name(requested) + ", but " +
                       mpi_library_name(launcher) + "'s mpirun started the program; start it with " +
                       start_with(requested) + ", or unset UPCR_MPI_LIBRARY"};
  const MpiLibrary sure = requested != kNone ? requested : loaded != kNone ? loaded : launcher;
  return {sure != kNone ? sure : likely, {}};
}

LoadedModule load_mpi_module(const ModuleKind& kind) {
  // Open MPI joins a job by PMIx, MPICH by PMI (srun --mpi=pmi2).
  const bool pmi_alone = set("PMI_FD") && !set("PMIX_NAMESPACE");
  const MpiChoice choice = choose_mpi(configured_library(), loaded_mpi(), launcher_mpi(),
                                      pmi_alone ? MpiLibrary::kMpich : MpiLibrary::kNone);
  if (!choice.why_not.empty()) return {nullptr, choice.why_not};
  // UCX, below either library, would catch SIGSEGV and its like as soon as it is loaded; the runtime's report
  // names the UPC thread. Where MPI is the program's own, it may want that; in a static libupcr it is upcr's.
  if (loaded_mpi() == MpiLibrary::kNone || linked_modules() != nullptr)
    setenv("UCX_HANDLE_ERRORS", "none", 0);
  if (choice.library != MpiLibrary::kNone) {
    LoadedModule module = load_module(kind, mpi_module_file(choice.library), "mpi");
    if (!module.there && linked_modules() == nullptr) module.where += cure(kind, choice.library);
    return module;
  }
  // Nothing decides: the first one that can be used. If none can, the reason is that of the installed one, or
  // of both.
  LoadedModule first = load_module(kind, mpi_module_file(MpiLibrary::kOpenMpi), "mpi");
  if (first.object != nullptr) return first;
  LoadedModule second = load_module(kind, mpi_module_file(MpiLibrary::kMpich), "mpi");
  if (second.object != nullptr || (second.there && !first.there)) return second;
  if (second.there == first.there) first.where += "; " + second.where;
  return first;
}

}  // namespace upcr
