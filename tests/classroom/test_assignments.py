"""Every assignment: solved by us for all points, and by a wrong variant for each line of the rubric that loses just those."""

import csv
import io
import json
import random
import re
import subprocess
import sys

import pytest

from outplay.classroom import asking
from outplay.classroom.assignments import find, kinds, same
from outplay.classroom.grading import grade_file, grade_folder
from outplay.classroom.trying import report
from outplay.classroom.writing import write
from outplay.cli.main import run
from outplay.errors import BadValue, RulesError, UnknownName

WAY = asking.way_to_hold(trust=True)
KINDS = kinds()


def graded(assignment, text, folder, seed="autumn", **more):
    file = folder / "ada.py"
    file.write_text(text)
    return grade_file(assignment, file, seed, WAY, feedback=False, **more)


def test_there_are_ten_at_least():
    assert len(KINDS) >= 10


@pytest.mark.parametrize("kind", KINDS)
def test_the_reference_has_all_points_and_each_mistake_loses_just_its_line(kind, tmp_path):
    assignment = find(kind)
    assert assignment.points == 100
    assert set(assignment.wrong) == {line.name for line in assignment.lines}
    for seed in ("autumn", "spring"):
        solved = graded(assignment, assignment.reference, tmp_path, seed)
        assert solved.points == 100 and not solved.uses  # what we hand out ourselves is not remarked on
    nothing = graded(assignment, assignment.student, tmp_path)
    assert nothing.points == 0 and "NotImplementedError" in nothing.failures[0]
    for line in assignment.lines:
        grade = graded(assignment, assignment.wrong_variant(line.name), tmp_path)
        assert [mark.line for mark in grade.marks if mark.points < mark.of] == [line.name], line.name


@pytest.mark.parametrize("kind", KINDS)
def test_questions_are_the_same_for_a_seed_and_others_for_another(kind):
    assignment = find(kind)
    one, again, other = (assignment.cases(seed, 3) for seed in ("a", "a", "b"))
    assert one == again
    assert one != other


def test_a_copied_answer_does_not_help(tmp_path):
    assignment = find("minimax")
    first = {str(case.problem): case.expected for _, case in assignment.cases("last year")}
    text = (
        f"ANSWERS = {[(e['value'], e['action']) for e in first.values()]!r}\ndef minimax(game, state):\n    return ANSWERS.pop(0)\n"
    )
    assert graded(assignment, text, tmp_path, "this year").points < 35


def test_feedback_shows_the_smallest_tree(tmp_path):
    assignment = find("alphabeta")
    file = tmp_path / "ada.py"
    file.write_text(assignment.wrong_variant("value"))
    marks = {mark.line: mark for mark in grade_file(assignment, file, "autumn", WAY).marks}
    assert "hidden questions, on random trees" in marks["value"].said
    assert marks["value"].shown.startswith("alphabeta on the tree [") and "expected" in marks["value"].shown
    drawn = set(re.findall(r'class="action"[^>]*>([^<\s]+)', marks["value"].picture))
    assert "a" in drawn and drawn < set("abcdefgh")  # the names that the student's function gave its actions
    hidden = [case.problem.text() for _, case in assignment.cases("autumn") if case.problem.kind == "a random tree"]
    assert not any(text in marks["value"].shown for text in hidden if len(text) > 12)


def test_odd_answers_are_wrong_and_nothing_else(tmp_path):
    assignment = find("minimax")
    for answer in ("None", "5", "(77, 2, 3)", "{}", "float('nan'), 'a'", "[[[]]] * 3", "'x' * 10**6, 'a'", "object(), object()",
                   "(True, True)", "10**4000, 'a'", "{1: 2, (3, 4): object()}", "lambda: 1", "(n for n in [])"):  # fmt: skip
        grade = graded(assignment, f"def minimax(game, state):\n    return {answer}\n", tmp_path, questions=2)
        assert grade.points <= 20, answer
    grade = graded(
        assignment, "def minimax(game, state):\n    return game.utility(99), game.result('x', 1)\n", tmp_path, questions=1
    )
    assert "ValueError" in grade.failures[0]


@pytest.mark.parametrize("kind", [*KINDS, "template"])
def test_a_folder_holds_all_that_a_course_needs(kind, tmp_path):
    written = {each.as_posix() for each in write(kind, tmp_path / "hw", seed="autumn")}
    assert {"page.md", "test_visible.py", "rubric.md", "notebook.ipynb", "staff/settings.json", "staff/reference.py"} <= written
    outside = "".join((tmp_path / "hw" / each).read_text() for each in written if not each.startswith("staff/"))
    assert "autumn" not in outside  # the seed is the staff's
    with pytest.raises(BadValue, match="not empty"):
        write(kind, tmp_path / "hw")


def test_every_format_tells_the_same_marks(tmp_path, capsys):
    assignment = find("own-game")
    write("own-game", tmp_path / "hw2", seed="autumn")
    for name, text in {"ada": assignment.reference, "=bob": assignment.wrong_variant("zero sum")}.items():
        (tmp_path / "hw2" / "submissions" / f"{name}.py").write_text(text)

    def told(form):
        assert run(["classroom", "grade", str(tmp_path / "hw2"), "--trust", "--format", form]) == 0
        return capsys.readouterr().out

    marks = {"ada": 100, "=bob": 85}
    students = json.loads(told("json"))["students"]
    assert {each["name"]: each["points"] for each in students} == marks
    assert {each["name"]: sum(one["points"] for one in each["questions"]) for each in students} == marks
    assert all({"name", "points", "of", "words"} <= one.keys() for each in students for one in each["questions"])
    assert {name: each["score"] for name, each in json.loads(told("gradescope")).items()} == marks
    plain = list(csv.DictReader(io.StringIO(told("csv"))))
    table = list(csv.DictReader(io.StringIO(told("nbgrader"))))
    # No spreadsheet takes a name for a formula.
    assert {row["name"].lstrip("'"): float(row["points"]) for row in plain} == marks
    assert {row["student_id"].lstrip("'"): float(row["score"]) for row in table} == marks
    assert {(row["assignment"], row["max_score"], row["email"]) for row in table} == {("hw2", "100.0", "")}


