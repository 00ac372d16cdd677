"""A gated feed-forward block, GEGLU or SwiGLU, forward and backward in plain NumPy and gelu_ufunc.

The gradients are checked against finite differences and PyTorch, the result against PyTorch."""

import argparse

import numpy as np
from gradient_check import (
    against_finite_differences,
    report,
    report_beside_torch,
    torch_activation,
)

import gelu_ufunc

ACTIVATIONS = {
    "geglu": "gelu",
    "geglu_tanh": "gelu_tanh",
    "geglu_sigmoid": "gelu_sigmoid",
    "swiglu": "silu",
}

# ---- the block


class GatedFFN:
    """(f(x gate) * (x up)) down: * is element by element, f what the block is named after."""

    def __init__(self, kind, width, inner, rng, dtype=np.float32):
        self.activation = ACTIVATIONS[kind]
        self.gated = getattr(gelu_ufunc, kind)
        self.activation_backward = getattr(gelu_ufunc, f"{self.activation}_backward")
        shapes = ((width, inner), (width, inner), (inner, width))
        self.weights = [
            rng.normal(0, 1 / np.sqrt(shape[0]), shape).astype(dtype) for shape in shapes
        ]

    def forward(self, x):
        """The result, and what backward needs."""
        gate_weight, up_weight, down_weight = self.weights
        gate, up = x @ gate_weight, x @ up_weight
        hidden = self.gated(gate, up)
        return hidden @ down_weight, (x, gate, up, hidden)

    def backward(self, grad_output, kept):
        """The gradients of x and of the three weights, of that of the result."""
        x, gate, up, hidden = kept
        gate_weight, up_weight, down_weight = self.weights
        grad_hidden = grad_output @ down_weight.T
        grad_up = self.gated(gate, grad_hidden)  # f(gate) * grad_hidden
        grad_gate = self.activation_backward(grad_hidden * up, gate)
        grad_x = grad_gate @ gate_weight.T + grad_up @ up_weight.T
        return [grad_x, x.T @ grad_gate, x.T @ grad_up, hidden.T @ grad_output]


# ---- its check


def torch_results(block, x, grad_output):
    """The result and the gradients by automatic differentiation."""
    import torch

    inputs = [torch.tensor(array, requires_grad=True) for array in (x, *block.weights)]
    x, gate, up, down = inputs
    result = (torch_activation(block.activation)(x @ gate) * (x @ up)) @ down
    result.backward(torch.from_numpy(grad_output))
    return [result.detach().numpy(), *(each.grad.numpy() for each in inputs)]


def check(kind, tokens, width, inner):
    """In float64."""
    rng = np.random.default_rng(0)
    block = GatedFFN(kind, width, inner, rng, np.float64)
    x, grad_output = rng.standard_normal((2, tokens, width))
    result, kept = block.forward(x)
    gradients = block.backward(grad_output, kept)

    def loss():  # the gradient of which is grad_output
        return np.vdot(block.forward(x)[0], grad_output)

    worst = against_finite_differences(loss, [x, *block.weights], gradients)
    report(f"{kind}: gradients beside finite differences", worst, 1e-6)
    report_beside_torch([result, *gradients], lambda: torch_results(block, x, grad_output))


# ---- command line


def make_parser():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kinds", nargs="+", choices=ACTIVATIONS, default=list(ACTIVATIONS))
    for name, default in (("tokens", 32), ("width", 48), ("inner", 128)):
        parser.add_argument(f"--{name}", type=int, default=default, help="default: %(default)s")
    return parser


def main(arguments=None):
    parser = make_parser()
    options = parser.parse_args(arguments)
    if min(options.tokens, options.width, options.inner) < 1:
        parser.error("--tokens, --width and --inner must be at least 1")
    for kind in options.kinds:
        check(kind, options.tokens, options.width, options.inner)


if __name__ == "__main__":
    main()
