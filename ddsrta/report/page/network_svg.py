"""The graph of a system as SVG: lanes of cores, boxes of threads, curves of messages. Readable on
light and on dark pages, without scripts; what a chain passes carries the chain's number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ddsrta.base.text import width
from ddsrta.report.elements import text
from ddsrta.report.gantt_rows import shortened
from ddsrta.report.page.layered import Arrow, Box, Layout, layered
from ddsrta.report.page.network import Network, Node, Path, Way
from ddsrta.report.svg import COLOURS

MOST_NODES = 2000  # more would be no picture
MOST_CHAINS = 300  # that are told apart in it
_LETTER = 7  # about the width of a small letter
_LINE, _FIRST = 15, 18  # of text in a box, and where the first one stands
_LONGEST = 34  # letters of a name
_HEAD, _CHIP = 26, 22  # heights: of a lane's title, of a row of middleware
_TITLE = 22  # of a machine

STYLE = f"""\
svg:root{{color-scheme:light dark;background:Canvas}}
.net{{font:12px system-ui,sans-serif;fill:CanvasText;color:CanvasText}}
.net .lane{{fill:CanvasText;fill-opacity:.045}}
.net .box,.net .chip{{fill:Canvas;stroke:CanvasText;stroke-opacity:.45}}
.net .timed{{fill:CanvasText;fill-opacity:.55}}
.net .way{{fill:none;stroke:CanvasText;stroke-opacity:.4;stroke-width:1.3}}
.net .direct{{stroke-dasharray:5 3}}
.net .head{{fill-opacity:.6;stroke:none}}
.net .f{{opacity:.65;font-size:11px}}
.net .no{{fill:{COLOURS["unbounded"]}}}
.net .late>.box,.net .late.way{{stroke:{COLOURS["missed"]};stroke-opacity:1}}
.net.dim [data-c]:not(.on){{opacity:.18}}
.net .on>.box,.net .on>.chip,.net .on.way{{stroke:#2f7fd6;stroke-opacity:1;stroke-width:2.4}}
"""


def network_svg(
    network: Network, paths: Sequence[Path], late: Mapping[int, bool] | None = None
) -> str:
    """The drawing; `late` has the numbers of paths that miss their deadline.

    >>> from ddsrta import analyze
    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.report.page.network import network_of, path_of
    >>> system = two_threads()
    >>> network = network_of(system, analyze(system))
    >>> drawn = network_svg(network, [path_of(system, ("sensor", "speed", "control"))])
    >>> drawn.count("class='box"), drawn.count("data-c='0'")
    (2, 5)
    """
    return _Drawing(network, paths, late or {}).svg()


class _Drawing:
    """Where everything is, and which chains pass it."""

    def __init__(self, network: Network, paths: Sequence[Path], late: Mapping[int, bool]) -> None:
        self.network, self.late = network, late
        self.nodes = list(network.nodes.values())
        self.passed: dict[object, list[int]] = {}
        for number, path in enumerate(paths[:MOST_CHAINS]):
            for thing in (*path.nodes, *path.ways, *(("chip", name) for name in path.chips)):
                self.passed.setdefault(thing, []).append(number)
        index = {node.name: number for number, node in enumerate(self.nodes)}
        self.ways = [w for w in network.ways if w[0] in index and w[2] in index]
        arrows = [
            Arrow(index[s], index[t], _port(self.nodes[index[s]], topic), _FIRST - 4)
            for s, topic, t in self.ways
        ]
        boxes = [Box(node.lane, _wide(node), _high(node)) for node in self.nodes]
        self.chips, heads = self._chips()
        self.layout: Layout = layered(boxes, arrows, heads)
        self.width = max(self.layout.width, 420, *(right for *_, right in self.chips))

    def _chips(self) -> tuple[list[tuple[int, int, int, str, int]], list[int]]:
        """Middleware below the titles of lanes: lane, left, row, name, right; and the room that
        each lane needs for them, and for the name of its machine."""
        chips, heads, machine = [], [], None
        for number, lane in enumerate(self.network.lanes):
            x, row = 24, 0
            for name in lane.chips:
                wide = _LETTER * width(shortened(name, _LONGEST)) + 16
                if x + wide > 1000:
                    x, row = 24, row + 1
                chips.append((number, x, row, name, x + wide))
                x += wide + 8
            rows = (row + 1) * _CHIP + 6 if lane.chips else 0
            heads.append(_HEAD + rows + _TITLE * (lane.machine != machine))
            machine = lane.machine
        return chips, heads

    def svg(self) -> str:
        """From the back to the front."""
        high, wide = self.layout.height, self.width
        label = f"{len(self.nodes)} threads and callbacks on {len(self.network.lanes)} lanes"
        body = "\n".join((*self._lanes(), *self._ways(), *self._boxes()))
        return (
            f"<svg xmlns='http://www.w3.org/2000/svg' class='net' width='{wide}' height='{high}'"
            f" viewBox='0 0 {wide} {high}' role='img' aria-label='{label}'>"
            f"<title>{label}</title><style>{STYLE}</style>\n{body}\n</svg>\n"
        )

    def _mark(self, thing: object, *kinds: str) -> str:
        """Classes of a thing, and the numbers of the chains that pass it."""
        chains = self.passed.get(thing, ())
        names = [*kinds, *["late"] * any(self.late.get(chain, False) for chain in chains)]
        how = f" class='{' '.join(names)}'" if names else ""
        return f"{how} data-c='{' '.join(map(str, chains))}'"

    def _lanes(self) -> Iterator[str]:
        machine = None
        for lane, (above, whole) in zip(self.network.lanes, self.layout.lanes, strict=True):
            top, height = above, whole
            if lane.machine != machine:
                yield f"<text x='8' y='{top + 16}' font-weight='600'>{text(lane.machine)}</text>"
                machine, top, height = lane.machine, above + _TITLE, whole - _TITLE
            yield (
                f"<rect class='lane' x='4' y='{top}' width='{self.width - 8}'"
                f" height='{height - 6}' rx='6'/>"
                f"<text class='f' x='14' y='{top + 17}'>{text(lane.title)}</text>"
            )
        for number, x, row, name, right in self.chips:
            top, height = self.layout.lanes[number]
            y = top + self._head(number) + row * _CHIP
            yield (
                f"<g{self._mark(('chip', name))}><rect class='chip' x='{x}' y='{y}'"
                f" width='{right - x}' height='18' rx='9'/><text class='f' x='{x + 8}'"
                f" y='{y + 13}'>{_short(name)}</text></g>"
            )

    def _head(self, number: int) -> int:
        """Where the middleware of a lane begins, below its top."""
        lanes = self.network.lanes
        first = number == 0 or lanes[number - 1].machine != lanes[number].machine
        return _HEAD + _TITLE * first

    def _ways(self) -> Iterator[str]:
        for number, (way, points) in enumerate(zip(self.ways, self.layout.routes, strict=True)):
            (x, y), *rest = points
            bend = 3 + number * 5 % 7  # tenths of the way, so that few curves lie upon each other
            path = [f"M{x} {y}"]
            for place, (right, below) in enumerate(rest):
                middle = x + (right - x) * bend // 12
                if x > right - 8 and place == 0:  # against the direction of reading
                    path.append(f"C{x + 70} {y} {right - 70} {below} {right} {below}")
                elif y == below:
                    path.append(f"H{right}")
                else:
                    path.append(f"C{middle} {y} {middle} {below} {right} {below}")
                x, y = right, below
            kinds = ("way",) if way[1] else ("way", "direct")
            yield f"<path{self._mark(way, *kinds)} d='{''.join(path)}'>{_told(way)}</path>"
            yield f"<path class='head' d='M{x} {y}l-7 -3v6z'/>"

    def _boxes(self) -> Iterator[str]:
        for node, (x, y) in zip(self.nodes, self.layout.boxes, strict=True):
            wide, high = _wide(node), _high(node)
            unsure = " no" * node.unbounded
            parts = [
                f"<title>{text(node.name)}: {text(node.notes)}</title>",
                f"<rect class='box' x='{x}' y='{y}' width='{wide}' height='{high}' rx='4'/>",
                f"<rect class='timed' x='{x}' y='{y}' width='4' height='{high}' rx='2'/>"
                * node.timed,
                f"<text x='{x + 10}' y='{y + _FIRST}'>{_short(node.name)}</text>",
                f"<text class='f{unsure}' x='{x + 10}' y='{y + _FIRST + _LINE}'>"
                f"{text(node.notes)}</text>",
            ]
            parts += [
                f"<text class='f' text-anchor='end' x='{x + wide - 8}'"
                f" y='{y + _port(node, topic) + 4}'>{_short(topic)}</text>"
                for topic in node.ports
            ]
            yield f"<g{self._mark(node.name)}>{''.join(parts)}</g>"


def _short(name: str) -> str:
    return text(shortened(name, _LONGEST))


def _told(way: Way) -> str:
    source, topic, target = way
    what = f"{topic}: " if topic else ""
    return f"<title>{text(what + source)} → {text(target)}</title>"


def _wide(node: Node) -> int:
    words = (node.name, *node.ports)
    longest = max(min(_LONGEST, width(word)) for word in words)
    return max(_LETTER * longest, 6 * width(node.notes)) + 22


def _high(node: Node) -> int:
    return _FIRST + _LINE + 8 + _LINE * len(node.ports)


def _port(node: Node, topic: str) -> int:
    """How far below the top of a node it leaves."""
    if topic not in node.ports:
        return _FIRST - 4
    return _FIRST + _LINE * (2 + node.ports.index(topic)) - 4
