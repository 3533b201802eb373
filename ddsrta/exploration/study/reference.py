"""The reference of study.yaml, as `python -m ddsrta.exploration.study.reference` prints it.

The tables come from the grammar that the reader uses; the explanations from reference_text.md.
"""

from __future__ import annotations

import sys
from importlib.resources import files

from ddsrta.exploration.study.grammar import FIGURES, SAMPLERS, STUDY
from ddsrta.exploration.study.shapes import AmountShape, PlaceShape, Value
from ddsrta.models.reference import describe, filled


@describe.register
def _(shape: Value) -> str:
    return "a value as the base has it"


@describe.register
def _(shape: PlaceShape) -> str:
    return "place in the base"


@describe.register
def _(shape: AmountShape) -> str:
    return "time, percentage or count"


def reference() -> str:
    """The whole page.

    >>> reference().splitlines()[0]
    '# study.yaml'
    """
    text = files("ddsrta.exploration.study").joinpath("reference_text.md").read_text("utf-8")
    for mark, known in (("<!-- samplers -->", SAMPLERS), ("<!-- figures -->", FIGURES)):
        rows = "\n".join(f"| `{name}` | {meaning} |" for name, meaning in known.items())
        text = text.replace(mark, rows)
    return filled(text, STUDY)


if __name__ == "__main__":
    sys.stdout.write(reference())
