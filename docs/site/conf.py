"""The site that `make docs` builds: the pages of the repository, and a way through them.

Pages are the Markdown that a forge shows, unchanged; their order is in NAVIGATION.
"""

from __future__ import annotations

import gc
import re
import shutil
from pathlib import Path
from typing import Any

gc.disable()  # trees of pages, which stay until the end, were a quarter of the time

# What comes first; the others follow.
HOW_TO = (
    "start",
    "read",
    "report",
    "improve",
    "explore",
    "sensitivity",
    "compare",
    "ci",
    "simulate",
)
# A page → the headings below it in the navigation → their pages, in order; * is all that match.
NAVIGATION: dict[str, dict[str, list[str]]] = {
    "README": {
        "Begin": ["docs/tutorial/two-threads", "docs/tutorial/robot", "notebooks/README"],
        "How to": [
            "docs/how-to/README",
            *(f"docs/how-to/{page}" for page in HOW_TO),
            "docs/how-to/[a-z]*",
            "harness/README",
        ],
        "Reference": ["docs/reference/system", "docs/reference/result", "docs/reference/*"],
        "What runs": ["docs/fastdds", "docs/ros2", "docs/lf", "docs/zenoh", "docs/not-modelled"],
        "Why believe it": [
            "docs/theory/README",
            "docs/soundness",
            "docs/attacks",
            "docs/lf-runs",
            "docs/refinements",
            "docs/measured",
            "docs/comparison",
        ],
        "Studies": ["casestudies/README", "docs/benchmarks"],
        "The project": ["CHANGELOG", "CONTRIBUTING"],
    },
    "docs/theory/README": {"": ["docs/theory/[0-9]*", "docs/theory/vocabulary"]},
    "casestudies/README": {"": ["casestudies/*/README"]},
}
_SESSION = re.compile(r"^```python\n(?=>>>)", re.M)
_FILE = re.compile(r"^```(\w+) (\S+)\n", re.M)

project = "ddsrta"
root_doc = "README"
extensions = ["myst_parser"]
include_patterns = [
    "*.md",
    "docs/**.md",
    "casestudies/**README.md",
    "harness/README.md",
    "notebooks/README.md",
]
exclude_patterns = [".*", "build", "cython_ext", "ddsrta", "tests", "docs/theory.md"]
html_theme = "furo"
html_title = "ddsrta"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
# Lemmas are headings of the third level, and consoles show what no lexer knows.
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
myst_heading_anchors = 6
myst_disable_syntax = ["myst_role", "myst_line_comment", "myst_block_break", "myst_target"]


def _with_navigation(_app: object, page: str, text: list[str]) -> None:
    """What the forge needs not: the pages below, names of files, and which Python is a session."""
    text[0] = _SESSION.sub("```pycon\n", text[0])
    text[0] = _FILE.sub(r"```{code-block} \1\n:caption: \2\n\n", text[0])
    for caption, below in NAVIGATION.get(page, {}).items():
        options = [":hidden:", ":glob:", *([f":caption: {caption}"] if caption else [])]
        pages = [f"/{each}" for each in below]
        text[0] += "\n".join(["", "", "```{toctree}", *options, "", *pages, "```", ""])


def _begins(app: Any, error: Exception | None) -> None:
    """The first page is where browsers look for it."""
    if error is None and app.builder.name == "html":
        shutil.copy(Path(app.outdir) / "README.html", Path(app.outdir) / "index.html")


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("source-read", _with_navigation)
    app.connect("build-finished", _begins)
