"""The same networks in torch, for training and for a GPU; only this module and `alphazero` import torch (the extra `learn`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from outplay.networks.nets import HIDDEN, POLICY_CHANNELS, VALUE_CHANNELS, Net


class Block(nn.Module):
    """Two convolutions and a way around them."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.one = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.one_norm = nn.BatchNorm2d(channels)
        self.two = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.two_norm = nn.BatchNorm2d(channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The input plus what two convolutions make of it."""
        y = functional.relu(self.one_norm(self.one(x)))
        return functional.relu(x + self.two_norm(self.two(y)))


class Network(nn.Module):
    """What is trained: with batch normalisation, in full precision."""

    def __init__(self, planes: tuple[int, int, int], actions: int, blocks: int, channels: int, targets: int = 0) -> None:
        super().__init__()
        self.planes, self.actions, self.depth, self.channels, self.targets = planes, actions, blocks, channels, targets
        points = planes[1] * planes[2]
        self.first = nn.Conv2d(planes[0], channels, 3, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.blocks = nn.ModuleList(Block(channels) for _ in range(blocks))
        self.policy = nn.Conv2d(channels, POLICY_CHANNELS, 1)
        self.policy_out = nn.Linear(POLICY_CHANNELS * points, actions)
        self.value = nn.Conv2d(channels, VALUE_CHANNELS, 1)
        self.value_hidden = nn.Linear(VALUE_CHANNELS * points, HIDDEN)
        self.value_out = nn.Linear(HIDDEN, 1)
        self.target = nn.Conv2d(channels, 1, 1) if targets else None

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """Logits, value and targets."""
        x = functional.relu(self.first_norm(self.first(x)))
        for block in self.blocks:
            x = block(x)
        return heads(self, x)


def heads(net: Any, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
    """What the three heads make of the trunk's last layer."""
    logits = net.policy_out(functional.relu(net.policy(x)).flatten(1))
    hidden = functional.relu(net.value_hidden(functional.relu(net.value(x)).flatten(1)))
    value = torch.tanh(net.value_out(hidden))[:, 0]
    return logits, value, torch.tanh(net.target(x)).flatten(1) if net.target is not None else None


class Folded(nn.Module):
    """What is asked in self-play: batch normalisation folded into the convolutions, in half precision on a GPU."""

    def __init__(self, like: Network) -> None:
        super().__init__()
        channels = like.channels
        self.first = nn.Conv2d(like.planes[0], channels, 3, padding=1)
        self.convolutions = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=1) for _ in range(2 * like.depth))
        self.policy = nn.Conv2d(channels, POLICY_CHANNELS, 1)
        self.policy_out = nn.Linear(like.policy_out.in_features, like.actions)
        self.value = nn.Conv2d(channels, VALUE_CHANNELS, 1)
        self.value_hidden = nn.Linear(like.value_hidden.in_features, HIDDEN)
        self.value_out = nn.Linear(HIDDEN, 1)
        self.target = None  # nobody asks for targets in self-play

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and value."""
        x = functional.relu(self.first(x))
        for one, two in zip(self.convolutions[::2], self.convolutions[1::2], strict=True):
            x = functional.relu(x + two(functional.relu(one(x))))
        logits, value, _ = heads(self, x)
        return logits, value

    @torch.no_grad()
    def take(self, net: Network) -> None:
        """Take over what a network has learned."""
        pairs = [(net.first, net.first_norm)]
        for block in net.blocks:
            pairs += [(block.one, block.one_norm), (block.two, block.two_norm)]
        for mine, (convolution, norm) in zip([self.first, *self.convolutions], pairs, strict=True):
            weight, bias = folded(convolution, norm)
            mine.weight.copy_(weight)
            mine.bias.copy_(bias)
        for name in ("policy", "policy_out", "value", "value_hidden", "value_out"):
            getattr(self, name).weight.copy_(getattr(net, name).weight)
            getattr(self, name).bias.copy_(getattr(net, name).bias)


@torch.no_grad()
def restored(net: Net) -> Folded:
    """A network's file as torch asks it."""
    made = Folded(Network(net.planes, net.actions, net.blocks, net.channels, net.targets))
    layers: dict[str, nn.Module] = {"first": made.first, "policy": made.policy, "policy.out": made.policy_out, "value": made.value,
                                    "value.hidden": made.value_hidden, "value.out": made.value_out}  # fmt: skip
    for place, convolution in enumerate(made.convolutions):
        layers[f"{place // 2}.{('one', 'two')[place % 2]}"] = convolution
    for name, layer in layers.items():
        for part in ("weight", "bias"):
            held: Any = getattr(layer, part)
            held.copy_(torch.from_numpy(net.weights[f"{name}.{part}"]).reshape(held.shape))
    return made


