"""The studio in other languages: every text is in the file, none is there for nothing, and pages say what the file says."""

import re

import pytest

from outplay.game import game_names, load
from outplay.game.card import options
from tests.web import texts
from tests.web.board import recorded, start, sync_api

expect = sync_api.expect
FILES = texts.languages()
PAGES = ("/", "/play?game=tic-tac-toe", "/inside", "/compare", "/beside", "/constraints", "/arena", "/puzzles", "/learn",
         "/class", "/contest", "/yours", "/you", "/no-such-page")  # fmt: skip
PARTS = re.compile(r"\{#?(\d)\}")


@pytest.mark.parametrize("language", FILES)
def test_every_text_of_the_pages_and_scripts_is_in_the_file(language):
    known = texts.finder(FILES[language]["texts"])
    assert [(place, text.replace(texts.HOLE, "{}")) for place, text in texts.interface() if not known(text)] == []


@pytest.mark.parametrize("language", FILES)
def test_the_file_has_nothing_that_is_not_said_any_more(language):
    assert texts.unused(FILES[language]["texts"]) == []


@pytest.mark.parametrize("language", FILES)
def test_a_translation_puts_in_what_the_text_puts_in(language):
    for key, text in FILES[language]["texts"].items():
        assert text.strip() and key == " ".join(key.split()), key
        assert set(PARTS.findall(text)) <= set(PARTS.findall(key)), key
    keys = list(FILES[language]["texts"])
    assert keys == sorted(keys, key=lambda key: (key.lower(), key)), "in the order of the alphabet, so that one finds it"


@pytest.mark.parametrize("language", FILES)
def test_what_parameters_are_for_is_in_the_file(language):
    known = FILES[language]["texts"]
    assert [text for name in game_names() for text in options(load(name)).values() if text not in known] == []


def test_german_is_set_as_germans_set_it():
    for key, text in FILES["de"]["texts"].items():
        assert "JSON" in text or "[[" in text or not re.search(r"[\w}] %|\"\w|\.\.\.| - |\bz\. B\.|“\w", text), f"{key}: {text}"


def test_the_reader_of_texts_finds_what_a_script_says():
    source = 'say(`${count} games, ${more ? `and ${more} more` : "none"}`); // "not this one"\n'
    source += "if (/[\"'`]/.test(a)) tell('Your move.');"
    assert texts.Script(source).literals == ["and \0 more", "none", "\0 games, \0", "Your move."]
    assert texts.texts_of_page("<p title='A title'>Two <b>words</b></p><code>none</code>") == ["A title", "Two", "words"]
    known = texts.finder(["{#1} games are kept.", "Your move."])
    assert known("\0 games are \0.") and known("Your move") and not known("Their move.") and not known("\0 games are lost.")


@pytest.fixture
def german(browser):
    context = browser.new_context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce", locale="de-DE")
    made = context.new_page()
    problems = []
    made.on("pageerror", lambda problem: problems.append(str(problem)))
    yield made
    context.close()
    assert problems == []


def test_a_german_browser_is_answered_in_german_and_the_switch_is_remembered(german, address):
    german.goto(address)
    expect(german.locator("h1")).to_have_text("Spiel eine Partie. Sieh in die Suche hinein. Miss sie.")
    assert german.evaluate("document.documentElement.lang") == "de"
    german.select_option("#language", "en")
    expect(german.locator("h1")).to_have_text("Play a game. Look inside the search. Measure it.")
    german.goto(f"{address}/you")
    expect(german.locator("h1")).to_have_text("You")
    assert german.evaluate("document.documentElement.lang") == "en"


@pytest.mark.parametrize("path", PAGES)
def test_a_page_leaves_nothing_in_english(german, address, path):
    german.goto(address + path)
    expect(german.locator("nav#pages a").first).to_have_text("Spielen")
    german.wait_for_load_state("networkidle")
    own = {text for _, text in texts.interface() if texts.HOLE not in text}
    assert own.intersection(german.evaluate("[...untranslated]")) == set()


def test_a_game_is_played_in_german(german, address):
    start(german, address, "tic-tac-toe", "human", "human")
    expect(german.locator("#status")).to_contain_text("am Zug")
    expect(german.locator('.places button[aria-label="b2, spielbar"]')).to_be_attached()
    german.locator(".places button.target").first.click()
    recorded(german, 1)
    expect(german.locator("#status")).to_contain_text("zog")
    german.on("dialog", lambda dialog: dialog.dismiss())
    with german.expect_event("dialog") as asked:
        german.click("#resign")
    assert asked.value.message == "Diese Partie aufgeben?"
