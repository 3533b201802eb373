"""Each file of invalid/ says in its first lines what is wrong with it and where."""

from __future__ import annotations

from pathlib import Path

import pytest

import ddsrta

FILES = sorted((Path(__file__).parent / "invalid").glob("*.yaml"))
EXPECT = "# expect: "


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_errors_of_a_file_are_those_it_names(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    expected = [line.removeprefix(EXPECT) for line in lines if line.startswith(EXPECT)]
    assert expected
    with pytest.raises(ddsrta.InputError) as caught:
        ddsrta.load(path)
    assert str(caught.value).replace(f"{path}:", "").splitlines() == [
        text.replace("trace '", f"trace '{path.parent}/").replace("/.'", "'") for text in expected
    ]


def test_there_are_files() -> None:
    assert len(FILES) > 100
