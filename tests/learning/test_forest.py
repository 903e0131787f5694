"""The forest's steps as CUDA kernels: in CUDA's simulator everywhere, and on a GPU where there is one."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from outplay.game import load

GAME = "connect four:width=4,height=4,line=3"

SIMULATED = """
import json, numpy as np, torch
from outplay.game import load
from outplay.learning import forest
game = load("GAME")
steps = forest.gpu_steps(game.rules)

class Simulated(forest.Forest):
    def run(self, name, *args):
        steps[name][2, 2](self.room, self.size, *args, self._trees)

def ask(seen):
    sums = (seen.reshape(len(seen), -1).long() * torch.arange(1, seen[0].numel() + 1) ** 2).sum(1)
    return ((sums[:, None] + 17) * (torch.arange(4) * 7919 + 13) % 1009).float() / 256, (sums * 31 % 257 - 128).float() / 128

told = []
for kind in (forest.Forest, Simulated):
    grown = kind(torch, game, 3, 3, 30)
    seen = []
    for considered in (4, 0, 4, 4, 0, 4, 4, 4, 4, 4, 4):  # halving at the root, and PUCT there
        grown.search(ask, 3, considered=considered, noisy=0.0)
        seen += [grown.trees[name].tolist() for name in ("visits", "children", "totals")]
        grown.move(full=True)
    seen += [grown.kept[name].tolist() for name in ("values", "ready", "finished")]
    told.append((seen, grown.kept["policies"].numpy()))
print(json.dumps([told[0][0] == told[1][0] and bool(np.allclose(told[0][1], told[1][1])), sum(told[0][0][-1])]))
""".replace("GAME", GAME)


def test_the_kernels_grow_the_same_trees_in_the_simulator():
    pytest.importorskip("torch")
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", SIMULATED], env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
                          capture_output=True, text=True, timeout=600)  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    same, finished = json.loads(done.stdout)
    assert same and finished > 0


@pytest.mark.parametrize("name", [GAME, "go:size=5,policy=light", "othello:size=4,score=wld"])
def test_on_cuda_the_same_trees_grow_as_on_the_processor(name):
    torch = pytest.importorskip("torch")
    from outplay.compiling import gpu

    if not (torch.cuda.is_available() and gpu.available()):
        pytest.skip("no GPU on this machine")
    from outplay.learning.forest import Forest

    game, grown = load(name), {}

    def ask(seen):  # exact on any processor, and hardly ever the same for two actions: a tie goes as rounding has it
        sums = (seen.reshape(len(seen), -1).long() * torch.arange(1, seen[0].numel() + 1, device=seen.device) ** 2).sum(1)
        actions = torch.arange(forest.size, device=seen.device)
        return ((sums[:, None] + 17) * (actions * 7919 + 13) % 1009).float() / 256, (sums * 31 % 257 - 128).float() / 128

    for device in ("cpu", "cuda"):
        forest = Forest(torch, game, 100, 12, 30, device)
        grown[device] = []
        for considered in (4, 0, 8, 4):
            forest.search(ask, 12, considered=considered, noisy=0.0)
            grown[device] += [forest.trees[array].cpu().numpy().copy() for array in ("visits", "children", "totals")]
            forest.move(full=True)
        grown[device].append(forest.kept["policies"].cpu().numpy().copy())
    for mine, other in zip(grown["cpu"][:-1], grown["cuda"][:-1], strict=True):
        assert np.array_equal(mine, other)
    assert np.allclose(grown["cpu"][-1], grown["cuda"][-1], atol=1e-5)


def test_a_network_learns_on_its_own_scale_whatever_a_game_is_worth(tmp_path):
    """Connect four for 24 points is learned as connect four for one: outcomes lie between -1 and 1, and searches see 24."""
    torch = pytest.importorskip("torch")
    from outplay.learning.forest import Forest

    path = tmp_path / "dear.py"
    path.write_text(
        "from outplay.game import load\nfrom outplay.rules import game\n\n"
        "@game('dear four')\nclass Dear(load('connect four').rules.definition.maker(width=3, height=3, line=3)):\n"
        "    bounds = (-24.0, 24.0)\n    def utility(self, seat):\n"
        "        return 24.0 if seat != self.turn else -24.0\n"
    )
    game = load(str(path))
    forest = Forest(torch, game, 4, 8, 20)
    for _ in range(30):
        forest.search(lambda seen: (torch.zeros((len(seen), 3)), torch.zeros(len(seen))), 6, considered=2)
        forest.move(full=True)
    worth = forest.kept["values"][forest.ready_rows()]
    assert forest.size == 3
    assert len(worth) and set(worth.abs().round(decimals=4).tolist()) <= {0.0, 1.0, 2.0} and (worth.abs() == 1.0).any()


def test_a_network_of_the_wrong_width_is_refused_before_a_kernel_reads_it():
    torch = pytest.importorskip("torch")
    from outplay.learning.forest import Forest

    forest = Forest(torch, load(GAME), 2, 2, 2)
    with pytest.raises(ValueError, match=r"logits of shape \(2, 4\) and values of shape \(2,\), got \(2, 3\) and \(2,\)"):
        forest.search(lambda seen: (torch.zeros((2, 3)), torch.zeros(2)), 1)
