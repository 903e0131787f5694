"""The texts of the studio's interface, read from its pages and scripts: for whoever translates, and for a test that misses none.

python -m tests.web.texts de     # what de.json does not have, and what it has that nobody says any more
"""

import itertools
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import outplay.web

HOUSE = Path(outplay.web.__file__).parent.parent
STATIC = HOUSE / "web" / "static"
NAMES = ("title", "aria-label", "placeholder", "alt", "label")
MUTE = {"script", "style", "code", "pre", "textarea"}
ALONE = {"input", "img", "br", "link", "meta", "hr"}
SLOT = re.compile(r"\{#?\d\}")
HOLE = "\0"  # where a script puts something in
PICTURE = re.compile(r"[\w.-]+(?:px| \d)|(?:translate|scale)\(")
ORDINARY = re.compile(r"[A-Z][a-z]+(?:[ …,.:!?]|$)|[a-z]{2,}[,;:]? [a-zA-Z]{2,}")
"""What a text for people looks like, beside names of classes, events, files and keys."""
NO_TEXT = {
    "input, select, textarea", "input, select, textarea, [contenteditable]", "input, select, textarea, dialog, [role=tablist]",
    "script, style, code, pre, textarea, .live, [translate]", "button.answer, input", "English", "Deutsch", "KQkq", "/openapi.json",
    "outplay lectures sizes", f"outplay best … --algorithm {HOLE}", "caption status", "worth best", "tile pictured", "drawn ring",
    "chart worth-chart", "Backspace", "viewBox", "preserveAspectRatio", "childList", "DOMContentLoaded", "replaceState",
    "pushState", f"face seat-{HOLE}", "vacuum world:erratic=true", "vacuum world:sensors=none",
}  # fmt: skip
"""What looks like a text and is none: selectors, classes, keys, commands, and names of languages in their own."""


class Page(HTMLParser):
    """The texts and named attributes of a page, as the browser has them: one for each node."""

    def __init__(self):
        super().__init__()
        self.open, self.said = [], []

    def handle_starttag(self, tag, attributes):
        if tag not in ALONE:
            self.open.append(tag)
        self.said += [value for name, value in attributes if name in NAMES and value]

    def handle_endtag(self, tag):
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data):
        if not MUTE & set(self.open):
            self.said.append(data)


def texts_of_page(source):
    """What a page says, without what the server puts in."""
    page = Page()
    page.feed(source)
    return [
        text
        for text in (plain(text) for text in page.said)
        if re.search(r"[^\W\d]{2}", text) and "{{" not in text and text not in NO_TEXT
    ]


def plain(text):
    return " ".join(text.split())


class Script:
    """The literals of a script: strings and templates, with holes where a template puts something in."""

    def __init__(self, source):
        self.source, self.literals = source, []
        self.code(0)

    def code(self, at, inner=False):
        """Read code up to its end, or to the brace that closes an inner part; where it ends."""
        source, depth, before = self.source, 0, ""
        while at < len(source):
            sign = source[at]
            if sign in "\"'":
                at, before = self.string(at), sign
            elif sign == "`":
                at, before = self.template(at), sign
            elif source.startswith("//", at):
                at = source.find("\n", at) % (len(source) + 1)
            elif source.startswith("/*", at):
                at = source.index("*/", at) + 2
            elif sign == "/" and (
                before in "(,=:[!&|?{};+-*%<>~^" or re.search(r"\b(?:return|typeof|case)\s*$", source[max(0, at - 12) : at])
            ):
                at, before = self.pattern(at), "a"
            else:
                depth += (sign == "{") - (sign == "}")
                if inner and depth < 0:
                    return at + 1
                before = before if sign.isspace() else sign
                at += 1
        return at

    def string(self, at):
        end = re.compile(rf"(?:\\.|[^\\{self.source[at]}])*").match(self.source, at + 1).end()
        self.literals.append(re.sub(r"\\(.)", lambda found: {"n": "\n"}.get(found[1], found[1]), self.source[at + 1 : end]))
        return end + 1

    def template(self, at):
        made, at = "", at + 1
        while self.source[at] != "`":
            if self.source[at] == "\\":
                made, at = made + self.source[at + 1], at + 2
            elif self.source.startswith("${", at):
                made, at = made + HOLE, self.code(at + 2, inner=True)
            else:
                made, at = made + self.source[at], at + 1
        self.literals.append(made)
        return at + 1

    def pattern(self, at):
        inside, at = False, at + 1
        while self.source[at] != "/" or inside:
            inside = (inside or self.source[at] == "[") and self.source[at] != "]"
            at += 2 if self.source[at] == "\\" else 1
        return at + 1


