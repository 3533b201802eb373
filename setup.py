"""Build the compiled modules where a C compiler is at hand; install without them where none is."""

import runpy
from pathlib import Path

from setuptools import Extension, find_packages, setup

COMPILED = {  # and whose layout each is built for
    "ddsrta_kernel": "cython_ext/ddsrta_kernel/problem.py",
    "ddsrta_simulator": "cython_ext/ddsrta_simulator/program.py",
}


def extensions() -> list[Extension]:
    """Kernel and simulator, optional: where one is not compiled its twin in Python takes over."""
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    sources = [
        Extension(
            f"{package}.compiled",
            [f"cython_ext/{package}/compiled.pyx"],
            extra_compile_args=["-O3", "-ffp-contract=off"],
            define_macros=[("DDSRTA_LAYOUT", f"{runpy.run_path(tables)['LAYOUT']}u")],
            depends=[tables],
        )
        for package, tables in COMPILED.items()
        if Path(f"cython_ext/{package}/compiled.pyx").exists()
    ]
    modules = list(cythonize(sources, language_level=3, build_dir="build/cython"))
    for module in modules:
        module.optional = True
    return modules


setup(
    ext_modules=extensions(),
    packages=[*find_packages(".", include=["ddsrta", "ddsrta.*"]), *COMPILED],
    package_dir={"ddsrta": "ddsrta", **{name: f"cython_ext/{name}" for name in COMPILED}},
)
