"""Trains a small network on scikit-learn's digits in plain NumPy, with gelu_ufunc's activations."""

import argparse
import itertools
import pathlib

import numpy as np
from gradient_check import (
    against_finite_differences,
    report,
    report_beside_torch,
    torch_activation,
)

import gelu_ufunc

SIZES = (64, 128, 64, 10)
BATCH = 64
MOMENTUM = 0.9
ACTIVATIONS = ("gelu", "gelu_tanh", "gelu_sigmoid", "silu")

# ---- the network


class Network:
    """Dense layers, weight and bias each, with an activation between them."""

    def __init__(self, activation, rng, dtype=np.float32):
        self.activation = activation
        self.activate = getattr(gelu_ufunc, f"bias_{activation}")
        self.backward = getattr(gelu_ufunc, f"{activation}_backward")
        self.layers = [
            (
                rng.normal(0, np.sqrt(2 / rows), (rows, columns)).astype(dtype),
                np.zeros(columns, dtype),
            )
            for rows, columns in itertools.pairwise(SIZES)
        ]

    @property
    def parameters(self):
        return [array for layer in self.layers for array in layer]

    def forward(self, x):
        """The logits; each layer's input, and its product with the weight."""
        inputs, products = [x], []
        for weight, bias in self.layers[:-1]:
            products.append(inputs[-1] @ weight)
            inputs.append(self.activate(products[-1], bias))
        weight, bias = self.layers[-1]
        return inputs[-1] @ weight + bias, inputs, products

    def loss(self, x, labels):
        return cross_entropy(self.forward(x)[0], labels)[0]

    def gradients(self, x, labels):
        """The loss, and its gradient for each of the parameters."""
        logits, inputs, products = self.forward(x)
        loss, grad = cross_entropy(logits, labels)
        gradients = []
        for i in reversed(range(len(self.layers))):
            gradients[:0] = [inputs[i].T @ grad, grad.sum(axis=0)]
            if i:
                grad = grad @ self.layers[i][0].T
                grad = self.backward(grad, products[i - 1] + self.layers[i - 1][1])
        return loss, gradients

    def accuracy(self, x, labels):
        return np.mean(self.forward(x)[0].argmax(axis=1) == labels)


def cross_entropy(logits, labels):
    """The mean over the rows, and its gradient."""
    shifted = logits - logits.max(axis=1, keepdims=True)
    log_probabilities = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    rows = np.arange(len(labels))
    grad = np.exp(log_probabilities)
    grad[rows, labels] -= 1
    return -log_probabilities[rows, labels].mean(), grad / len(labels)


# ---- the check of its gradients, in float64


def torch_gradients(network, x, labels):
    """By PyTorch's activations and its automatic differentiation."""
    import torch

    activation = torch_activation(network.activation)
    parameters = [torch.tensor(array, requires_grad=True) for array in network.parameters]
    logits = torch.from_numpy(x)
    for weight, bias in zip(parameters[:-2:2], parameters[1:-2:2], strict=True):
        logits = activation(logits @ weight + bias)
    logits = logits @ parameters[-2] + parameters[-1]
    torch.nn.functional.cross_entropy(logits, torch.from_numpy(labels)).backward()
    return [parameter.grad.numpy() for parameter in parameters]


def check(activation, x, labels):
    x = x.astype(np.float64)
    network = Network(activation, np.random.default_rng(0), np.float64)
    _, gradients = network.gradients(x, labels)
    worst = against_finite_differences(
        lambda: network.loss(x, labels), network.parameters, gradients
    )
    report("gradients beside finite differences", worst, 1e-6)
    report_beside_torch(gradients, lambda: torch_gradients(network, x, labels))


# ---- training


def digits():
    """8 x 8 pixels from 0 to 1, and what they show: of 1,347 to learn from, of 450 to test with."""
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    x, labels = load_digits(return_X_y=True)
    x = (x / 16).astype(np.float32)
    return train_test_split(x, labels, test_size=0.25, stratify=labels, random_state=0)


def train_epoch(network, velocities, x, labels, rng, rate):
    """Gradient descent with momentum, in place; return the mean loss."""
    losses = []
    order = rng.permutation(len(x))
    for batch in np.split(order, range(BATCH, len(x), BATCH)):
        loss, gradients = network.gradients(x[batch], labels[batch])
        losses.append(loss)
        for array, velocity, grad in zip(network.parameters, velocities, gradients, strict=True):
            velocity *= MOMENTUM
            velocity -= rate * grad
            array += velocity
    return np.mean(losses)


def train(options, x, test_x, labels, test_labels):
    """The network, and the losses of each epoch on what it learns from and on what it does not."""
    from tqdm import trange

    rng = np.random.default_rng(options.seed)
    network = Network(options.activation, rng)
    velocities = [np.zeros_like(array) for array in network.parameters]
    curves = []
    for _ in (bar := trange(options.epochs, desc="training", unit="epoch", disable=None)):
        loss = train_epoch(network, velocities, x, labels, rng, options.rate)
        curves.append((loss, network.loss(test_x, test_labels)))
        bar.set_postfix_str("loss {:.4f}, test {:.4f}".format(*curves[-1]))
    return network, np.array(curves)


def draw(curves, title, file):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4), layout="constrained")
    for curve, label in zip(curves.T, ("training", "test"), strict=True):
        axes.semilogy(np.arange(1, len(curve) + 1), curve, label=label)
    axes.set(xlabel="epoch", ylabel="cross entropy", title=title)
    axes.legend()
    figure.savefig(file, dpi=150)


# ---- command line


def make_parser():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--activation", choices=ACTIVATIONS, default="gelu")
    parser.add_argument("--epochs", type=int, default=30, help="default: %(default)s")
    parser.add_argument(
        "--rate", type=float, default=0.05, help="of learning; default: %(default)s"
    )
    parser.add_argument("--seed", type=int, default=0, help="default: %(default)s")
    parser.add_argument("--output", type=pathlib.Path, default="loss.png", help="the loss curves")
    return parser


def run(options):
    x, test_x, labels, test_labels = digits()
    check(options.activation, x[:BATCH], labels[:BATCH])
    network, curves = train(options, x, test_x, labels, test_labels)
    draw(curves, f"digits, {options.activation}", options.output)
    print("loss: {:.4f}, on the test's digits {:.4f}".format(*curves[-1]))
    print(f"test's digits recognised: {network.accuracy(test_x, test_labels):.1%}")
    print(f"loss curves: {options.output}")


def main(arguments=None):
    parser = make_parser()
    options = parser.parse_args(arguments)
    if options.epochs < 1:
        parser.error("--epochs must be at least 1")
    try:
        run(options)
    except (OSError, ValueError) as error:  # the latter: a picture format that there is not
        parser.error(str(error))
    except ImportError as error:
        parser.error(f"{error}; README.md beside this file says what to install")


if __name__ == "__main__":
    main()
