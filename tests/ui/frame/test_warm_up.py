"""The server of app.py answers before the pages' code is imported, which begins behind it."""

import subprocess
import sys

from tests.house import ROOT

SERVE = """
import runpy, sys
from backlink_audit.ui.frame import warm_up
from backlink_audit.ui.frame.warm_up import LARGEST
if not {begins}:
    warm_up.begin = lambda: None
runpy.run_path("app.py", run_name="app")
warm_up.wait()
print(LARGEST in sys.modules, "sqlalchemy" in sys.modules)
"""


def imported(*, begins: bool) -> str:
    command = [sys.executable, "-c", SERVE.format(begins=begins)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_the_server_imports_the_pages_code_in_a_thread_that_a_page_waits_for():
    assert imported(begins=True) == "True True\n"


def test_the_server_itself_imports_none_of_it():
    assert imported(begins=False) == "False False\n"
