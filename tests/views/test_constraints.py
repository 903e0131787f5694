"""Pictures of constraint problems are well-formed and say what they show."""

from __future__ import annotations

from xml.etree import ElementTree

from outplay.views.constraints import edges, graph, layout, search_page


def test_edges_join_what_shares_a_constraint():
    assert edges([("a", "b"), ("b", "a"), ("a", "b", "c")]) == [("a", "b"), ("a", "c"), ("b", "c")]


def test_graph_is_xml_with_a_node_each_and_escapes():
    names = ["a<b", "c&d", "e"]
    root = ElementTree.fromstring(graph(names, [("a<b", "e")], {"e": "red", "c&d": 7}, title="<x>"))
    kinds = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert kinds.count("circle") == 3 and kinds.count("line") == 1
    assert ElementTree.fromstring(graph([], [])) is not None


def test_layout_keeps_neighbours_nearer_than_strangers():
    names = [f"n{i}" for i in range(8)]
    pairs = [(f"n{i}", f"n{i + 1}") for i in range(7)]
    spots = layout(names, pairs)
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in spots.values())
    far = abs(spots["n0"][0] - spots["n7"][0]) + abs(spots["n0"][1] - spots["n7"][1])
    near = abs(spots["n0"][0] - spots["n1"][0]) + abs(spots["n0"][1] - spots["n1"][1])
    assert near < far


def test_a_page_cannot_be_left_by_a_value():
    step = {"depth": 1, "variable": "x", "value": "</script>", "domains": {"x": ["</script>"]}, "failed": None, "solved": True}
    page = search_page({"x": ["</script>", 1]}, [step], "a & b")
    assert page.count("</script>") == 1 and "<title>a &amp; b</title>" in page
