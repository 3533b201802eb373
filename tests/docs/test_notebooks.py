"""Every notebook runs from top to bottom, and shows pictures where it promises them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.docs.console import ROOT

nbformat = pytest.importorskip("nbformat", reason="the notebook extra is not installed")
nbclient = pytest.importorskip("nbclient", reason="the notebook extra is not installed")
pytest.importorskip("matplotlib", reason="the notebook extra is not installed")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_the_notebook_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "cython_ext")]))
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(
        notebook,
        timeout=600,
        startup_timeout=600,
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    shown = [data for cell in notebook.cells for data in _data(cell)]
    assert any("image/png" in data for data in shown)
    assert any("text/html" in data for data in shown)


def _data(cell):
    return [output.get("data", {}) for output in cell.get("outputs", [])]
