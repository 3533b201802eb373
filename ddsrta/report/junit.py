"""JUnit XML for CI: one test case for each deadline, each wanted order, each error and all that has
no bound."""

from __future__ import annotations

from ddsrta.base.diagnostics import Position
from ddsrta.base.text import shown
from ddsrta.bounds.deadlines import Deadline, deadlines, unbounded_findings
from ddsrta.bounds.result import Result
from ddsrta.report.checked import check_fields, check_line
from ddsrta.report.findings import assumed, finding_lines
from ddsrta.report.orders import order_text, violated


def result_junit(result: Result) -> str:
    """The document; a missed deadline fails its case, and so does one without a bound.

    >>> empty = Result("toy", "busy-window", "met", {}, (), {}, {}, {}, ())
    >>> print(result_junit(empty).splitlines()[1])
    <testsuites tests="0" failures="0" errors="0">
    """
    from xml.etree import ElementTree

    found = deadlines(result)
    wrong = sum(not order.met for order in result.orders.values())
    grave = [finding for finding in result.warnings if finding.severity == "error"]
    grave += unbounded_findings(result)
    counts = {
        "tests": str(len(found) + len(result.orders) + len(grave)),
        "failures": str(sum(deadline.state != "met" for deadline in found) + wrong),
        "errors": str(len(grave)),
    }
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": shown(result.system), **counts})
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in check_fields(result).items():
        ElementTree.SubElement(properties, "property", {"name": name, "value": value})
    for deadline in found:
        case = ElementTree.SubElement(suite, "testcase", _attributes(result, deadline))
        if deadline.state != "met":
            attributes = {"type": deadline.state, "message": shown(deadline.sentence)}
            failure = ElementTree.SubElement(case, "failure", attributes)
            place = f"{deadline.position}: " if deadline.position else ""
            failure.text = shown(f"{place}{deadline.chain}: {deadline.sentence}")
    for name, order in result.orders.items():
        title = f"{name}: {order_text(order.topics)} at {order.subscriber}"
        attributes = {"name": shown(title), "classname": shown(result.system), "time": "0"}
        case = ElementTree.SubElement(suite, "testcase", attributes)
        if not order.met:
            attributes = {"type": "violated", "message": shown(violated(order))}
            failure = ElementTree.SubElement(case, "failure", attributes)
            failure.text = shown(f"{name}: {violated(order)}")
    for finding in grave:
        attributes = {"name": shown(finding.rule), "classname": shown(result.system), "time": "0"}
        case = ElementTree.SubElement(suite, "testcase", attributes | _place(finding.position))
        attributes = {"type": shown(finding.rule), "message": shown(finding.message)}
        ElementTree.SubElement(case, "error", attributes)
    notes = (*result.warnings, *assumed(result.assumptions))
    lines = [*(line.strip() for line in finding_lines(notes)), check_line(result)]
    ElementTree.SubElement(suite, "system-out").text = "\n".join(lines)
    ElementTree.indent(suites)
    body = ElementTree.tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _attributes(result: Result, deadline: Deadline) -> dict[str, str]:
    attributes = {
        "name": f"{shown(deadline.chain)}: {deadline.what} within {deadline.deadline}",
        "classname": shown(result.system),
        "time": "0",
    }
    return attributes | _place(deadline.position)


def _place(position: Position | None) -> dict[str, str]:
    if position is None:
        return {}
    return {"file": shown(position.file), "line": str(position.line)}