def _layers(net: Network) -> dict[str, tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """The convolutions of the trunk with their normalisation, by their names in a file, from the first to the last."""
    found = {"first": (net.first, net.first_norm)}
    for number, block in enumerate(net.blocks):
        found |= {f"{number}.one": (block.one, block.one_norm), f"{number}.two": (block.two, block.two_norm)}
    return found


@torch.no_grad()
def take_up(net: Network, source: Net) -> None:
    """Begin from a network's file: the same convolutions, with their biases behind a normalisation that is to be settled still."""
    layers = _layers(net)
    for name, (_, norm) in layers.items():
        norm.bias.copy_(torch.from_numpy(source.weights[f"{name}.bias"]))
    heads = {"policy": net.policy, "policy.out": net.policy_out, "value": net.value, "value.hidden": net.value_hidden,
             "value.out": net.value_out} | ({"target": net.target} if net.target is not None else {})  # fmt: skip
    for name, layer in [*((name, convolution) for name, (convolution, _) in layers.items()), *heads.items()]:
        layer.weight.copy_(torch.from_numpy(source.weights[f"{name}.weight"]).reshape(layer.weight.shape))
        if layer.bias is not None:
            layer.bias.copy_(torch.from_numpy(source.weights[f"{name}.bias"]))


@torch.no_grad()
def settle(net: Network, seen: torch.Tensor) -> None:
    """Fit the normalisation of a network that was taken up: each layer gives what it gave in the file, and its means and variances
    are those over what is seen."""

    def through(convolution: nn.Conv2d, norm: nn.BatchNorm2d, x: torch.Tensor) -> torch.Tensor:
        y = convolution(x)
        assert norm.running_var is not None and norm.running_mean is not None
        variance, mean = torch.var_mean(y, (0, 2, 3), unbiased=False)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.copy_(torch.sqrt(variance + norm.eps))
        norm.bias.add_(mean)
        return y + (norm.bias - mean)[:, None, None]

    x = functional.relu(through(net.first, net.first_norm, seen.float()))
    for block in net.blocks:
        y = functional.relu(through(block.one, block.one_norm, x))
        x = functional.relu(x + through(block.two, block.two_norm, y))


def folded(convolution: nn.Conv2d, norm: nn.BatchNorm2d) -> tuple[torch.Tensor, torch.Tensor]:
    """Weight and bias of one convolution that does what a convolution and its batch normalisation do."""
    assert norm.running_var is not None and norm.running_mean is not None
    scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    return convolution.weight * scale[:, None, None, None], norm.bias - norm.running_mean * scale


@torch.no_grad()
def exported(net: Network, game: str, trained: Mapping[str, Any]) -> Net:
    """The network as a file holds it."""

    def plain(tensor: torch.Tensor) -> np.ndarray:
        return tensor.detach().float().cpu().numpy().astype(np.float16).astype(np.float32)

    weights: dict[str, np.ndarray] = {}

    def add(name: str, weight: torch.Tensor, bias: torch.Tensor) -> None:
        weights[f"{name}.weight"], weights[f"{name}.bias"] = plain(weight), plain(bias)

    add("first", *folded(net.first, net.first_norm))
    for number, block in enumerate(net.blocks):
        add(f"{number}.one", *folded(block.one, block.one_norm))
        add(f"{number}.two", *folded(block.two, block.two_norm))
    add("policy", net.policy.weight[:, :, 0, 0], net.policy.bias)
    add("policy.out", net.policy_out.weight, net.policy_out.bias)
    add("value", net.value.weight[:, :, 0, 0], net.value.bias)
    add("value.hidden", net.value_hidden.weight, net.value_hidden.bias)
    add("value.out", net.value_out.weight, net.value_out.bias)
    if net.target is not None:
        add("target", net.target.weight[:, :, 0, 0], net.target.bias)
    return Net(game, net.planes, net.actions, net.depth, net.channels, weights, net.targets, trained)