def texts_of_script(source):
    """What a script says to people: its literals that look like it, markup taken apart."""
    found = []
    for literal in Script(source).literals:
        if literal.startswith(("map\n", "sudoku\n", "A, B")):
            continue
        parts = [literal]
        if re.search(r"</?[a-z]", literal):
            page = Page()
            page.feed(literal if "<svg" in literal or not re.match(r"[^<]*>", literal) else "")
            parts = page.said
        found += [plain(part) for part in parts if is_said(plain(part))]
    return found


def is_said(text):
    words = text.replace(HOLE, " ").strip()
    if (
        text in NO_TEXT
        or not ORDINARY.search(words)
        or PICTURE.search(words)
        or re.search(r"[a-z]\(|=>|^[.#\[/]|^[\w-]+/[\w-]+$|←|\)$", words)
    ):
        return False
    return not re.fullmatch(
        r"[A-Z][a-z]+[A-Z]\w*|(?:[a-z-]+ )*(?:half|row|faint|good|refusal|number|gone|plan|pane)(?: [a-z-]+)*", words
    )


def languages():
    """The files of other languages, by their code."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(STATIC.glob("??.json"))}


def interface():
    """Every text of the pages and scripts with where it stands."""
    for path in sorted(STATIC.glob("*.html")):
        for text in texts_of_page(
            path.read_text("utf-8").replace("\n", " ", 1) if path.name != "api.html" else path.read_text("utf-8")
        ):
            yield path.name, text
    for path in sorted(STATIC.rglob("*.js")):
        # pseudo-code stays as the lectures write it
        source = path.read_text("utf-8")
        for text in texts_of_script(re.sub(r"^const CODE = .*?^}", "", source, flags=re.DOTALL | re.MULTILINE)):
            yield path.name, text


def finder(keys):
    """Whether a text of a page or script is among the keys: whole, as a part of one, or as one with something put in."""
    made = [SLOT.sub("\1", key) for key in keys]
    everything = "\n".join(made)

    def known(text):
        bare = text.strip(" ·,;:.…()").replace(" …", "")
        if bare in everything:
            return True
        if HOLE not in text:
            return False
        return (
            re.search("^.*" + ".*".join(re.escape(part) for part in bare.split(HOLE)) + ".*$", everything, re.MULTILINE) is not None
        )

    return known


def unused(keys):
    """Keys that nobody says any more: a word of theirs stands nowhere in the house, or most pairs of neighbouring words do not."""
    paths = [path for kind in ("*.py", "*.js", "*.html") for path in HOUSE.rglob(kind)]
    house = words("\n".join(re.sub(r"\bf(?=[\"'])", " ", path.read_text("utf-8")) for path in paths))
    single, pairs = set(house), set(itertools.pairwise(house))
    single |= {word + "s" for word in single}

    def is_said(key):
        parts = [words(part) for part in SLOT.split(key)]
        near = [pair in pairs for part in parts for pair in itertools.pairwise(part)]
        composed = sum(map(len, parts)) <= 3  # a colour and a piece, a number and its dice
        return all(word in single for part in parts for word in part) and (composed or 2 * sum(near) >= len(near))

    return [key for key in keys if not is_said(key)]


def words(text):
    return re.findall(r"[^\W_]+", text.lower())


def main():
    texts = languages()[sys.argv[1]]["texts"]
    known = finder(texts)
    for place, text in dict.fromkeys((place, text) for place, text in interface() if not known(text)):
        print(f"{place}: {text.replace(HOLE, '{}')}")
    for key in unused(texts):
        print(f"not said any more: {key}")


if __name__ == "__main__":
    main()
