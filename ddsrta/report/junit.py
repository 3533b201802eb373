"""JUnit XML for CI: one test case for each deadline, each wanted order, each error and all that has
no bound."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ddsrta.base.diagnostics import Diagnostic, Position
from ddsrta.base.text import shown
from ddsrta.bounds.deadlines import Deadline, deadlines, unbounded_findings
from ddsrta.bounds.result import Result
from ddsrta.report.checked import check_fields, check_line
from ddsrta.report.findings import assumed, finding_lines
from ddsrta.report.orders import order_text, violated

if TYPE_CHECKING:
    from ddsrta.exploration.budgets import Regression


def result_junit(
    result: Result, regressions: Sequence[Regression] = (), name: str | None = None
) -> str:
    """The document; a missed deadline fails its case, and so does one without a bound, or a bound
    that got worse. Suite and cases are known by a name: else by that of the system.

    >>> empty = Result("toy", "busy-window", "met", {}, (), {}, {}, {}, ())
    >>> print(result_junit(empty).splitlines()[1])
    <testsuites tests="0" failures="0" errors="0">
    """
    from xml.etree import ElementTree

    known = shown(result.system if name is None else name)
    found = deadlines(result)
    wrong = sum(not order.met for order in result.orders.values())
    grave = [*result.errors, *unbounded_findings(result)]
    wrong += sum(not each.accepted for each in regressions)
    counts = {
        "tests": str(len(found) + len(result.orders) + len(grave) + len(regressions)),
        "failures": str(sum(deadline.state != "met" for deadline in found) + wrong),
        "errors": str(len(grave)),
    }
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": known, **counts})
    properties = ElementTree.SubElement(suite, "properties")
    for field, value in check_fields(result).items():
        ElementTree.SubElement(properties, "property", {"name": field, "value": value})
    for deadline in found:
        case = ElementTree.SubElement(suite, "testcase", _attributes(known, deadline))
        if deadline.state != "met":
            attributes = {"type": deadline.state, "message": shown(deadline.sentence)}
            failure = ElementTree.SubElement(case, "failure", attributes)
            place = f"{deadline.position}: " if deadline.position else ""
            failure.text = shown(f"{place}{deadline.chain}: {deadline.sentence}")
    for wanted, order in result.orders.items():
        title = f"{wanted}: {order_text(order.topics)} at {order.subscriber}"
        attributes = {"name": shown(title), "classname": known, "time": "0"}
        case = ElementTree.SubElement(suite, "testcase", attributes)
        if not order.met:
            kind = "unfinished" if order.met is None else "violated"
            attributes = {"type": kind, "message": shown(violated(order))}
            failure = ElementTree.SubElement(case, "failure", attributes)
            failure.text = shown(f"{wanted}: {violated(order)}")
    for each in regressions:
        title = f"{each.move.name} is no worse"
        attributes = {"name": shown(title), "classname": known, "time": "0"}
        case = ElementTree.SubElement(suite, "testcase", attributes | _place(each.position))
        if not each.accepted:
            attributes = {"type": "regression", "message": shown(each.sentence)}
            ElementTree.SubElement(case, "failure", attributes)
    for finding in grave:
        attributes = {"name": shown(finding.rule), "classname": known, "time": "0"}
        case = ElementTree.SubElement(suite, "testcase", attributes | _place(finding.position))
        attributes = {"type": shown(finding.rule), "message": shown(finding.message)}
        ElementTree.SubElement(case, "error", attributes)
    notes = (*result.warnings, *assumed(result.assumptions))
    lines = [*(line.strip() for line in finding_lines(notes)), check_line(result)]
    ElementTree.SubElement(suite, "system-out").text = "\n".join(lines)
    ElementTree.indent(suites)
    body = ElementTree.tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def diagnostics_junit(diagnostics: Sequence[Diagnostic], name: str) -> str:
    """What is wrong with an input that cannot be checked: one error for each."""
    from xml.etree import ElementTree

    counts = {"tests": str(len(diagnostics)), "failures": "0", "errors": str(len(diagnostics))}
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": shown(name), **counts})
    for each in diagnostics:
        attributes = {"name": "input", "classname": shown(name), "time": "0"}
        case = ElementTree.SubElement(suite, "testcase", attributes | _place(each.position))
        attributes = {"type": "input", "message": shown(str(each))}
        ElementTree.SubElement(case, "error", attributes)
    ElementTree.indent(suites)
    body = ElementTree.tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def merged(documents: Sequence[str]) -> str:
    """One document with the suites of several."""
    if len(documents) == 1:
        return documents[0]
    from xml.etree import ElementTree

    roots = [ElementTree.fromstring(each) for each in documents]
    counts = {
        name: str(sum(int(root.get(name, "0")) for root in roots))
        for name in ("tests", "failures", "errors")
    }
    suites = ElementTree.Element("testsuites", counts)
    for root in roots:
        suites.extend(root)
    ElementTree.indent(suites)
    body = ElementTree.tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _attributes(known: str, deadline: Deadline) -> dict[str, str]:
    attributes = {
        "name": f"{shown(deadline.chain)}: {deadline.what} within {deadline.deadline}",
        "classname": known,
        "time": "0",
    }
    return attributes | _place(deadline.position)


def _place(position: Position | None) -> dict[str, str]:
    if position is None:
        return {}
    return {"file": shown(position.file), "line": str(position.line)}
