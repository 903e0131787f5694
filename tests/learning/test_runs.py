"""What a run of learning leaves behind, whatever it learns."""

from dataclasses import dataclass

from outplay.learning import recipes
from outplay.learning.run import Run


@dataclass(frozen=True)
class Settings:
    game: str


class Idle(Run):
    """Learns nothing."""

    recipe, file, Settings = "idle", "network.outplay", Settings

    def begin(self):
        self.saved = 0

    def steps(self):
        yield

    def save(self):
        self.saved += 1

    def standing(self):
        return {"saved": self.saved}

    def has_learned(self):
        return False


def test_a_run_too_short_to_learn_anything_has_its_picture(tmp_path, monkeypatch):
    monkeypatch.setattr(recipes, "kind_of", lambda *_: Idle)
    report = recipes.learn("tic-tac-toe", str(tmp_path), seconds=0, against=[])
    assert report["saved"] == 1 and report["checkpoint"] == str(tmp_path / "network.outplay")
    assert "no match was played yet" in (tmp_path / "curve.svg").read_text()
