"""Charts for push or fold: published shares of hands, the grid's order, and plain data for pages."""

import json

import numpy as np
import pytest

from outplay.errors import BadValue
from outplay.experts.poker.charts import largest_stacks, solve_chart


def test_a_chart_has_the_published_shares_and_the_usual_order():
    chart = solve_chart(8)
    assert (chart.pushed, chart.called) == (pytest.approx(0.6186, abs=2e-3), pytest.approx(0.4497, abs=2e-3))
    assert chart.names[0][0] == "AA" and chart.names[0][12] == "A2s" and chart.names[12][0] == "A2o" and chart.names[12][12] == "22"
    assert np.diag(chart.push).min() > 0.99  # every pair is pushed with eight big blinds
    assert chart.push[12][11] < 0.01  # three-two offsuit is not
    told = json.loads(json.dumps(chart.data()))
    assert len(told["push"]) == 13 and told["exploitability"] < 1e-4


def test_the_largest_stack_of_a_hand():
    push, call = largest_stacks((2, 10))
    assert push[0][0] == call[0][0] == 10 and call[12][11] < 10
    assert (push >= call).mean() > 0.9  # pushing is looser than calling


def test_a_stack_of_nothing_is_refused():
    with pytest.raises(BadValue, match="1 to 1000 big blinds, got 0"):
        solve_chart(0)


def test_the_studio_draws_it():
    testclient = pytest.importorskip("fastapi.testclient")
    from outplay.web.app import create_app

    studio = testclient.TestClient(create_app(), base_url="http://localhost")
    page = studio.get("/charts/push-or-fold?stack=8").text
    assert "Push or fold with 8 big blinds" in page and ("61.8%" in page or "61.9%" in page)
    picture = studio.get("/charts/push-or-fold/push.svg?stack=8")
    assert picture.headers["content-type"].startswith("image/svg") and picture.text.count("<rect") == 169
    assert len(studio.get("/api/charts/push-or-fold?stack=8").json()["call"]) == 13
    assert "error" in studio.get("/api/charts/push-or-fold?stack=0").json()
