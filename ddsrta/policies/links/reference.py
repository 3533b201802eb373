"""The reference of kinds of links, as `python -m ddsrta.policies.links.reference` prints it: what
each file of a kind says."""

from __future__ import annotations

import sys

from ddsrta.policies.links import LINKS
from ddsrta.policies.links.kind import LinkKind

_HEAD = """# Kinds of shared links

<!-- Written by `python -m ddsrta.policies.links.reference`; change the file of the kind. -->

A link that several messages share sends one frame at a time, the most urgent that waits first:
lemma [`shared-link`](../theory/19b-shared-links.md#lemma-shared-link). Each copy of a message is
sent by itself. A `delay` of the `network` beside the `link` comes after it.
"""


def reference() -> str:
    """The whole page.

    >>> reference().splitlines()[0]
    '# Kinds of shared links'
    """
    return _HEAD + "".join(map(_section, LINKS.values()))


def _section(kind: LinkKind) -> str:
    said = (sys.modules[type(kind).__module__].__doc__ or "").strip().removeprefix(f"{kind.name}: ")
    told = kind.priority_key
    known = {kind.priority: told, **kind.keys}
    keys = [f"- `{name}`: {key.meaning}" for name, key in known.items()]
    lines = "".join(f"{line}\n" for line in keys)
    taken = f"Taken for granted: {kind.assumption}."
    return f"\n## {kind.name}\n\n{said[0].upper()}{said[1:]}\n\n{taken}\n\n{lines}"


if __name__ == "__main__":
    sys.stdout.write(reference())
