"""Which GELU does an ONNX model compute? Prints the formula of each Gelu node and of each form that
an exporter decomposed into Erf, Tanh or Sigmoid: python inspect_onnx.py MODEL [--expect gelu_tanh]

Gains: a model served with another formula than it was trained with is found before it is served.
Forms are not matched: they are cut out, run and identified, so wrong constants are found too."""

import argparse
import sys

import numpy as np
import onnx
from onnx import helper, inliner, numpy_helper
from onnx_pieces import around, cut, identify

from gelu_ufunc import variants

NAMED = ("Gelu", "Swish", "BiasGelu", "FastGelu", "QuickGelu")
CORE = ("Erf", "Sigmoid", "Tanh")
PARTS = ("Add", "Cast", "Constant", "Div", "Identity", "Mul", "Neg", "Pow", "Sub", *CORE)


def search(model, maker, values, node):
    """The formula of the smallest piece around a node that has one, and what is known of it."""
    users = {name: [u for u in maker.values() if name in u.input] for name in maker}
    before = around(node.input[0], lambda name: maker[name].input if name in maker else ())
    after = around(node.output[0], lambda name: [user.output[0] for user in users[name]])
    for x, y in ((x, y) for y in after for x in before if x not in values):
        try:
            piece = cut(maker, values, x, y).values()
        except KeyError:
            continue
        found, constants = identify(model, piece, values, x, y)
        if found.verdict:
            return found.verdict, f"{found.reason} Constants: {constants}"
    return "unknown", "No part of the graph around it is one of the formulas."


def activations(model):
    """(node, formula, what else is known) of all that are found."""
    model = inliner.inline_local_functions(model)
    maker = {node.output[0]: node for node in model.graph.node if node.op_type in PARTS}
    tensors = {each.name: each for each in model.graph.initializer}
    constants = {k: n.attribute[0] for k, n in maker.items() if n.op_type == "Constant"}
    tensors |= {name: each.t for name, each in constants.items() if each.name == "value"}
    scalars = {name: tensor for name, tensor in tensors.items() if np.prod(tensor.dims) == 1}
    values = {name: numpy_helper.to_array(tensor) for name, tensor in scalars.items()}
    for node in model.graph.node:
        label = f"{node.op_type} {node.name or node.output[0]}"
        if node.op_type in NAMED:
            given = {a.name: helper.get_attribute_value(a) for a in node.attribute}
            options = {k: v.decode() if k != "alpha" else round(v, 6) for k, v in given.items()}
            found = variants.lookup(node.op_type, node.domain or "onnx", **options)
            yield label, found.name, found.notes
        elif node.op_type in CORE:
            yield label, *search(model, maker, values, node)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("model")
    parser.add_argument(
        "--expect", metavar="FORMULA", help="fail unless this, and no other, is found"
    )
    options = parser.parse_args()
    try:
        found = list(activations(onnx.load(options.model)))
    except Exception as error:  # protobuf, onnx and the file system have their own
        parser.error(f"{options.model}: {type(error).__name__}: {error}")
    print(*(f"{label}: {name}. {notes}" for label, name, notes in found), sep="\n")
    names = {name for _, name, _ in found} - {"unknown"}
    if options.expect and names != {options.expect}:
        sys.exit(f"expected {options.expect}, found {', '.join(sorted(names)) or 'none'}")


if __name__ == "__main__":
    main()
