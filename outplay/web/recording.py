"""Lessons without a server: what their live examples would ask the studio is asked when the site is made, and kept beside the page.

The scripts of the lessons are the studio's own; `recorded.js` stands where `studio.js` is, and answers from what is kept. Searches
that shall run while one looks are pages of games (`outplay.pages`), opened at the example's position.
"""

from __future__ import annotations

import asyncio
import functools
import json
import re
from collections.abc import Callable, Mapping, MutableMapping
from pathlib import Path
from typing import Any

from outplay.errors import OutplayError
from outplay.lessons import exercises
from outplay.pages.build import own
from outplay.pages.translate import Script
from outplay.views.tree import script as stepper

DRAWN = 6
"""How often each kind of exercise is drawn for a page without a server."""
STATIC = Path(__file__).parent / "static"
MODULES = ("studio", "recorded", "words", "tree", "board", "problem", "standing", "visitor", "exercises", "learn")


class Recorder:
    """A studio that is asked here, and what it said to whom asks the same in a page."""

    def __init__(self, address: str = "http://localhost") -> None:
        from outplay.web.app import create_app

        self.app = create_app(seats=1)
        self.runner = asyncio.Runner()
        self.answers: dict[str, Any] = {}
        self.trees = 0

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: Any) -> None:
        self.app.state.desk.close()
        self.app.state.store.close()
        self.runner.close()

    def fresh(self) -> dict[str, Any]:
        """What was said since the last time."""
        said, self.answers, self.trees = self.answers, {}, 0
        return said

    def ask(self, path: str, body: Any = None) -> Any:
        """One answer, kept."""
        return self._keep(path, body, self._said(path, body)[0])

    def stream(self, path: str, body: Any) -> list[Any]:
        """What a search says, but for its place in a queue; kept without what another machine would say otherwise."""
        said = [each for each in self._said(path, body) if not {"queued", "progress", "compiling"} & each.keys()]
        for each in said:
            for told in (each.get("row"), each.get("tree")):
                if told and "seconds" in told:
                    told["seconds"] = None
        return list(self._keep(path, body, said))

    def _keep(self, path: str, body: Any, said: Any) -> Any:
        self.answers[path if body is None else f"{path} {_sorted(body)}"] = said
        return said

    def _said(self, path: str, body: Any) -> list[Any]:
        status, text = self.runner.run(self._called(path, body))
        said = [json.loads(line) for line in text.splitlines() if line]
        if status >= 400 or any("error" in each for each in said):
            raise OutplayError(f"a lesson's example fails: {path} {_sorted(body)}: {text.strip()[:200]}")
        return said

    async def _called(self, path: str, body: Any) -> tuple[int, str]:
        where, _, query = path.partition("?")
        raw = b"" if body is None else json.dumps(body).encode()
        headers = [(b"host", b"localhost"), (b"content-type", b"application/json"), (b"content-length", str(len(raw)).encode())]
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET" if body is None else "POST",
            "scheme": "http", "path": where, "raw_path": where.encode(), "query_string": query.encode(), "root_path": "",
            "headers": headers, "client": ("127.0.0.1", 1), "server": ("localhost", 80),
        }  # fmt: skip
        is_asked, status, parts = False, 0, []

        async def receive() -> dict[str, Any]:
            nonlocal is_asked
            if is_asked:
                await asyncio.Event().wait()  # nobody hangs up
            is_asked = True
            return {"type": "http.request", "body": raw, "more_body": False}

        async def send(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                parts.append(message.get("body", b""))

        await self.app(scope, receive, send)
        return status, b"".join(parts).decode()

    def tree(self, body: dict[str, Any], *, view: bool = True) -> tuple[dict[str, Any], dict[str, Any], str]:
        """A traced search, told under an address that is the same on every run; its first view; where it really is."""
        *_, last = self.stream("/api/trees", body)
        tree, address = last["tree"], last["tree"]["address"]
        self.trees += 1
        tree["address"] = str(self.trees)
        seen = self.elsewhere(f"/api/trees/{address}/view", f"/api/trees/{self.trees}/view", {}) if view else {}
        return tree, seen, address

    def elsewhere(self, path: str, kept: str, body: Any = None, of: Callable[[Any], Any] = lambda said: said) -> Any:
        """An answer that is kept under another path, or only a part of it."""
        return self._keep(kept, body, of(self._said(path, body)[0]))


def _sorted(body: Any) -> str:
    """As a page writes it."""
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


# ---------------------------------------------------------------- what each kind of example asks


def asked(data: Mapping[str, str]) -> dict[str, Any]:
    """The position of an example, as its page asks for it."""
    body: dict[str, Any] = {"game": data.get("game", "tree")}
    if "tree" in data:
        body["parameters"] = {"tree": data["tree"]}
    if "position" in data:
        body["start"] = data["position"]
    if "actions" in data:
        body["actions"] = data["actions"].split(" ")
    return body


def _limits(data: Mapping[str, str], *keys: str) -> dict[str, Any]:
    return {key: int(data[key]) for key in keys if key in data}


def _tree(recorder: Recorder, data: Mapping[str, str]) -> None:
    body = asked(data) | {"algorithm": data["algorithm"]} | _limits(data, "depth", "simulations")
    tree, seen, address = recorder.tree(body)
    if "tree" not in data.get("game", "tree"):  # the board of each node that a step is about
        for node in sorted({0, *(max(0, frame["n"]) for frame in seen.get("frames", ()))}):
            recorder.elsewhere(f"/api/trees/{address}/nodes/{node}", f"/api/trees/{tree['address']}/nodes/{node}", None,
                               lambda said: {"board": said["board"] and {"svg": said["board"]["svg"]}})  # fmt: skip


def _shown(recorder: Recorder, data: Mapping[str, str]) -> None:
    recorder.tree(asked(data) | {"algorithm": data["algorithm"]} | _limits(data, "depth"))


def _plan(recorder: Recorder, data: Mapping[str, str]) -> None:
    recorder.tree(asked(data) | {"algorithm": data["algorithm"]} | _limits(data, "depth"), view=False)


def _walk(recorder: Recorder, data: Mapping[str, str]) -> None:
    body = asked(data) | {"algorithm": data["algorithm"]} | _limits(data, "depth")
    tree, _, address = recorder.tree(body, view=False)
    kept = {"closed", "open", "figures"}
    for tick in range(tree["ticks"] + 1):
        recorder.elsewhere(f"/api/trees/{address}/map?tick={tick}", f"/api/trees/{tree['address']}/map?tick={tick}", None,
                           lambda said: {key: said[key] for key in kept} | {"board": {"svg": said["board"]["svg"]}})  # fmt: skip


def _compare(recorder: Recorder, data: Mapping[str, str]) -> None:
    named = data["algorithms"].split("|" if "|" in data["algorithms"] else ",")
    recorder.stream("/api/compare", asked(data) | {"algorithms": named} | _limits(data, "depth", "simulations") | {"seconds": 20})


def _skill(recorder: Recorder, data: Mapping[str, str]) -> None:
    for percent in range(101):
        recorder.tree(asked({"tree": data["tree"]}) | {"algorithm": f"opponent:skill={percent / 100:g}"}, view=False)


def _bounds(recorder: Recorder, data: Mapping[str, str]) -> None:
    for most in range(int(data.get("least", 10)), int(data.get("most", 60)) + 1):
        recorder.tree({"game": "tree", "parameters": {"tree": data["tree"]}, "algorithm": f"star1:bounds=0..{most}"})


def _cards(recorder: Recorder, data: Mapping[str, str]) -> None:
    body = asked(data) | {"algorithm": data.get("algorithm", "auto"), "seconds": int(data.get("seconds", 3))}
    said = recorder.stream("/api/think", body)
    recorder._keep("/api/think", body, said[-1:])


ASKS: dict[str, Callable[[Recorder, Mapping[str, str]], Any]] = {
    "tree": _tree, "value": _shown, "skip": _shown, "plan": _plan, "walk": _walk, "compare": _compare, "skill": _skill,
    "bounds": _bounds, "cards": _cards,
    "csp": lambda recorder, data: recorder.stream("/api/constraints", {"text": data["text"]}),
    "table": lambda recorder, data: recorder.ask(f"/api/lectures/{data['name']}"),
    "sizes": lambda recorder, data: recorder.ask("/api/lectures/sizes"),
    "depths": lambda recorder, data: [recorder.ask(f"/api/lectures/{name}") for name in ("chess", "strength", "million")],
    "orders": lambda recorder, data: recorder.ask(f"/api/lectures/orders/{data['branching']}/{data['plies']}"),
    "regrets": lambda recorder, data: recorder.ask("/api/regrets", {
        "game": data["game"], "iterations": int(data.get("iterations", 200)),
        "sampled": bool(data.get("sampled"))}),
}  # fmt: skip
"""What an example of each kind asks; a kind that is missing here asks nothing."""
IN_GAMES = ("think", "questions")
"""Examples that are a page of their game, at their position."""


def exercises_of(recorder: Recorder, topic: str) -> list[list[dict[str, Any]]]:
    """Each kind of a topic's exercises as some seeds draw it, with all that answers are held against."""
    from outplay.web.lessons import TRIES

    found = []
    for number in range(exercises.many(topic)):
        drawn: dict[str, dict[str, Any]] = {}
        for seed in range(DRAWN):
            each = exercises.draw(topic, number, seed)
            if str(each) in drawn:
                continue
            address = f"/api/exercises/{topic}/{number}"
            names = {}
            if each.picks:
                tree = exercises.searched(each.tree, each.algorithm)[1]
                names = {str(node): tree.name(node) for node in range(1, len(tree))}
            told = recorder._said(address, {"seed": seed, "attempt": TRIES, "answer": ""})[0]
            drawn[str(each)] = {
                "asked": recorder._said(f"{address}?seed={seed}", None)[0], "names": names, "tries": TRIES,
                "solution": {key: told[key] for key in ("answer", "solution", "svg", "frames") if key in told},
                "known": {"picks": each.picks, "answer": each.answer, "choices": list(each.choices), "hint": each.hint,
                          "mistakes": dict(each.mistakes), "tolerance": each.tolerance},
            }  # fmt: skip
        found.append(list(drawn.values()))
    recorder._keep("/api/exercises", None, {"topics": {topic: len(found)}})
    return found


# ---------------------------------------------------------------- the scripts of lessons as one


@functools.cache
def scripts() -> str:
    """All that lessons need, as one script that opens from a disk, too: `run(recorded)` begins."""
    parts = ["const modules = {};"]
    for name in MODULES:
        text = stepper() + "\nexport { Stepper };\n" if name == "tree" else (STATIC / f"{name}.js").read_text("utf-8")
        parts.append(_room(name, text))
    begun = "window.lesson = (recorded) => {\nwindow.recorded = { ...recorded, check: checked };\n"
    return f"{begun}{''.join(parts)}}};\n{_checked()}"


def _room(name: str, text: str) -> str:
    """A module as a function of its own, whose names are nobody else's."""
    text = re.sub(r"^import \* as (\w+) from \"\./([\w-]+)\.js\";$", r'const \1 = modules["\2"];', text, flags=re.M)

    def import_(found: re.Match[str]) -> str:
        source = "recorded" if found[2] == "studio" and name != "recorded" else found[2]
        return f"const {{{found[1].replace(' as ', ': ')}}} = modules[{source!r}];"

    text = re.sub(r"^import \{([^}]*)\} from \"\./([\w-]+)\.js\";$", import_, text, flags=re.M)
    given = re.findall(r"^export (?:async )?(?:const|let|function|class) ([\w$]+)", text, flags=re.M)
    for listed in re.findall(r"^export \{([^}]*)\};$", text, flags=re.M):
        given += [each.strip() for each in listed.split(",")]
    for listed in re.findall(r"^export const \{([^}]*)\}", text, flags=re.M):
        given += [each.strip() for each in listed.split(",")]
    text = re.sub(r"^export \{[^}]*\};$", "", text, flags=re.M)
    text = re.sub(r"^export ", "", text, flags=re.M)
    return f"modules[{name!r}] = (() => {{\n{text}\nreturn {{ {', '.join(dict.fromkeys(given))} }};\n}})();\n"


def _checked() -> str:
    """The course's own rule for answers, translated."""
    script = Script()
    check = script.value(exercises.check)
    return (
        f"const checked = (() => {{\n{own('python.js')}\n{script.text()}\n"
        "return (known, said) => { const as_python = { ...known, choices: $.tuple_(known.choices), "
        "mistakes: $.dict(Object.entries(known.mistakes)) };\n"
        f"const told = {check}(as_python, said); return {{ right: told.is_right, hint: told.hint }}; }};\n}})();\n"
    )
