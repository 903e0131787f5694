"""What goes over the wire: compressed, pages of less than 100 KB with all that they load, streams as they come."""

import gzip
import posixpath
import re

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from fastapi.testclient import TestClient

from outplay import extras
from outplay.web import pages
from outplay.web.app import create_app

MOST = 100_000
PARTS = {"topic": "alphabeta", "number": "1", "family": "chess", "side": "first"}
"""What stands in an address in place of a word in braces."""


@pytest.fixture(scope="module")
def studio():
    with TestClient(create_app(), base_url="http://localhost", headers={"accept-encoding": "gzip"}) as client:
        yield client


def loaded(studio, path, read):
    """All that is loaded at once for a page or a file, itself among it; `read` keeps bytes, and what is loaded, of each."""
    found, waiting = set(), [path]
    while waiting:
        here = waiting.pop()
        if here in found:
            continue
        found.add(here)
        if here not in read:
            answer = studio.get(here, headers={"accept": "text/html"})
            assert answer.status_code == 200, here
            read[here] = int(answer.headers["content-length"]), wanted(here, answer)
        waiting += read[here][1]
    return found


def wanted(path, answer):
    """What a page or a script loads at once."""
    if path.endswith(".js"):
        found = re.findall(r'^import .*?"([^"]+)";', answer.text, re.MULTILINE)
        return [posixpath.normpath(posixpath.join(posixpath.dirname(path), each)) for each in found]
    is_page = "html" in answer.headers["content-type"]
    return re.findall(r'<(?:script|link|img)[^>]* (?:src|href)="(/static/[^"]+)"', answer.text) if is_page else []


def every_page(studio):
    """Every address that a page may have: those of the routes, and all that pages link to."""
    record = studio.post("/api/records", json={"game": "chess"}).json()["address"]
    token = studio.post(f"/api/records/{record}/share", json={}).json()["watch"]
    parts = {**PARTS, "address": record, "token": token}
    routers = [pages.router, *(each.fetch(each.pages) for each in extras.every() if each.pages)]
    routes = [route.path for router in routers for route in router.routes if "GET" in route.methods]
    waiting = [re.sub(r"{(\w+)(?::\w+)?}", lambda m: parts.get(m[1], "play"), path) for path in routes]
    found = {}
    while waiting:
        path = waiting.pop()
        if path in found or path.startswith(("/static", "/api/")):
            continue
        answer = studio.get(path, headers={"accept": "text/html"})
        found[path] = answer.status_code == 200 and "html" in answer.headers.get("content-type", "")
        if found[path]:
            waiting += [re.split("[?#]", link)[0] for link in re.findall(r'href="(/[^"/][^"]*)"', answer.text)]
    return sorted(path for path, is_page in found.items() if is_page)


def test_every_page_with_all_that_it_loads_is_less_than_100_kilobytes(studio):
    read = {}
    sizes = {path: sum(read[each][0] for each in loaded(studio, path, read)) for path in every_page(studio)}
    assert {path: size for path, size in sizes.items() if not 1000 < size < MOST} == {}
    assert {"/", "/play", "/inside", "/learn/alphabeta", "/arena", "/puzzles", "/api", "/learn/constraints"} <= sizes.keys()
    assert len(sizes) > 40 and sum("/play/" in path or "/watch/" in path for path in sizes) == 2


def test_answers_are_compressed_for_who_can_unpack_them_and_streams_are_not(studio):
    packed = studio.get("/static/play.js")
    plain = studio.get("/static/play.js", headers={"accept-encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip" and packed.headers["vary"] == "accept-encoding"
    assert "content-encoding" not in plain.headers and packed.text == plain.text
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    assert len(gzip.compress(plain.content)) == pytest.approx(int(packed.headers["content-length"]), rel=0.1)
    look = studio.post("/api/positions", json={"game": "chess"})
    assert look.headers["content-encoding"] == "gzip" and look.json()["game"] == "chess"
    stream = studio.post("/api/think", json={"game": "tic-tac-toe", "algorithm": "minimax", "depth": 2})
    assert "content-encoding" not in stream.headers and stream.headers["content-type"].startswith("application/x-ndjson")
    assert "content-encoding" not in studio.get("/static/icon.svg", headers={"range": "bytes=0-9"}).headers
