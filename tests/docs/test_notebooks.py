"""Every notebook runs from top to bottom, and shows pictures where it promises them."""

from __future__ import annotations

import gc
import os
import warnings
from pathlib import Path

import pytest

from tests.docs.console import ROOT

nbformat = pytest.importorskip("nbformat", reason="the notebook extra is not installed")
nbclient = pytest.importorskip("nbclient", reason="the notebook extra is not installed")
pytest.importorskip("matplotlib", reason="the notebook extra is not installed")


# As in a kernel that has just started, but for modules that are not ddsrta's.
ANEW = """\
import os, sys
os.chdir({folder!r})
for name in [name for name in sys.modules if name.partition(".")[0] == "ddsrta"]:
    del sys.modules[name]
%reset -f"""


@pytest.fixture(scope="module")
def kernel():
    """One for all: most of what a small notebook takes is the start of its kernel."""
    from jupyter_client import KernelManager

    manager = KernelManager(kernel_name="python3")
    path = os.pathsep.join([str(ROOT), str(ROOT / "cython_ext")])
    manager.start_kernel(env={**os.environ, "PYTHONPATH": path})
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=600)
    yield {"km": manager, "kc": client}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of sockets that the client forgets
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        gc.collect()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_the_notebook_runs(path: Path, kernel) -> None:
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(ANEW.format(folder=str(path.parent))))
    nbclient.NotebookClient(notebook, **kernel, timeout=600).execute()
    shown = [data for cell in notebook.cells for data in _data(cell)]
    assert any({"image/png", "image/svg+xml"} & data.keys() for data in shown)
    assert any("text/html" in data for data in shown) or path.stem == "federation"


def _data(cell):
    return [output.get("data", {}) for output in cell.get("outputs", [])]
