"""Grade a class: several submissions at once, each by a grader of its own on a core of its own.

report = verify_class(["submissions/ada.py", "submissions/bert.zip"], "3,3,3", {"csv": "marks.csv"}, profile="simple")
print(report)
"""

import csv
import hashlib
import io
import os
import pickle
import re
import shlex
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, suppress
from dataclasses import astuple, dataclass, fields
from html import escape
from importlib.machinery import PathFinder
from pathlib import Path
from queue import SimpleQueue
from stat import S_ISLNK
from tempfile import TemporaryDirectory
from typing import Any, Final, Unpack
from urllib.parse import quote
from zipfile import BadZipFile, ZipFile

from solver import __version__
from solver.errors import GraderError, StorageError, TooSlow, in_one_line, quoted
from solver.game.game_files import read_game
from solver.support.files import require_writable, write_file
from solver.support.memory import available_memory
from solver.support.processes import end_with_parent, no_orphans
from solver.support.sessions import Limits
from solver.verification.convention import PROFILES
from solver.verification.findings import NotGraded
from solver.verification.formats import FORMATS, reject_format, write_report
from solver.verification.report_page import write_page
from solver.verification.sandbox import is_of_system
from solver.verification.text import format_kind, write_result
from solver.verification.verify import Report, VerifyOptions, verify

_MOST_BYTES, _MOST_FILES, _DEEPEST = 10**8, 10_000, 100  # of an unpacked archive
_LONGEST: Final = 100  # bytes of a name
_ENDINGS: Final = {"text": "txt", "junit": "xml", "gradescope": "gradescope.json"}  # of reports; else their format
_GRADER: Final = "from solver.verification.class_report import _serve; _serve()"


@dataclass(frozen=True)
class Mark:
    """The result of one submission."""

    name: str  #: The name of its file or folder, without an ending.
    grade: float | None  #: The points; None if the grader failed, or if no move can err in the positions asked.
    outcome: str  #: `passed`, `failed`, `not graded` or `too slow`, with too few positions for a grade.
    positions: int  #: The number of positions asked.
    remark: str  #: The first mistake, or why it was not graded; then the notes of its report.
    fingerprint: str = ""  #: Of its files, the game, the options and this version; empty if it must be graded again.

    @property
    def cells(self) -> list[str]:
        """The mark as cells of a table."""
        grade = "-" if self.grade is None else f"{self.grade:g}"
        return [self.name, grade, f"{self.positions:,}", self.outcome, self.remark]


HEADINGS: Final = ["name", "grade", "positions", "outcome", "first mistake"]


@dataclass(frozen=True)
class ClassReport:
    """The marks of a class, by name; `str(report)` is a table."""

    marks: tuple[Mark, ...]  #: A mark for each submission.

    @property
    def exit_code(self) -> int:
        """0 if all passed, 1 if some failed, 2 if some were not graded or too slow."""
        outcomes = {mark.outcome for mark in self.marks}
        return 2 if outcomes & {"not graded", "too slow"} else int("failed" in outcomes)

    def __str__(self) -> str:
        rows = [HEADINGS, *(mark.cells for mark in self.marks)]
        widths = [max(len(row[column]) for row in rows) for column in range(4)]
        return "\n".join("  ".join([*map(str.ljust, row, widths), row[4]]).rstrip() for row in rows)


