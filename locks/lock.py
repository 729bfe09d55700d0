"""Write requirements.txt and the locks from pyproject.toml, the one list of what is needed: `make lock`.

Needs uv, which resolves for every system and Python at once. The locks name no registry: any index or mirror that has
the same files will do, and the hashes say whether they are the same.
"""

import shutil
import subprocess
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOCKS: dict[str, tuple[str, ...]] = {
    "app": ("fetch", "pdf", "sign-in"),
    "dev": ("dev", "crawl", "fetch", "mcp", "pdf", "postgres", "sign-in"),
    "cluster": ("dev", "crawl", "fetch", "mcp", "pdf", "postgres", "sign-in", "cluster"),
}
"""Each lock with the extras that it holds besides the app. All are of one resolution, so one can follow another."""

HEADING = "# Written by `make lock` from pyproject.toml, which is where a bound is changed.\n"
TORCH_FIRST = (
    "# torch stands first: any other build of it, a CUDA one for instance, can be installed beforehand and is kept.\n"
)


def requirements(project: str) -> str:
    """Return requirements.txt for the text of a pyproject.toml: the app's own list, for `pip install -r`."""
    needed = tomllib.loads(project)["project"]["dependencies"]
    return HEADING + TORCH_FIRST + "".join(f"{requirement}\n" for requirement in needed)


def compile_lock(lock: Path, extras: tuple[str, ...], all_of_it: Path | None) -> None:
    """Resolve the app with these extras for Python 3.11 and later on every system; torch is left to torch.txt."""
    uv = shutil.which("uv") or "uv"
    wanted = [argument for extra in extras for argument in ("--extra", extra)]
    limits = ["--constraint", str(all_of_it)] if all_of_it else []
    form = ["--generate-hashes", "--universal", "--python-version", "3.11", "--no-emit-package", "torch"]
    quiet = ["--quiet", "--no-annotate", "--no-header", "--custom-compile-command", "make lock"]
    command = [uv, "pip", "compile", "pyproject.toml", *wanted, *limits, *form, *quiet, "--output-file", str(lock)]
    subprocess.run(command, check=True, cwd=ROOT)


def main() -> None:
    """Write them all."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (ROOT / "requirements.txt").write_text(requirements(project), encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        everything = Path(folder) / "all.txt"
        compile_lock(everything, tuple({extra for extras in LOCKS.values() for extra in extras}), None)
        for name, extras in LOCKS.items():
            lock = Path(folder) / f"{name}.txt"
            compile_lock(lock, extras, everything)
            text = lock.read_text(encoding="utf-8")
            (ROOT / "locks" / lock.name).write_text(HEADING + text, encoding="utf-8")


if __name__ == "__main__":
    main()
