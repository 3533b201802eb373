"""The reference of the policies, as `python -m ddsrta.policies.reference` prints it: what each file
of a policy says, and why its bound holds."""

from __future__ import annotations

import sys

from ddsrta.policies import POLICIES
from ddsrta.policies.policy import Policy

_HEAD = """# Policies of flow controllers

<!-- Written by `python -m ddsrta.policies.reference`; change the file of the policy. -->

A policy orders the samples that wait in a flow controller. z is a sample in question, k another
writer, η_k(Δ) the most samples of it in a window of length Δ, R_k their response time.
"""


def reference() -> str:
    """The whole page.

    >>> reference().splitlines()[0]
    '# Policies of flow controllers'
    """
    return _HEAD + "".join(map(_section, POLICIES.values()))


def _section(policy: Policy) -> str:
    keys = [
        f"- `{name}` of a {thing}: {key.meaning}"
        + (" (needed)" if key.required else f" ({key.default} if it is not given)")
        for thing, known in (("topic", policy.topic_keys), ("publication", policy.publication_keys))
        for name, key in known.items()
    ]
    notes = {
        "Fast DDS has it": policy.of_fast_dds,
        "looks at the priorities of topics": policy.by_priority,
        "knows reservations of a limit": policy.reserves,
        "known to the published analysis": policy.published,
    }
    known = ", ".join(text for text, holds in notes.items() if holds) or "Fast DDS does not have it"
    said = (sys.modules[type(policy).__module__].__doc__ or "").strip()
    said = said.removeprefix(f"{policy.name}: ")
    lines = "".join(f"{line}\n" for line in (*keys, f"- {known}"))
    return f"\n## {policy.name}\n\n{said[0].upper()}{said[1:]}\n\n{lines}"


if __name__ == "__main__":
    sys.stdout.write(reference())
