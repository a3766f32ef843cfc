"""Runs a command for as long as whoever started it lives: `python leash.py COMMAND...`.

Standard input is a pipe that only the owner holds open. When it closes, however the owner ended, the command and all
its children go. Needs the standard library only: it runs in an application's environment."""

import os
import signal
import subprocess
import sys
import threading


def main() -> int:
    os.setpgid(0, 0)
    child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)

    def watch() -> None:
        while os.read(0, 1):
            pass
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()
    return child.wait()


if __name__ == "__main__":
    sys.exit(main())
