"""The Gelu operator of ONNX's reference evaluator, by gelu_ufunc.

Gains: the evaluator's own Gelu calls math.erf once per element. `python onnx_reference.py` measures
both. The results have the negative tail, and float32 stays float32."""

import time

import numpy as np
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

import gelu_ufunc

FUNCTIONS = {"none": gelu_ufunc.gelu, "tanh": gelu_ufunc.gelu_tanh}


class Gelu(OpRun):
    op_domain = ""

    def _run(self, x, approximate="none"):
        return (FUNCTIONS[approximate](x),)


def model(approximate="none"):
    """A single Gelu."""
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n"]) for name in "xy"]
    node = helper.make_node("Gelu", ["x"], ["y"], approximate=approximate)
    graph = helper.make_graph([node], "gelu", ends[:1], ends[1:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)])


def main():
    x = np.random.default_rng(0).normal(0, 2, 1 << 20).astype(np.float32)
    for name, operators in (("the evaluator's", None), ("gelu_ufunc", [Gelu])):
        session = ReferenceEvaluator(model(), new_ops=operators)
        times = []
        for _ in range(5):
            start = time.perf_counter()
            session.run(None, {"x": x})
            times.append((time.perf_counter() - start) * 1e3)
        tail = session.run(None, {"x": np.float32([-6])})[0][0]
        print(f"{name:<16} {min(times):7.2f} ms for {x.size} elements; gelu(-6) = {tail:.6e}")


if __name__ == "__main__":
    main()
