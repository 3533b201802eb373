"""A headless Chromium that is asked over its debugging pipe; nothing beside it is needed."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

PROGRAM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
    *("--disable-extensions", "--disable-background-networking", "--remote-debugging-pipe"),
)


class Browser:
    """One page at a time; what it complains about is kept in `complaints`."""

    def __init__(self) -> None:
        assert PROGRAM is not None
        self.folder = tempfile.mkdtemp()
        here, there = os.pipe(), os.pipe()  # of what it reads, and of what it writes

        def put_pipes() -> None:
            ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (here[0], there[1])]
            for number, end in enumerate(ends, 3):
                os.dup2(end, number)

        self.process = subprocess.Popen(
            [PROGRAM, *FLAGS, f"--user-data-dir={self.folder}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=put_pipes,  # noqa: PLW1509
            close_fds=False,
        )
        os.close(here[0])
        os.close(there[1])
        self.to, self.of = os.fdopen(here[1], "wb"), os.fdopen(there[0], "rb")
        self.rest, self.number, self.session = b"", 0, ""
        self.complaints: list[str] = []
        self.seen: list[str] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        found = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self.session = found["sessionId"]
        self.ask("Emulation.setFocusEmulationEnabled", enabled=True)
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def close(self) -> None:
        self.process.kill()
        self.process.wait(60)
        self.to.close()
        self.of.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The answer to a command; what happens meanwhile is noted."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.to.write(json.dumps(message).encode() + b"\0")
        self.to.flush()
        while True:
            said = self._next()
            if said.get("id") == self.number:
                assert "error" not in said, said
                return said.get("result", {})

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self.rest:
            chunk = os.read(self.of.fileno(), 1 << 16)
            assert chunk, "the browser has gone"
            self.rest += chunk
        text, _, self.rest = self.rest.partition(b"\0")
        said: dict[str, Any] = json.loads(text)
        method, parameters = said.get("method", ""), said.get("params", {})
        self.seen.append(method)
        if method == "Runtime.exceptionThrown" or (
            method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning")
        ):
            self.complaints.append(str(parameters))
        if method == "Log.entryAdded":
            self.complaints.append(parameters["entry"]["text"])
        if method == "Network.requestWillBeSent":
            url = parameters["request"]["url"]
            if not url.startswith(("file:", "data:")):
                self.complaints.append(f"asks for {url}")
        return said

    def open(self, path: Path, wide: int = 1200, dark: bool = False) -> None:
        """A page of so many pixels."""
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=wide, height=900, deviceScaleFactor=1, mobile=wide < 600,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])
        for url in ("about:blank", path.resolve().as_uri()):
            self.seen.clear()
            self.ask("Page.navigate", url=url)
            while "Page.loadEventFired" not in self.seen:
                self._next()

    def find(self, script: str) -> Any:
        """The value of an expression of JavaScript, or what it promises."""
        found = self.ask(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def press(self, key: str) -> None:
        code = {"Tab": 9, "Enter": 13, "Escape": 27}[key]
        text = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.ask(
                "Input.dispatchKeyEvent", type=kind, key=key, code=key,
                windowsVirtualKeyCode=code, **(text if kind == "keyDown" else {}),
            )  # fmt: skip

    def point(self, selector: str, click: bool = False) -> None:
        """At the middle of an element."""
        box = self.find(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block:'center'}});"
            " const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        kinds = ["mouseMoved", *["mousePressed", "mouseReleased"] * click]
        for kind in kinds:
            self.ask(
                "Input.dispatchMouseEvent",
                type=kind,
                x=box[0],
                y=box[1],
                button="left",
                clickCount=1,
            )
