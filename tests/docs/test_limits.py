"""Limits that the docs tell are those of the code: a page, what it says, and the constants."""

from __future__ import annotations

import re

import pytest

from ddsrta.base.shapes import LONGEST_NAME
from ddsrta.base.units import LARGEST_SIZE, LONGEST_DURATION
from ddsrta.bounds.compile import MOST_IN_ORDER
from ddsrta.bounds.effects import successors
from ddsrta.bounds.fair_shares import gaps as shares
from ddsrta.bounds.fair_shares import windows as fair
from ddsrta.bounds.from_below import rising as below
from ddsrta.bounds.from_below.parts import CROWD
from ddsrta.bounds.joined_work.coupling import MOST_WORK
from ddsrta.bounds.joint_outputs import windows as joint
from ddsrta.bounds.paths.numbers import MOST_WAYS
from ddsrta.bounds.sharing_window import ceilings as sharing
from ddsrta.bounds.solve import FEW_STEPS, MOST_CLOSED, MOST_CROWDED
from ddsrta.bounds.streams import MANY_STREAMS
from ddsrta.checker.windows import FEW
from ddsrta.cli import lf_enclaves, report
from ddsrta.cli.diff import SECONDS
from ddsrta.exploration import farthest, sensitivity
from ddsrta.exploration.difference.attribution import MOST_CHANGES
from ddsrta.exploration.exact.certificate import LISTED
from ddsrta.exploration.exact.explore import STATES
from ddsrta.exploration.improve import search
from ddsrta.exploration.study.samplers import MOST_OF_A_GRID
from ddsrta.lf.bounds.logical_time.activation import MOST_MOMENTS
from ddsrta.lf.bounds.offsets import tradeoff, whatif
from ddsrta.lf.bounds.schedulers import linux, windows
from ddsrta.models.bandwidth import HEADERS
from ddsrta.models.fastdds import DATAGRAM, FRAGMENT
from ddsrta.simulation.plan import MOST_EVENTS
from ddsrta_kernel import problem as kernel
from tests.docs.console import ROOT

