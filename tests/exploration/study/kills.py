"""Kills a stored study at instants by chance, goes on with it, and compares its end.

`python -m tests.exploration.study.kills 100` prints how many ended otherwise. The instants are
spread over what the study takes undisturbed; a study may be killed several times before it ends.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.docs.console import ROOT
from tests.exploration.study.cases import BOTH, ORDER, TEXT

STUDY = {
    "study": 1,
    "base": "three.yaml",
    "parameters": {"order": ORDER, "cores": {"kind": "cores"}},
    "objectives": BOTH,
    "sampler": {"kind": "local", "batch": 4, "seed": 1, "candidates": 300},
}
CALL = [sys.executable, "-m", "ddsrta", "explore", "study.yaml", "--format", "json"]


def prepared(folder: Path) -> dict[str, Any]:
    """The files of the study in a folder, and how commands run there."""
    (folder / "three.yaml").write_text(TEXT)
    (folder / "study.yaml").write_text(json.dumps(STUDY))
    path = os.pathsep.join([str(ROOT), str(ROOT / "cython_ext")])
    return {"cwd": folder, "env": {**os.environ, "PYTHONPATH": path}}


def main(count: int) -> int:
    chance = random.Random(0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        options = prepared(folder)
        begin = time.monotonic()
        whole = subprocess.run(CALL, check=True, capture_output=True, **options).stdout
        lasts = time.monotonic() - begin
        kills = others = studies = batches = 0
        while kills < count:
            call = [*CALL, "--store", f"kept{studies}", "--resume"]
            while kills < count:
                process = subprocess.Popen(call, stdout=subprocess.DEVNULL, **options)
                time.sleep(chance.random() * lasts)
                if process.poll() is not None:
                    break
                process.send_signal(signal.SIGKILL)
                kills += process.wait() == -signal.SIGKILL
            batches += len(list((folder / f"kept{studies}").glob("*.parquet")))
            others += (
                subprocess.run(call, check=True, capture_output=True, **options).stdout != whole
            )
            studies += 1
    print(f"{kills} kills of {studies} studies, {batches} batches kept; {others} ended otherwise")
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
