"""A study as it is run: its space, its rules and its goals, read from a file beside its base."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from ddsrta.base.diagnostics import InputError
from ddsrta.base.document_kinds import refuse_other_kinds
from ddsrta.base.frozen import frozen
from ddsrta.base.shapes import Context, TooManyDiagnosticsError
from ddsrta.base.yaml_reader import read_bytes, read_text
from ddsrta.exploration.evaluation import Measure
from ddsrta.exploration.study.figures import OF_LOADS
from ddsrta.exploration.study.goals import Goal, goal
from ddsrta.exploration.study.grammar import FIGURES, STUDY, Limit, Sampler, StudyDeclaration
from ddsrta.exploration.study.parameters import space_of
from ddsrta.exploration.study.rules import Rules, rules_of
from ddsrta.exploration.study.shapes import Amount
from ddsrta.exploration.study.space import Space
from ddsrta.exploration.study.subject import Subject
from ddsrta.exploration.study.subjects import Thing, read_again, subject_in, subject_of

Text = str | bytes


@frozen
class Bound:
    """A goal that must not go beyond an amount; `sign` as a goal has it."""

    goal: Goal
    amount: Amount


@frozen
class Source:
    """What a study was read from: enough for another process to read it again."""

    text: Text
    path: str
    base: Text
    base_path: str


@frozen
class Setup:
    """All that a search needs."""

    name: str
    source: Source
    subject: Subject
    space: Space
    rules: Rules
    goals: tuple[Goal, ...]
    bounds: tuple[Bound, ...]
    deadlines: Goal | None  # the slack of all chains that have one, where they have to be met
    must_be_met: bool
    sampler: Sampler

    @cached_property
    def asked(self) -> tuple[Goal, ...]:
        """All goals whose numbers are needed."""
        more = (self.deadlines,) if self.deadlines else ()
        return (*self.goals, *(each.goal for each in self.bounds), *more)

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """What is measured of each candidate."""
        verdict = (Measure("verdict", "met"),) if self.must_be_met else ()
        found = (measure for each in self.asked for measure in each.measures)
        return tuple(dict.fromkeys((*found, *verdict)))

    @property
    def wants_loads(self) -> bool:
        """Whether the loads of cores count."""
        return any(each.figure in OF_LOADS for each in self.asked)


def read_setup(study: str | Path | Mapping[str, Any], base: Thing | None = None) -> Setup:
    """The study of a file, or of a mapping as a file has it; raises InputError with everything that
    is wrong. The base is the one that it names, unless it is given.

    >>> from ddsrta.examples import two_threads
    >>> setup = read_setup({
    ...     "study": 1, "base": "two_threads.yaml", "objectives": [{"minimize": "latency"}],
    ...     "parameters": {"policy": {"place": "flow_controllers/F/policy",
    ...                               "values": ["FIFO", "HIGH_PRIORITY"]}}}, two_threads())
    >>> setup.space.size, setup.goals[0].name
    (2, 'latency of control loop')
    """
    if isinstance(study, Mapping):
        return setup_of(json.dumps(study, default=str), "<study>", base)
    return setup_of(read_bytes(study), str(study), base)


def again(source: Source) -> Setup:
    """The same study once more, in another process."""
    return setup_of(source.text, source.path, read_again(source.base, source.base_path))


def setup_of(text: Text, path: str, base: Thing | None = None) -> Setup:
    """The study that a text describes."""
    tree = read_text(text, path)
    refuse_other_kinds(tree, "study")
    context = Context(tree)
    try:
        raw = STUDY.parts(tree.root, context)
        context.tell_contradictions()
        declared: StudyDeclaration = STUDY.make(raw)
        if context.diagnostics and ("base" not in raw or "parameters" not in raw):
            raise InputError(context.diagnostics)
        if "parameters" in raw and not declared.parameters and not context.diagnostics:
            advice = "name what may be otherwise, such as {kind: priorities}"
            context.report_at("nothing is open", "parameters", advice=advice)
        subject = _subject(declared, path, base)
        source = Source(text, path, subject.base.text, subject.base.path)
        made = _made(declared, source, subject, context)
    except TooManyDiagnosticsError:
        made = None
    if made is None or context.diagnostics:
        raise InputError(context.diagnostics)
    return made


def _subject(declared: StudyDeclaration, path: str, base: Thing | None) -> Subject:
    if base is None:
        return subject_in(os.path.normpath(os.path.join(os.path.dirname(path), declared.base)))
    return subject_of(base)


def _made(
    declared: StudyDeclaration, source: Source, subject: Subject, context: Context
) -> Setup | None:
    base = subject.base
    space = space_of(declared.parameters, base, context)
    goals = [
        _goal(each.figure, each.of, subject, context, "objectives", n, 1 if each.minimize else -1)
        for n, each in enumerate(declared.objectives)
    ]
    bounds = [
        _bound(each, subject, context, n) for n, each in enumerate(declared.constraints.limits)
    ]
    if space is None:
        return None
    rules = rules_of(declared.constraints, space, base, context)
    slacks = subject.names("slack") if declared.constraints.deadlines else {}
    deadlines, _ = goal("slack", (), slacks)
    return Setup(
        declared.name,
        source,
        subject,
        space,
        rules,
        tuple(each for each in goals if each),
        tuple(each for each in bounds if each),
        deadlines,
        declared.constraints.deadlines,
        declared.sampler,
    )


def _names(of: str | tuple[str, ...]) -> tuple[str, ...]:
    return (of,) if isinstance(of, str) else tuple(of)


def _goal(
    figure: str,
    of: str | tuple[str, ...],
    subject: Subject,
    context: Context,
    *at: Any,
) -> Goal | None:
    *place, sign = at

    def figures(name: str) -> list[str]:
        return [each for each in FIGURES if name in subject.names(each)]

    found, wrong = goal(figure, _names(of), subject.names(figure), sign, figures)
    for message, advice in wrong:
        context.report_at(message, *place, advice=advice)
    return found


def _bound(limit: Limit, subject: Subject, context: Context, at: int) -> Bound | None:
    place = ("constraints", "limits", at)
    sign = 1 if limit.at_most else -1
    found = _goal(limit.figure, limit.of, subject, context, *place, sign)
    amount = limit.at_most or limit.at_least
    if found is None or amount is None:
        return None
    if amount.unit != found.unit:
        words = {"time": "a time", "share": "a percentage", "count": "a count"}
        message = f"{limit.figure.replace('_', ' ')} is {words[found.unit]}"
        context.report_at(message, *place, advice=f"write {words[found.unit]} with its unit")
        return None
    return Bound(found, amount)