def verify_class(
    submissions: Iterable[str | os.PathLike[str]],
    game: str,
    reports: Mapping[str, str | os.PathLike[str]] | None = None,
    watch: Callable[[Mark], object] | None = None,
    **options: Unpack[VerifyOptions],
) -> ClassReport:
    """Grade submissions: Python files, folders and zip archives of them, or other engines as `verify` takes them.

    reports: files and folders to write, by format: `csv` is a file of marks, any other a folder with a report for each
    submission; `html` has an index too. A mark in that csv is not repeated if nothing has changed. watch: called with
    each new mark. options: as for `verify`, without `progress`. With the option `sandbox`, no submission sees another.
    Raises GraderError and StorageError before anything is graded; a later failure is a mark without a grade.
    """
    wanted = {name: Path(path) for name, path in (reports or {}).items()}
    for name, path in wanted.items():
        if name not in {"csv", *FORMATS}:
            raise GraderError(reject_format(name, ["csv", *FORMATS]))
        path.mkdir(parents=True, exist_ok=True) if name != "csv" else require_writable(path)
    paths = _name([os.fspath(one) for one in ([submissions] if isinstance(submissions, str) else submissions)])
    places = {name: _place(path) for name, path in paths.items()}
    folders = [str(place.absolute().parent) for place in places.values()]
    shared = Path(os.path.commonpath(folders)) if len(folders) > 1 else Path("/")
    shadows = _list_shadows(places.values())
    marks, rules = _read_marks(wanted.get("csv")), read_game(game)
    before = Path(options.get("baseline") or "/")
    baseline = before.read_bytes() if before.is_file() else b""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [*range(os.cpu_count() or 1)]
    memory = available_memory() or 0
    free, running = SimpleQueue[int](), set[subprocess.Popen[bytes]]()
    for core in cores[: max(1, memory // (2 * (Limits.memory or 1)))]:  # an engine has a process for each side
        free.put(core)
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix="mnk-class-", ignore_cleanup_errors=True))
        unpacked = Path(folder)
        pool = stack.enter_context(ThreadPoolExecutor(free.qsize()))
        todo = {}
        for name, given in paths.items():
            fingerprint = problem = ""
            try:
                _refuse_path(places[name], shared)
                fingerprint = _fingerprint(places[name], (given, rules.fingerprint, options, baseline))
            except (GraderError, OSError, RecursionError) as error:
                problem = str(error) if isinstance(error, GraderError) else f"{quoted(given)} can't be read: {error}."
            pages = [place / _file(name, form) for form, place in wanted.items() if form != "csv"]
            is_kept = name in marks and marks[name].fingerprint == fingerprint != ""
            if is_kept and all(page.is_file() for page in pages):
                continue
            own = Path(os.path.realpath(places[name]))  # a refused link of another submission may lead there
            others = [one for one in places.values() if not own.is_relative_to(os.path.realpath(one)) and one.exists()]
            compiled = [place.parent / "__pycache__" for place in others]
            hidden = [str(place) for place in (*others, *compiled, *shadows) if place.exists()]
            job = given, str(unpacked / name), game, {**options, "hidden": hidden}, [*wanted], problem
            todo[pool.submit(_grade, name, job, wanted, free, running, fingerprint)] = name
        try:
            for task in as_completed(todo):
                marks[todo[task]] = mark = task.result()
                _write(wanted, marks.values())
                if watch:
                    watch(mark)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in [*running]:
                process.kill()
            raise
    _write(wanted, marks.values())
    return ClassReport(tuple(marks[name] for name in sorted(paths)))


def _name(submissions: Sequence[str]) -> dict[str, str]:
    """Return the submissions by a name that is different for each, and that a file can have."""
    found: dict[str, str] = {}
    taken = {"index"}  # the page for the teacher; a file system may not distinguish cases
    places = {path: _place(path).absolute() for path in submissions}
    stems = {path: place.name if place.is_dir() else place.stem for path, place in places.items()}
    same = Counter(stems[path].casefold() for path in submissions)
    beside = Counter((places[path].parent, stem.casefold()) for path, stem in stems.items())  # such as ada.py, ada.zip
    # Those whose own name is already clean choose first: _ada.py can't take the name of ada.py.
    for path in sorted(submissions, key=lambda path: _clean(stems[path]) != stems[path]):
        place, stem = places[path], stems[path]
        is_beside = beside[place.parent, stem.casefold()] > 1
        words = [place.name if is_beside else stem, *(folder.name for folder in place.parents)]
        first = 1 if same[stem.casefold()] == 1 else 2  # folders tell equal names apart
        names = [_clean("-".join(words[:count][::-1])) for count in range(first, len(words) + 1)]
        free = [name for name in names if name.casefold() not in taken]
        if not free or path in found.values():
            raise GraderError(f"Two submissions are named {names[0]}; give their files different names.")
        found[free[0]] = path
        taken.add(free[0].casefold())
    return found


