# SPDX-License-Identifier: BSD-3-Clause
"""upcr for Spack: in a repository of your own (`spack repo create`), as packages/upcr/package.py, with the address of the
repository as `git`. `spack install upcr +mpi ^openmpi`.

The variants mpi, ibv, ofi and pmix say what upcr depends on. It uses every network library that pkg-config finds."""
try:
    from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
except ImportError:  # before Spack 1.0
    from spack.package import CMakePackage, generator
from spack.package import conflicts, depends_on, license, variant, version


class Upcr(CMakePackage):
    """UPC compiler and runtime: the Berkeley UPC Runtime interface over shared memory, InfiniBand, libfabric and MPI,
    chosen when a program starts; GASNet-1's interface."""

    homepage = "https://example.org/upcr"
    git = "https://example.org/upcr.git"
    license("BSD-3-Clause")

    version("main", branch="main")
    version("0.1.0", tag="v0.1.0")

    variant("mpi", default=True, description="conduit mpi")
    variant("ibv", default=True, description="conduit ibv: InfiniBand, RoCE, iWARP")
    variant("ofi", default=True, description="conduit ofi: libfabric")
    variant("pmix", default=True, description="join jobs of srun --mpi=pmix without MPI")
    variant("gasnet", default=True, description="GASNet-1's interface")
    variant("gupc", default=True, description="link objects of GCC-UPC and Clang-UPC")
    variant("mupc", default=True, description="MuPC's interface")
    variant("static", default=False, description="static libraries, with the conduits linked in")
    variant("pointers", default="packed", values=("packed", "struct"), multi=False,
            description="pointers-to-shared of 8 or 16 bytes")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cli11", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("mpi", when="+mpi")
    depends_on("rdma-core", when="+ibv")
    depends_on("hwloc")
    depends_on("libfabric@1.11:", when="+ofi")
    depends_on("pmix", when="+pmix")

    conflicts("gasnet", when="+gasnet", msg="both install gasnet.h: ~gasnet leaves upcr's out of a common view")
    conflicts("%gcc@:11", msg="C++20 of gcc 12 is needed")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("UPCR_BUILD_TESTS", False),
            self.define("UPCR_BUILD_BENCH", True),
            self.define_from_variant("UPCR_GASNET", "gasnet"),
            self.define_from_variant("UPCR_GUPC", "gupc"),
            self.define_from_variant("UPCR_MUPC", "mupc"),
            self.define_from_variant("UPCR_STATIC", "static"),
            self.define_from_variant("UPCR_POINTER_LAYOUT", "pointers"),
        ]
