"""A PostgreSQL server of our own: its data in a folder of the test, on localhost, never run by root."""

import os
import pwd
import shutil
import socket
import subprocess
import time
from glob import glob
from pathlib import Path


class Server:
    """Start it, ask for empty databases, stop it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.number = folder, 0
        self.user = _somebody_else() if os.getuid() == 0 else None
        if self.user:
            shutil.chown(folder, self.user)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._run("initdb", "--auth=trust", "--username=tester", "--no-sync", f"--pgdata={folder}/data")

    def start(self) -> None:
        listen = f"-c listen_addresses=127.0.0.1 -c unix_socket_directories= -p {self.port}"
        start = ("pg_ctl", f"--pgdata={self.folder}/data", f"--log={self.folder}/log", "-w", "-o", listen, "start")
        for _ in range(5):  # between a stop and a start the port may be lent to somebody else for a moment
            if self._ends(*start) == 0:
                return
            time.sleep(2)
        self._run(*start)

    def stop(self) -> None:
        """As a crash: whoever is connected is cut off."""
        self._run("pg_ctl", f"--pgdata={self.folder}/data", "-m", "immediate", "-w", "stop")

    def new_database(self) -> str:
        self.number += 1
        name = f"store{self.number}"
        self._run("createdb", "--host=127.0.0.1", f"--port={self.port}", "--username=tester", name)
        return f"postgresql://tester@127.0.0.1:{self.port}/{name}"

    def _run(self, program: str, *arguments: str) -> None:
        code = self._ends(program, *arguments)
        assert code == 0, f"{program} {arguments} ended with {code}"

    def _ends(self, program: str, *arguments: str) -> int:
        return subprocess.run(
            [found(program), *arguments],
            user=self.user,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # the server inherits it, so nobody may wait for its end
            stderr=subprocess.DEVNULL,
        ).returncode


def found(program: str) -> str:
    """Where a program of PostgreSQL is; Debian keeps those of the server in a folder of their own."""
    places = sorted(glob(f"/usr/lib/postgresql/*/bin/{program}"))
    return places[-1] if places else shutil.which(program) or ""


def _somebody_else() -> str:
    users = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in users else "nobody"
