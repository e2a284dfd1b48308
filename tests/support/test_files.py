"""Files are complete or absent, and an unwritable path is rejected before any work."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from solver.errors import StorageError
from solver.support.files import require_writable, whole_file, whole_folder, write_file
from tests.commands import assert_refused, mnk


def test_a_file_takes_its_name_at_the_end(tmp_path: Path) -> None:
    target = tmp_path / "x.txt"
    write_file(target, "before\n")
    with whole_file(target) as part:
        part.write_text("after", encoding="utf-8")
        assert target.read_text() == "before\n"
    assert target.read_text() == "after"
    write_file(target, b"\x00\xff")
    assert target.read_bytes() == b"\x00\xff"
    assert [*tmp_path.iterdir()] == [target]


def write_half(target: Path, error: BaseException) -> None:
    with whole_file(target) as part:
        part.write_text("half")
        raise error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_failed_write_keeps_the_old_file(error: type[BaseException], tmp_path: Path) -> None:
    target = tmp_path / "x.txt"
    target.write_text("before")
    with pytest.raises(error):
        write_half(target, error())
    assert target.read_text() == "before"
    assert [*tmp_path.iterdir()] == [target]


def test_a_full_disk_is_reported(tmp_path: Path) -> None:
    target = tmp_path / "x.txt"
    with pytest.raises(StorageError, match=r"x.txt can't be written: No space left on device; choose another\.$"):
        write_half(target, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    assert not [*tmp_path.iterdir()]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    link, target = tmp_path / "link", tmp_path / "far" / "x.txt"
    link.symlink_to(target)
    write_file(link, "text")
    assert link.is_symlink()
    assert target.read_text() == "text"


def test_a_folder_does_not_replace_a_file(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("text")
    with pytest.raises(StorageError, match="file is not a folder"), whole_folder(file, force=True):
        pass
    assert file.read_text() == "text"
    assert [*tmp_path.iterdir()] == [file]


def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        require_writable(pipe)
        write_file(pipe, "through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def taken(folder: Path) -> Path:
    (folder / "file").write_text("")
    return folder / "file" / "x.svg"


def a_folder(folder: Path) -> Path:
    (folder / "x.svg").mkdir()
    return folder / "x.svg"


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        (lambda folder: folder / "absent" / "x.svg", "No such file or directory"), (taken, "Not a directory"),
        (a_folder, "Is a directory"),
    ],
)  # fmt: skip
def test_unwritable_places(place: Callable[[Path], Path], reason: str, tmp_path: Path) -> None:
    path = place(tmp_path)
    for attempt in (require_writable, lambda path: write_file(path, "")):
        with pytest.raises(StorageError, match=f"x.svg can't be written: {reason}; choose another"):
            attempt(path)


def test_folders_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_writable(tmp_path / "x.svg")
    monkeypatch.setattr(os, "access", lambda place, mode: place != tmp_path)  # the tests may run as root, who may
    with pytest.raises(StorageError, match=r"x\.svg can't be written: Permission denied"):
        require_writable(tmp_path / "x.svg")


# The commands


@pytest.mark.parametrize(
    "command", [("tree", "3,3,3", "start", "-o"), ("export", "3,3,3", "-o"), ("draw", "3,3,3", "start", "-o")]
)
def test_a_missing_folder_is_reported_before_a_missing_table(command: tuple[str, ...], tmp_path: Path) -> None:
    refused = mnk(*command, tmp_path / "absent" / "x.svg", "--data", tmp_path)
    assert_refused(refused, 5, "x.svg can't be written: No such file or directory; choose another.")


def test_verify_calls_nothing_if_its_report_cannot_be_written(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    agent = tmp_path / "agent.py"
    agent.write_text(f"def best_move(board):\n    open({str(asked)!r}, 'w').close()\n    return board.index(' ')\n")
    refused = mnk("verify", "3,3,3", agent, "--report", f"json:{tmp_path / 'absent' / 'x'}")
    assert_refused(refused, 2, "can't be written: No such file or directory")
    assert not asked.exists()
