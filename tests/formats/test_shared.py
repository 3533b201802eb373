"""Files as they are found in the wild: imported, or refused with a reason that helps."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path

import pytest

from ddsrta.base.diagnostics import InputError
from ddsrta.bounds.analyze import analyze
from ddsrta.formats.yaml_writer import write

from . import drafted

_SHARED = Path(os.environ.get("DDSRTA_SHARED") or Path(__file__).resolve().parents[3] / "shared")
FOLDERS = {
    "caret": ("caret", "*.yaml"),
    "irobot_topologies": ("irobot", "*.json"),
    "fastdds": ("fastdds_xml", "*.xml"),
}
FILES = [
    (path, module)
    for folder, (module, pattern) in FOLDERS.items()
    for path in sorted((_SHARED / "data" / folder).glob(pattern))
]
REASONS = (
    "nothing here changes timing",
    "nothing here has a place",
    "<DS> is no file of Fast DDS profiles",
    "this is a performance target, not a topology; import the topology that it names",
)
ABSENT = "the files are not at hand: set DDSRTA_SHARED to the folder that holds data/caret"

pytestmark = pytest.mark.skipif(not FILES, reason=ABSENT)


@pytest.mark.parametrize(("path", "module"), FILES, ids=lambda value: getattr(value, "stem", None))
def test_files_in_the_wild(path: Path, module: str) -> None:
    try:
        draft = import_module(f"ddsrta.formats.{module}").read([str(path)])
    except InputError as error:
        (diagnostic,) = (one for one in error.diagnostics if one.position is not None)
        assert any(reason in str(diagnostic) for reason in REASONS)
        return
    text = write(draft)
    data = drafted.read(text)
    assert data["ddsrta"] == "1"
    assert data.get("callbacks") or data.get("threads") or module == "fastdds_xml"
    assert text.count("guessed: ") >= len(draft.guesses()) > 0
    result = analyze(
        drafted.system_of(text)
    )  # the numbers are placeholders: overload is no defect of the draft
    assert result.verdict in ("met", "missed", "unbounded")


@pytest.mark.parametrize(("path", "module"), FILES, ids=lambda value: getattr(value, "stem", None))
def test_halves_of_files_in_the_wild(path: Path, module: str, tmp_path: Path) -> None:
    text = path.read_bytes()
    half = tmp_path / path.name
    half.write_bytes(text[: len(text) * 2 // 3])
    try:
        write(import_module(f"ddsrta.formats.{module}").read([str(half)]))
    except InputError as error:
        assert all(diagnostic.position is not None for diagnostic in error.diagnostics)
    else:
        assert module == "caret", "half a YAML file may be one, half an XML or JSON file is none"


def test_all_kinds_are_at_hand() -> None:
    assert {module for _, module in FILES} == {module for module, _ in FOLDERS.values()}
