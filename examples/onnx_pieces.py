"""Pieces of an ONNX graph, cut out and run: of use to inspect_onnx.py."""

import numpy as np
from onnx import helper, numpy_helper, reference

from gelu_ufunc import variants


def around(start, neighbours, count=12):
    """A tensor, and those that it is connected with, the nearest first."""
    found = [start]
    for name in found:
        found += [other for other in neighbours(name) if other not in found]
    return found[:count]


def cut(maker, values, x, y):
    """{output: node} of all that makes y of x and of constants alone; LookupError for others."""
    nodes = {}
    if y != x and y not in values:
        for name in maker[y].input:
            nodes |= cut(maker, values, x, name)
        nodes[y] = maker[y]
    return nodes


def identify(model, nodes, values, x, y):
    """The identification of a piece of the graph, and its constants."""
    used = {name for node in nodes for name in node.input if name in values}
    dtype = next((values[name].dtype for name in used), np.dtype(np.float32))
    kind = helper.np_dtype_to_tensor_dtype(dtype)
    ends = [helper.make_tensor_value_info(name, kind, ["n"]) for name in (x, y)]
    held = [numpy_helper.from_array(values[name], name) for name in used]
    graph = helper.make_graph(nodes, "piece", ends[:1], ends[1:], held)
    piece = helper.make_model(graph, opset_imports=model.opset_import)
    inputs = np.linspace(-8, 8, 4001).astype(dtype)
    with np.errstate(all="ignore"):
        [outputs] = reference.ReferenceEvaluator(piece).run(None, {x: inputs})
    return variants.identify(inputs, outputs), sorted({values[name].item() for name in used})
