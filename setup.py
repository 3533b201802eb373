"""Build the compiled modules where a C compiler is at hand; install without them where none is."""

from pathlib import Path

from setuptools import Extension, find_packages, setup

COMPILED = ("ddsrta_kernel", "ddsrta_simulator")


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
        )
        for package in COMPILED
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
