"""What the examples check their gradients with."""

import importlib.util

import numpy as np

STEP = 1e-5  # the error of central differences, of order STEP**2 and eps / STEP, is then least
SAMPLES = 25  # coordinates of each array


def finite_differences(loss, array, where):
    """Derivatives of loss() with respect to the array's elements at these flat indices."""
    flat = array.reshape(-1)
    for index in where:
        value = flat[index]
        flat[index] = value + STEP
        above = loss()
        flat[index] = value - STEP
        below = loss()
        flat[index] = value
        yield (above - below) / (2 * STEP)


def difference(got, want):
    """The largest one, relative to the largest element."""
    return np.max(np.abs(got - want)) / np.max(np.abs(want))


def against_finite_differences(loss, arrays, gradients):
    """The largest difference over a sample of coordinates of all arrays."""
    rng = np.random.default_rng(0)
    worst = 0.0
    for array, gradient in zip(arrays, gradients, strict=True):
        where = rng.choice(array.size, min(SAMPLES, array.size), replace=False)
        want = np.array(list(finite_differences(loss, array, where)))
        worst = max(worst, difference(gradient.reshape(-1)[where], want))
    return worst


def report(name, worst, limit):
    """Print it; end the program if it is too large."""
    print(f"{name}: {worst:.1e} off at most")
    if not worst < limit:
        raise SystemExit(f"something is wrong: more than {limit} off")


def report_beside_torch(got, torch_results):
    """All of `got` beside all that torch_results() returns."""
    if not importlib.util.find_spec("torch"):
        return print("results beside torch's: not compared, torch is not installed")
    pairs = zip(got, torch_results(), strict=True)
    report("results beside torch's", max(difference(ours, theirs) for ours, theirs in pairs), 1e-12)


def torch_activation(name):
    """PyTorch's own form of one of our functions."""
    from torch.nn import functional

    return {
        "gelu": functional.gelu,
        "gelu_tanh": lambda x: functional.gelu(x, approximate="tanh"),
        "gelu_sigmoid": lambda x: x * (1.702 * x).sigmoid(),
        "silu": functional.silu,
    }[name]
