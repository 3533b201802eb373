"""Build the compiled kernel where a C compiler is at hand; install without it where none is."""

from pathlib import Path

from setuptools import Extension, find_packages, setup

KERNEL = Path("cython_ext/ddsrta_kernel/compiled.pyx")


def extensions() -> list[Extension]:
    """The kernel, optional: a failed compilation leaves the plain-Python twin in charge."""
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    kernel = Extension(
        "ddsrta_kernel.compiled",
        [str(KERNEL)],
        extra_compile_args=["-O3", "-ffp-contract=off"],
    )
    modules = list(cythonize([kernel], language_level=3, build_dir="build/cython"))
    for module in modules:
        module.optional = True
    return modules


setup(
    ext_modules=extensions(),
    packages=[*find_packages(".", include=["ddsrta", "ddsrta.*"]), "ddsrta_kernel"],
    package_dir={"ddsrta": "ddsrta", "ddsrta_kernel": "cython_ext/ddsrta_kernel"},
)