def _clean(name: str) -> str:
    clean = re.sub(r"[^\w-]+", "_", name).encode()[-_LONGEST:].decode(errors="ignore")
    return clean.strip("_") or "submission"


def _place(path: str) -> Path:
    """Return the file or folder of a submission, without a function's name; of a command, the file that it names."""
    prefix, _, command = path.partition(":")
    if prefix in {"cmd", "gomocup"}:
        with suppress(ValueError):  # an unfinished quotation
            files = [Path(word) for word in shlex.split(command) if Path(word).is_file()]
            return next((file for file in files if not is_of_system(file)), Path(path))
    return Path(path if Path(path).exists() else re.sub(r"\.py:.*", ".py", path, flags=re.DOTALL))


def _list_shadows(places: Collection[Path]) -> list[Path]:
    """Return the paths beside several submissions, not named as one, that would replace an installed module."""
    shadows, named = list[Path](), {place.absolute() for place in places}
    for folder, count in Counter(place.parent for place in named if place.is_file()).items():
        paths = [path for path in sys.path if Path(path).absolute() != folder]
        for one in {*folder.iterdir()} - named if count > 1 else ():
            name = one.name.partition(".")[0]
            if name in sys.stdlib_module_names or PathFinder.find_spec(name, paths):
                shadows.append(one)
    return shadows


def _refuse_path(place: Path, shared: Path) -> None:
    """Raise GraderError if a path could be read in two ways, or has a link below the folder that all of them share."""
    if ".py:" in place.name and place.exists():
        raise GraderError(f"The name {quoted(place)} has a colon; rename the submission.")
    for folder in place.absolute().parents:
        if folder != shared and folder.is_relative_to(shared) and folder.is_symlink() and shared != Path("/"):
            raise GraderError(f"{quoted(folder)} is a link out of the submission; replace it with the folder.")


def _fingerprint(place: Path, stated: object) -> str:
    """Return a hash of a submission's files and of what is stated; "" if no file is known, so that it may change.

    Raises OSError and RecursionError.
    """
    if not place.exists():
        return ""
    found = hashlib.sha256(repr((__version__, stated)).encode(errors="replace"))
    for one in sorted(place.rglob("*")) if place.is_dir() else [place]:
        if one.is_file() and not one.is_symlink():
            found.update(f"{one.relative_to(place.parent)}\0".encode(errors="replace"))
            if one.stat().st_size > _MOST_BYTES:
                raise OSError(f"{one.name} has more than {_MOST_BYTES // 10**6} MB")
            found.update(one.read_bytes())
    return found.hexdigest()[:16]


def _find_file(path: str, unpacked: Path, options: Mapping[str, Any]) -> str:
    """Return the engine in a submission. Raises GraderError if there is none, or if several files may be it.

    A link out of a submission is refused: it may lead to the work of another.
    """
    folder = place = _place(path)
    is_path = place.suffix in {".py", ".zip"} and not path.startswith(("cmd:", "gomocup:"))
    if not place.exists() and (is_path or (os.sep in path and ":" not in path)):
        raise GraderError(f"There is no file {quoted(place)}; check the path.")
    if place.is_file() and place.suffix not in {".py", ".zip"} and place.suffix.lower() in {".py", ".zip"}:
        raise GraderError(f"{quoted(place.name)} must end in small letters; rename it.")
    for one in [place, *place.rglob("*")]:
        if one.is_symlink() and (one == place or not one.resolve().is_relative_to(place.resolve())):
            raise GraderError(f"{quoted(one)} is a link out of the submission; replace it with the file itself.")
    if folder.suffix == ".zip" and folder.is_file():
        _unpack(folder, unpacked)
        folder = unpacked
    if not folder.is_dir():
        return path
    profile = PROFILES.get(str(options.get("profile")))
    entry = profile.entry if profile else "best_move"
    files = [one for one in sorted(folder.rglob("*.py")) if one.is_file()]
    parts = {one: {*one.relative_to(folder).parts[-2:]} - {"__init__.py"} for one in files}
    files = [one for one in files if not any(part[:1] in "._" for part in parts[one])]
    found = [file for file in files if entry and _defines(file, entry)]
    files = [one for one in files if one.name != "__init__.py"]
    choice = found if len(found) == 1 else files
    if len(choice) != 1:
        named = (found or files)[:5]
        listed = ", ".join([str(one.relative_to(folder)) for one in named[:4]] + ["..."] * (len(named) > 4))
        listed = listed or "no Python file"
        each = f"{shlex.quote(path.rstrip('/'))}/*" if place.is_dir() else "FOLDER/*"
        several = f"; to grade each, {'' if place.is_dir() else 'unpack it and '}write {each}" * (len(found) > 1)
        raise GraderError(f"{Path(path).name} has {listed}; one of them must define {entry or 'the agent'}{several}.")
    return str(choice[0])


