"""The reference of federation documents, as `python -m ddsrta.lf.program.reference` prints it.

The tables come from the grammar that the reader uses; the explanations from reference_text.md.
"""

from __future__ import annotations

import sys
from importlib.resources import files

from ddsrta.lf.program.grammar import FEDERATION
from ddsrta.models.reference import filled


def reference() -> str:
    """The whole page.

    >>> reference().splitlines()[0]
    '# federation.yaml'
    """
    return filled(
        files("ddsrta.lf.program").joinpath("reference_text.md").read_text("utf-8"), FEDERATION
    )


if __name__ == "__main__":
    sys.stdout.write(reference())