DAY = 86_400 * 10**9
WORDS = {4: "four", 6: "six", 8: "eight", 12: "twelve", 10: "tenth", 1000: "thousand"}
TOLD: list[tuple[str, str, tuple[int, ...]]] = [
    ("how-to/compare.md", "{} for {}:", (1 << MOST_CHANGES, MOST_CHANGES)),
    ("how-to/explore.md", "Up to {} points are all tried", (MOST_OF_A_GRID,)),
    ("how-to/improve.md", "the {} best go on", (search.WIDTH,)),
    ("how-to/improve.md", "with one change more, up to {},", (search.DEPTH,)),
    ("how-to/report.md", "more than {} threads", (report.MOST_ATTACKED,)),
    ("how-to/sensitivity.md", "{} values on the way", (sensitivity.BETWEEN,)),
    ("how-to/sensitivity.md", "one factor for all costs at once, in {}ths", (sensitivity.PARTS,)),
    ("how-to/sensitivity.md", "`any`: a {} times as much", (sensitivity.FARTHEST,)),
    ("how-to/sensitivity.md", "and doubles, up to {} times", (1 << farthest.FAR,)),
    ("how-to/sensitivity.md", "a value at most a {} further", (farthest.COARSE,)),
    ("how-to/simulate.md", "more than {} situations", (STATES,)),
    ("how-to/simulate.md", "stops at {} events", (MOST_EVENTS,)),
    ("reference/system.md", "at most {} printing characters", (LONGEST_NAME,)),
    ("reference/system.md", "above {} days (2⁵³ ns) or {} PiB", (LONGEST_DURATION // DAY, LARGEST_SIZE >> 50)),
    ("reference/study.md", "`grid` up to {} points", (MOST_OF_A_GRID,)),
    ("fastdds.md", "leave together, up to {} bytes", (DATAGRAM,)),
    ("fastdds.md", "up to {} bytes beside its payload", (HEADERS,)),
    ("lf.md", "worked out anew with it, up to {} times", (whatif._MOST_ROUNDS,)),
    ("lf.md", "at most {} points", (tradeoff._MOST_POINTS,)),
    ("lf.md", "up to `--budget` partitions ({})", (lf_enclaves.BUDGET,)),
    ("theory/02-curves.md", "more than {} streams", (MANY_STREAMS,)),
    ("theory/03b-window-lemmas.md", "after {} steps", (kernel.MOST_STEPS,)),
    ("theory/03e-skipped-units.md", "behind {} units it passes over an eighth", (FEW,)),
    ("theory/03g-fair-share.md", "up to {} of them", (shares.MOST_THREADS,)),
    ("theory/03g-fair-share.md", "less than a {}th of all weights", (shares.MOST_APART,)),
    ("theory/03g-fair-share.md", "up to {} stages, windows with up to {} units", (MOST_CLOSED, fair.MOST_UNITS)),
    ("theory/06-joined-work.md", "more than {}, nothing there is joined", (MOST_WORK,)),
    ("theory/06-joined-work.md", "after {} steps, those of more than {} roots or units after {},", (kernel.MOST_STEPS, kernel.WIDE, kernel.WIDE_STEPS)),
    ("theory/07-in-step.md", "no more than {} ranges", (successors.MOST_RANGES,)),
    ("theory/07-in-step.md", "the first {} effects", (successors.MOST_EFFECTS,)),
    ("theory/10c-last-tokens.md", "no more than {} to one AND", (MOST_WAYS,)),
    ("theory/10d-joint-outputs.md", "systems with up to {} stages", (MOST_CLOSED,)),
    ("theory/10d-joint-outputs.md", "after a {}th of the response", (joint.WORTH,)),
    ("theory/10d-joint-outputs.md", "up to {} looks", (joint.MOST_LOOKS,)),
    ("theory/11-end-to-end-window.md", "{} steps at most", (kernel.MOST_ROUNDS,)),
    ("theory/11-end-to-end-window.md", "more than {} stages there is no", (kernel.MOST_OF_PATH,)),
    ("theory/11-end-to-end-window.md", "In systems with up to {} stages", (MOST_CLOSED,)),
    ("theory/11-end-to-end-window.md", "its last {} stages", (kernel.MOST_BACK,)),
    ("theory/11-end-to-end-window.md", "{} times at most", (kernel.MOST_LATEST,)),
    ("theory/18e-sharing-windows.md", "up to {} times", (sharing.MOST_ROUNDS,)),
    ("theory/18e-sharing-windows.md", "systems with up to {} stages", (MOST_CLOSED,)),
    ("theory/11b-closed-window.md", "more than {} stages", (MOST_CLOSED,)),
    ("theory/11b-closed-window.md", "at once where {} steps find none", (FEW_STEPS,)),
    ("theory/11c-pending-window.md", "no more than {} others in a relation", (kernel.MOST_PENDING,)),
    ("theory/11d-event-alone.md", "at most {} visits", (kernel.MOST_ALONE,)),
    ("theory/11d-event-alone.md", "up to {}, and {} terms", (kernel.MOST_IN_ROW, kernel.MOST_TERMS)),
    ("theory/11f-pending-in-pools.md", "no more than {} others", (kernel.MOST_PENDING,)),
    ("theory/11l-one-at-a-time.md", "those with more than {} stages", (MOST_CLOSED,)),
    ("theory/11l-one-at-a-time.md", "with {} steps for each window", (FEW_STEPS,)),
    ("theory/11l-one-at-a-time.md", "when the {}th one of its base", (CROWD,)),
    ("theory/11l-one-at-a-time.md", "of up to {} stages the cost", (MOST_CROWDED,)),
    ("theory/11l-one-at-a-time.md", "one way of up to {} stages", (below.MOST_WAY,)),
    ("theory/11l-one-at-a-time.md", "after {} rounds in which", (below.MOST_RISES,)),
    ("theory/11l-one-at-a-time.md", "from round {} on", (below.PATIENCE,)),
    ("theory/11m-meetings-in-order.md", "up to {} stages", (MOST_IN_ORDER,)),
    ("theory/11m-meetings-in-order.md", "no more than {}.", (kernel.MOST_MET,)),
    ("theory/18d-shared-datagrams.md", "one datagram of up to {} bytes", (DATAGRAM,)),
    ("theory/19-byte-limits.md", "at most {} bytes of headers", (HEADERS,)),
    ("theory/19-byte-limits.md", "more than {} bytes through a limit", (FRAGMENT,)),
    ("theory/21b-tags.md", "more than {} moments", (MOST_MOMENTS,)),
    ("theory/23b-threads-of-linux.md", "more than {} jobs", (linux._MOST_JOBS,)),
    ("theory/23b-threads-of-linux.md", "more than {} environments", (windows._MOST_SOLVED,)),
    ("theory/25-small-systems.md", "more than {} zones", (LISTED,)),
]  # fmt: skip


def said(number: int) -> str:
    """A pattern of all ways to write a number.

    >>> re.fullmatch(said(65_500), "65 500") is not None
    True
    """
    ways = [str(number), f"{number:,}", f"{number:,}".replace(",", " "), WORDS.get(number, "")]
    return "(?:" + "|".join(filter(None, map(re.escape, ways))) + ")"


@pytest.mark.parametrize(("page", "text", "limits"), TOLD)
def test_a_limit_that_a_page_tells_is_that_of_the_code(page, text, limits):
    whole = " ".join((ROOT / "docs" / page).read_text().split())
    found = re.escape(text).replace(r"\{\}", "{}").format(*map(said, limits))
    assert re.search(found, whole), f"{page} does not say '{text}' of {limits}"


def test_a_command_asks_for_what_the_library_takes():
    from ddsrta.exploration.difference import difference

    assert SECONDS == difference.SECONDS