def _unpack(packed: Path, folder: Path) -> None:
    """Unpack a zip archive. Raises GraderError if it is damaged or too large, or leads out of the folder."""
    try:
        with ZipFile(packed) as archive:
            if not any("/" in one.filename for one in archive.infolist()):  # some programs write other signs
                for member in archive.infolist():
                    member.filename = member.filename.replace("\\", "/")
            sizes = {one.filename: one.file_size for one in archive.infolist()}  # no file is unpacked beyond these
            if len(sizes) < len(archive.infolist()):
                raise GraderError(f"{packed.name} has two files with one name; save it as a zip archive again.")
            depth = max((name.count("/") for name in sizes), default=0)
            if sum(sizes.values()) > _MOST_BYTES or len(sizes) > _MOST_FILES or depth > _DEEPEST:
                most = f"{_MOST_BYTES // 10**6} MB, {_MOST_FILES:,} files or {_DEEPEST} nested folders"
                raise GraderError(f"{packed.name} unpacks to more than {most}; archive only the program.")
            if any(S_ISLNK(one.external_attr >> 16) for one in archive.infolist()):
                raise GraderError(f"{packed.name} has a link; archive the file itself.")
            for path in sizes:
                if not (folder / path).resolve().is_relative_to(folder.resolve()):
                    raise GraderError(f"{packed.name} has the path {quoted(path)}; archive only its own files.")
            archive.extractall(folder, archive.infolist())
    except (BadZipFile, EOFError, OSError, RuntimeError, ValueError, zlib.error) as error:
        raise GraderError(f"{packed.name} can't be unpacked ({error}); save it as a zip archive again.") from None


def _defines(file: Path, entry: str) -> bool:
    """Return True if a Python file has a name that is not within a function or a class."""
    name = re.escape(entry)
    forms = rf"^(?:(?:async )?def|class) {name}\b|^{name}\s*[:=]|^from .+ import .*\b{name}\b"
    return re.search(forms, file.read_text(encoding="utf-8-sig", errors="replace"), re.MULTILINE) is not None


def _grade(
    name: str,
    job: tuple[Any, ...],
    wanted: Mapping[str, Path],
    free: "SimpleQueue[int]",
    running: set["subprocess.Popen[bytes]"],
    fingerprint: str,
) -> Mark:
    """Grade a submission in another process, write its reports, and return its mark."""
    core = free.get()
    try:
        home = [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, home))}
        environment["TMPDIR"], pipe = str(Path(job[1]).parent), subprocess.PIPE  # deleted even if the grader is killed
        words = [sys.executable, "-P", "-c", _GRADER]  # without the current folder, which may be the submissions'
        with subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, env=environment) as process:
            running.add(process)
            given, said = process.communicate(pickle.dumps((core, *job)))
            running.discard(process)
        if process.returncode:
            last = said.decode(errors="replace").strip().splitlines()[-1:] or [f"exit code {process.returncode}"]
            failure = f"The grader failed: {last[0]}"
            if process.returncode < 0 and not job[3].get("sandbox"):
                failure = "The grader was stopped, perhaps by the submission; repeat it with the option sandbox."
            return Mark(name, None, "not graded", 0, in_one_line(failure))
        (grade, outcome, positions, remark), written = pickle.loads(given)
        for form, text in written.items():
            file = wanted[form] / _file(name, form)
            file.unlink() if file.is_symlink() else None  # which a submission may have put there
            write_file(file, text)
        return Mark(name, grade, outcome, positions, remark, fingerprint if outcome in {"passed", "failed"} else "")
    except StorageError as error:
        return Mark(name, None, "not graded", 0, in_one_line(error))
    finally:
        free.put(core)


