import os
import time

import pytest

from backlink_audit.embedding.made_models import WEIGHTS, is_made, make_model


def write(folder):
    folder.mkdir()
    (folder / WEIGHTS).write_bytes(b"weights")


def test_a_model_is_made_once(tmp_path):
    folder = tmp_path / "made" / "model"
    assert make_model("mine", folder, write, lambda *step: None) == folder
    assert is_made(folder)
    make_model("mine", folder, lambda _: pytest.fail("It is made again."), lambda *step: None)
    assert [path.name for path in folder.parent.iterdir()] == ["model"]


def test_what_breaks_off_leaves_nothing(tmp_path):
    def break_off(folder):
        write(folder)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_model("mine", tmp_path / "model", break_off, lambda *step: None)
    assert not list(tmp_path.iterdir())


def test_what_a_kill_has_left_is_deleted_but_not_what_another_process_is_at(tmp_path):
    for name, hours in (("unfinished-old", 2), ("unfinished-new", 0)):
        write(tmp_path / name)
        os.utime(tmp_path / name, (time.time() - hours * 3_600,) * 2)
    make_model("mine", tmp_path / "model", write, lambda *step: None)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model", "unfinished-new"]
