"""The figures of the car detection: disparities, the paper's and ours."""

from __future__ import annotations

from casestudies.analyses import analysed, in_ms
from casestudies.car_detection.loads import loads
from casestudies.car_detection.seen import disparities, worst
from casestudies.statements import table

STUDY = "car_detection"
SYSTEMS = ("system", "late_scans")
LARGEST_PERIODS = (264_300_000, 38_290_000)  # of image_raw and scan, Figs. 13 and 14
EQ_1 = min(LARGEST_PERIODS)
MEASURED = 25_000_000


def disparity(system: str) -> int | None:
    """Our bound."""
    return analysed(STUDY, system).synchronizers["sync"].disparity


def _disparities() -> str:
    rows = [["Saito et al.", in_ms(EQ_1), in_ms(MEASURED), "", ""]]
    for system in SYSTEMS:
        sets = disparities(system)
        above = sum(each > EQ_1 for each in sets)
        rows.append(
            [
                f"`{system}.yaml`",
                in_ms(disparity(system)),
                in_ms(max(sets)),
                in_ms(max(*sets, worst(system)["disparity", "sync"])),
                f"{above} of {len(sets)}",
            ]
        )
    return table(["", "bound", "seen", "worst found", "sets above Eq. 1"], rows)


def _others() -> str:
    rows = []
    for system in SYSTEMS:
        result = analysed(STUDY, system)
        sets, found = result.synchronizers["sync"], worst(system)
        figures = {
            ("wait", "image_raw"): sets.waits["image_raw"],
            ("wait", "scan"): sets.waits["scan"],
            ("latency", "camera"): result.chains["cars"].latency,
            ("latency", "lidar"): result.chains["distances"].latency,
        }
        compared = [f"{in_ms(bound)} / {in_ms(found[of])}" for of, bound in figures.items()]
        rows.append([f"`{system}.yaml`", in_ms(sets.period), in_ms(sets.gap), *compared])
    head = ["", "a set each", "at the latest after", "an image waits", "a scan waits"]
    return table([*head, "image to fusion", "scan to fusion"], rows)


TABLES = {"disparities": _disparities, "others": _others, "loads": loads}