def _serve() -> None:
    """Grade the submission that the standard input describes, and write its mark and reports to the standard output."""
    end_with_parent()
    core, path, unpacked, game, options, forms, problem = pickle.loads(sys.stdin.buffer.read())
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})  # others are graded at the same time
    found: Report | NotGraded
    with no_orphans():
        try:
            if problem:
                raise GraderError(problem)
            file = _find_file(path, Path(unpacked), options)
            found = verify(file, game, **options, **({"name": path} if file.startswith(unpacked) else {}))
        except Exception as error:
            points = options.get("points") or NotGraded.most_points
            found = NotGraded.after(error, in_one_line(error), game, path, most_points=points)
        parts = _describe(found)
    sys.stdout.buffer.write(
        pickle.dumps((parts, {form: f"{write_report(found, form)}\n" for form in forms if form != "csv"}))
    )


def _describe(found: Report | NotGraded) -> tuple[float | None, str, int, str]:
    if isinstance(found, NotGraded):
        outcome = "too slow" if found.kind == TooSlow.__name__ else "not graded"
        return found.points, outcome, found.positions, in_one_line(found.message)
    fault = found.worse[0] if found.worse else None
    remark = f"{format_kind(str(fault.fault))} in {fault.position.board}" if fault else ""
    remark = remark or ("" if found.passed else write_result(found))
    remark = "; ".join(filter(None, [remark, *(f"note: {note}" for note in found.notes)]))
    grade = found.points if found.counted else None
    return grade, "passed" if found.passed else "failed", len(found.verdicts), in_one_line(remark)


def _file(name: str, form: str) -> str:
    return f"{name}.{_ENDINGS.get(form, form)}"


def _read_marks(path: Path | None) -> dict[str, Mark]:
    """Return the marks in an earlier file, if there is one. Raises GraderError if it is of another form."""
    marks = {}
    try:
        text = path.read_text(encoding="utf-8-sig") if path and path.exists() else ""
        for row in csv.DictReader(io.StringIO(text)):
            grade = float(row["grade"]) if row["grade"] else None
            name, remark = (_read_plain(row[column]) for column in ("name", "remark"))
            marks[name] = Mark(name, grade, row["outcome"], int(row["positions"]), remark, row["fingerprint"])
    except (OSError, ValueError, LookupError, TypeError, AttributeError, csv.Error):
        raise GraderError(f"{quoted(path)} can't be read as a file of marks; give another file.") from None
    return marks


def _write(wanted: Mapping[str, Path], kept: Iterable[Mark]) -> None:
    """Write the file of marks, also earlier ones of other submissions, and the index of pages."""
    marks = sorted(kept, key=lambda mark: mark.name)
    if "csv" in wanted:
        text = io.StringIO()
        rows = [[_plain(part) for part in astuple(mark)] for mark in marks]
        csv.writer(text, lineterminator="\n").writerows([[field.name for field in fields(Mark)], *rows])
        write_file(wanted["csv"], text.getvalue())
    if "html" in wanted:
        there = {mark.name for mark in marks if (wanted["html"] / _file(mark.name, "html")).is_file()}
        body = "".join(
            (f'<tr><td><a href="{quote(_file(mark.name, "html"))}">' if mark.name in there else "<tr><td><a>")
            + f"{escape(mark.name)}</a></td>"
            + "".join(f"<td>{escape(cell)}</td>" for cell in mark.cells[1:])
            + "</tr>"
            for mark in marks
        )
        head = "".join(f"<th>{name}</th>" for name in HEADINGS)
        write_file(wanted["html"] / "index.html", write_page("Marks", f"<table><tr>{head}</tr>{body}</table>"))


def _plain(part: object) -> object:
    """Return a cell that a spreadsheet does not take for a formula."""
    return f"'{part}" if isinstance(part, str) and part.lstrip("'")[:1] in {*"=+-@"} else part


def _read_plain(cell: str) -> str:
    """Return the text from which `_plain` made a cell."""
    return cell[1:] if cell[:1] == "'" and cell.lstrip("'")[:1] in {*"=+-@"} else cell
