"""The wheel builds, holds what it must, and works: also where no compiler is at hand."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tests.docs.console import ROOT

SITE = sysconfig.get_paths()["purelib"]
PARTS = (
    "ddsrta",
    "cython_ext",
    "casestudies",
    "pyproject.toml",
    "setup.py",
    "README.md",
    "LICENSE",
    "MANIFEST.in",
)
MADE = ("build/composed", "build/cython")  # by Cython


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources, without what an earlier build left behind beside them. Both wheels
    are built there, and from what Cython made of the same sources before, where it did: that does
    not depend on the compiler, and is made anew where a source is newer."""
    pytest.importorskip("Cython", reason="Cython is not installed")
    place = tmp_path_factory.mktemp("wheel") / "sources"
    ignored = shutil.ignore_patterns("*.so", "*.c", "__pycache__")
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, place / part, ignore=ignored)
        else:
            place.mkdir(exist_ok=True)
            shutil.copy(ROOT / part, place / part)
    for part in MADE:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, place / part)
    return place


def _wheel(sources: Path, folder: Path, compiler: str) -> Path:
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    done = subprocess.run(
        [*command, "--wheel-dir", str(folder), "."],
        cwd=sources,
        env={**os.environ, "CC": compiler},
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel


def _analysis(wheel: Path, folder: Path) -> str:
    """What the unpacked wheel says of a case study, and which kernel it used."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "unpacked")
    study = ROOT / "casestudies" / "three_topics" / "conf1_safe.yaml"
    script = (
        "import ddsrta, ddsrta_kernel, ddsrta_simulator;"
        f"result = ddsrta.analyze(ddsrta.load({str(study)!r}));"
        "assert ddsrta_kernel.COMPILED == ddsrta_simulator.COMPILED;"
        "print(ddsrta_kernel.COMPILED, ddsrta.__file__, result.messages[0].ddl)"
    )
    done = subprocess.run(
        # Without `site`, an editable installation of these sources does not get in the way.
        [sys.executable, "-S", "-c", script],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder / "unpacked"), SITE])},
        capture_output=True,
        text=True,
        timeout=1800,
        check=True,
    )
    compiled, file, bound = done.stdout.split(" ", 2)
    assert Path(file).is_relative_to(folder)
    assert bound.strip() == "1.285999 ms"
    return compiled


def test_without_a_compiler_the_kernel_is_interpreted(sources: Path, tmp_path: Path) -> None:
    wheel = _wheel(sources, tmp_path, "false")
    assert not any(name.endswith(".so") for name in zipfile.ZipFile(wheel).namelist())
    assert _analysis(wheel, tmp_path) == "False"


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler is at hand")
def test_wheel_has_the_compiled_kernel(sources: Path, tmp_path: Path) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text(f'#!/bin/sh\nexec {shutil.which("cc")} "$@" -O0 -g0\n')  # soon over
    compiler.chmod(0o755)
    wheel = _wheel(sources, tmp_path, str(compiler))
    names = zipfile.ZipFile(wheel).namelist()
    for package in ("ddsrta_kernel", "ddsrta_simulator"):
        assert any(
            name.startswith(f"{package}/compiled.") and name.endswith(".so") for name in names
        )
        assert f"{package}/py.typed" in names
    assert "ddsrta/py.typed" in names
    assert any(name.endswith("LICENSE") for name in names)
    assert not any(name.startswith(("tests", "casestudies")) for name in names)
    assert _analysis(wheel, tmp_path) == "True"
    done = subprocess.run(
        [sys.executable, "-S", "-m", "ddsrta", "reproduce", "three-topics", "soyer-scenarios"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "unpacked"), SITE])},
        capture_output=True,
        text=True,
        timeout=1800,
        check=True,
    )
    assert "5446.000" in done.stdout
