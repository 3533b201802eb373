"""Build the compiled modules where a C compiler is at hand; install without them where none is."""

import hashlib
import os
import runpy
import sys
from pathlib import Path

from setuptools import Extension, find_packages, setup

COMPILED = {  # and whose layout each is built for
    "ddsrta_kernel": "cython_ext/ddsrta_kernel/problem.py",
    "ddsrta_simulator": "cython_ext/ddsrta_simulator/program.py",
}
# What was compiled before may be of another layout.
os.environ["DDSRTA_KERNEL"] = os.environ["DDSRTA_SIMULATOR"] = "interpreted"
sys.path.append(str(Path(__file__).parent / "cython_ext"))


def composed(package: str) -> str:
    """Where the rooms of one stand as one module of Cython, made anew where they changed: of one
    installation this is asked three times."""
    path = Path(f"build/composed/{package}/compiled.pyx")
    rooms = [*sorted(Path("cython_ext", package).glob("*.p*")), Path("cython_ext/compose.py")]
    digest = hashlib.sha256(b"".join(room.read_bytes() for room in rooms)).hexdigest()
    made_of = path.with_name("made_of")
    if not path.exists() or not made_of.exists() or made_of.read_text() != digest:
        from compose import kernel, simulator

        text = kernel() if package == "ddsrta_kernel" else simulator()
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
        made_of.write_text(digest)
    return str(path)


def extensions() -> list[Extension]:
    """Kernel and simulator, optional: what is not compiled is interpreted."""
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    sources = [
        Extension(
            f"{package}.compiled",
            [composed(package)],
            # two numbers stored as one are slow to read one by one
            extra_compile_args=["-O3", "-g0", "-ffp-contract=off", "-fno-tree-slp-vectorize"],
            define_macros=[("DDSRTA_LAYOUT", f"{runpy.run_path(tables)['LAYOUT']}u")],
            depends=[tables],
        )
        for package, tables in COMPILED.items()
    ]
    modules = list(cythonize(sources, language_level=3, build_dir="build/cython"))
    for module in modules:
        module.optional = True
    return modules


STUDIES = "ddsrta.casestudies"  # `ddsrta reproduce` finds them there, or beside ddsrta

setup(
    ext_modules=extensions(),
    options={"build_ext": {"parallel": True}},  # one for each core
    packages=[
        *find_packages(".", include=["ddsrta", "ddsrta.*"]),
        *COMPILED,
        *(
            f"ddsrta.{name}"
            for name in find_packages(".", include=["casestudies", "casestudies.*"])
        ),
    ],
    package_dir={
        "ddsrta": "ddsrta",
        STUDIES: "casestudies",
        **{name: f"cython_ext/{name}" for name in COMPILED},
    },
    package_data={STUDIES: ["*/*.yaml", "*/federations/*.yaml", "baseband/*.json"]},
)