def test_an_unknown_kind_is_told_with_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'minimax'"):
        find("minmax")


def test_visible_tests_run_and_speak(tmp_path):
    write("minimax", tmp_path / "hw", seed="autumn")
    (tmp_path / "hw" / "minimax.py").write_text(find("minimax").wrong_variant("each state once"))
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_visible.py"], cwd=tmp_path / "hw",
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert "1 failed, 3 passed" in done.stdout, done.stdout[-2000:]
    assert "looked into more than once" in done.stdout
    told = report("minimax", tmp_path / "hw" / "minimax.py").splitlines()
    assert [line.split()[0] for line in told] == ["well", "well", "well", "not"]


def test_one_of_ones_own_goes_from_the_template_to_marks(tmp_path):
    write("template", tmp_path / "mine", seed="autumn")
    own = tmp_path / "mine" / "staff" / "assignment.py"
    own.write_text(own.read_text().replace('    "minimax",\n    "Minimax"', '    "worst-case",\n    "The worst case"'))
    written = {each.as_posix() for each in write(str(own), tmp_path / "hw", seed="autumn")}
    assert "worst_case.py" in written and "The worst case" in (tmp_path / "hw" / "rubric.md").read_text()
    assert 'ask(\\"questions.py\\", number=1)' in (tmp_path / "hw" / "notebook.ipynb").read_text()
    mine, theirs = find(str(own)), find(str(tmp_path / "hw" / "questions.py"))
    assert theirs.cases("public", 2) == mine.cases("public", 2) and theirs.page == mine.page
    assert (theirs.reference, theirs.wrong) == ("", {})
    outside = "".join((tmp_path / "hw" / each).read_text() for each in written if not each.startswith("staff/"))
    assert "best, chosen = value, action" not in outside  # the solution is the staff's
    (tmp_path / "hw" / "worst_case.py").write_text(mine.wrong_variant("each state once"))
    (tmp_path / "hw" / "staff").rename(tmp_path / "elsewhere")  # students have no staff's side
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_visible.py"], cwd=tmp_path / "hw",
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert "1 failed, 3 passed" in done.stdout, done.stdout[-2000:]
    (tmp_path / "elsewhere").rename(tmp_path / "hw" / "staff")
    (tmp_path / "hw" / "submissions" / "ada.py").write_text((tmp_path / "hw" / "staff" / "reference.py").read_text())
    assert [grade.points for grade in grade_folder(tmp_path / "hw", trust=True)] == [100]
    staffs = tmp_path / "hw" / "staff" / "assignment.py"
    staffs.write_text(staffs.read_text().replace('Line("value", 40', 'Line("value", 70'))
    assert [grade.points for grade in grade_folder(tmp_path / "hw", trust=True)] == [130]  # changed: asked anew
    copied = f"COPY = {mine.reference!r}\n".replace("\\n", "\\n\\\n") + "\nASSIGNMENT = Ass"
    own.write_text(own.read_text().replace("ASSIGNMENT = Ass", copied))
    with pytest.raises(BadValue, match="cannot be made without its reference"):
        write(str(own), tmp_path / "leaky")
    own.write_text("ASSIGNMENT = nothing\n")
    with pytest.raises(RulesError, match="cannot be read: NameError"):
        find(str(own))
    with pytest.raises(BadValue, match="no such file"):
        write(str(tmp_path / "none.py"), tmp_path / "other")


def test_a_game_that_has_all_points_passes_the_check_of_games_and_one_that_lost_some_does_not(tmp_path):
    from outplay.conformance import check_game
    from outplay.game import Game

    def made(text):
        names: dict = {}
        exec(text, names)
        # What a text that is no state must say is a promise that the exercise leaves out, so the notation here is the usual one.
        return type("Playable", (names["OwnGame"], Game), {"name": "own", "text": Game.text, "parse": Game.parse})()

    assignment = find("own-game")
    assert "keeps its promises" in str(check_game(made(assignment.reference), games=5))
    for line in ("legal actions", "zero sum"):
        with pytest.raises(RulesError):
            check_game(made(assignment.wrong_variant(line)), games=5)


def test_how_an_own_game_is_looked_at_is_not_the_students_to_change(tmp_path):
    assignment = find("own-game")
    liar = assignment.wrong_variant("ends") + "\ndef walk(numbers):\n    return REHEARSED\n"
    grade = graded(assignment, liar, tmp_path)
    assert [mark.line for mark in grade.marks if mark.points < mark.of] == ["ends"]


def test_arc_consistency_agrees_with_our_solver():
    from outplay.classroom.course.csp import is_solvable, propagated
    from outplay.csp import Model

    source = random.Random(5)
    for _ in range(6):
        names = ["a", "b", "c"]
        domains = {name: [1, 2, 3] for name in names}
        constraints = [
            [x, y, [[p, q] for p in (1, 2, 3) for q in (1, 2, 3) if source.random() < 0.4]] for x, y in ("ab", "bc", "ca")
        ]
        model = Model()
        variables = {name: model.variable(name, values) for name, values in domains.items()}
        for x, y, pairs in constraints:
            model.constraint([variables[x], variables[y]], [tuple(pair) for pair in pairs])
        assert is_solvable(domains, constraints) == (model.solve() is not None)
        ours, theirs = propagated(domains, constraints), model.propagate()
        assert same(ours, theirs)
