"""The analysis of a system, from model to result."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ddsrta.base.collecting import collecting_rarely
from ddsrta.base.diagnostics import Diagnostic, InputError, expect
from ddsrta.base.doors import behind
from ddsrta.bounds.assemble import present
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.result import Result
from ddsrta.bounds.solve import solve
from ddsrta.models.system import System
from ddsrta.models.validate import refuse_invalid

if TYPE_CHECKING:
    from ddsrta.base.watch import Watch

PROFILES = ("busy-window", "published")


@collecting_rarely()
def analyze(
    system: System,
    profile: str = "busy-window",
    refinements: Refinements | None = None,
    check: bool = True,
    time_limit: float | None = None,
) -> Result:
    """All bounds of a system; raises InputError where it contradicts itself.

    The checker looks at every result, in bounded work, unless `check` is false: `Result.check` is
    what it says. What it refuses is left out; what it cannot decide is never met. The published
    bounds cannot be checked.

    After about `time_limit` seconds what is not finished is unbounded, "because the time limit
    ended the analysis". What has a bound then has one that holds. The published analysis has no
    such limit, and refuses one.

    `refinements` says what is used beyond the plain busy windows, all unless given. The bounds are
    valid either way, and mostly higher without, though not always. It shows what each refinement is
    worth.

    >>> from ddsrta.bounds.refinements import Refinements
    >>> from ddsrta.examples import two_threads
    >>> analyze(two_threads()).chains["control loop"].latency
    3.286 ms
    >>> analyze(two_threads(), refinements=Refinements.none()).chains["control loop"].latency
    4.51 ms
    >>> analyze(two_threads()).check.status
    'confirmed'
    """
    if profile not in PROFILES:
        raise ValueError(f"unknown profile '{profile}': use one of {', '.join(PROFILES)}")
    refuse_invalid(system)
    is_fine = isinstance(refinements, Refinements | None)
    expect("refinements", refinements, is_fine, "Refinements, such as Refinements.none()")
    if profile == "published":
        if time_limit is not None:
            message = "the published analysis cannot end at a time limit"
            raise InputError(
                [Diagnostic(None, message, "leave it out, or use the busy-window bounds")]
            )
        result: Result = behind("published").present_published(system)
        return result
    watch = watch_of(time_limit)
    if not check and watch is None:
        from ddsrta.bounds.brief import analyze_briefly

        return analyze_briefly(system, refinements)
    if not check:
        asked = refinements or Refinements.all()
        return present(solve(system, asked, watch=watch), asked)
    from ddsrta.bounds.evidence.checked import analyze_checked

    return analyze_checked(system, refinements, watch).result


def watch_of(time_limit: float | None) -> Watch | None:
    """What ends an analysis after so many seconds, if anything does."""
    if time_limit is None:
        return None
    from ddsrta.base.watch import Watch

    return Watch(time_limit)


@collecting_rarely()
def analyze_until(system: System, stop: Callable[[], bool]) -> Result:
    """The same, checked, of a system that is to be `analyze`d; what is not finished when somebody
    asks to stop is unbounded, as after a time limit.

    >>> from ddsrta.examples import two_threads
    >>> [analyze_until(two_threads(), lambda: asked).is_ended for asked in (False, True)]
    [False, True]
    """
    refuse_invalid(system)
    from ddsrta.base.watch import Asked
    from ddsrta.bounds.evidence.checked import analyze_checked

    return analyze_checked(system, watch=Asked(stop)).result
