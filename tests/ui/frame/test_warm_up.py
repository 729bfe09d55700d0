"""The server of app.py answers before the pages' code is imported, which begins behind it."""

import subprocess
import sys

from tests.house import ROOT

SERVE = """
import runpy, sys
from backlink_audit.ui import guard as warm_up
from backlink_audit.ui.guard import LARGEST
if not {begins}:
    warm_up.begin = lambda: None
runpy.run_path("app.py", run_name="app")
warm_up.wait()
print(LARGEST in sys.modules, "sqlalchemy" in sys.modules)
"""
FIRST_PAGE = f"""
import sys
from streamlit.testing.v1 import AppTest
print(AppTest.from_file("{ROOT.as_posix()}/app.py", default_timeout=60).run().title[0].value)
print(*sys.modules)
"""


def printed(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def imported(*, begins: bool) -> str:
    return printed(SERVE.format(begins=begins))


def test_the_server_imports_the_pages_code_in_a_thread_that_a_page_waits_for():
    assert imported(begins=True) == "True True\n"


def test_the_server_itself_imports_none_of_it():
    assert imported(begins=False) == "False False\n"


def test_the_first_page_waits_for_no_torch():
    lines = printed(FIRST_PAGE).splitlines()
    assert lines[0] and "pandas" in lines[1].split()
    assert not {"torch", "transformers", "sentence_transformers", "model2vec"} & set(lines[1].split())
