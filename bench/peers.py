"""The same functions in other libraries: what compare.py --peers races.

Each library is a function below that imports it and returns its forms,
{(label, name of our function): bind}. bind(x, out) does once what needs no repeating, such as
converting and compiling, and returns the call to be timed. The call writes to `out`, or returns the
array that it has filled in its stead."""

import ctypes
import math
import os
from functools import partial
from importlib import metadata

import numpy as np
from contestants import scipy_form, tanh_form

ALPHA = 1.702  # of gelu_sigmoid


def only(dtypes, bind):
    """Some libraries take other dtypes too, and silently compute in float32."""

    def checked(x, out):
        if x.dtype.name not in dtypes:
            raise TypeError(f"computes in {' and '.join(dtypes)} only")
        return bind(x, out)

    return checked


# ---- NumPy and SciPy, as written without any of the others


def numpy_forms():
    from scipy.special import erf

    def sigmoid_form(scale):
        def form(x, out):
            np.divide(x, 1 + np.exp(-scale * x), out=out)

        return form

    def bind(form):
        return lambda x, out: partial(form, x, out)

    label = "NumPy and SciPy"
    return {
        (label, "gelu"): bind(scipy_form),
        (label, "gelu_tanh"): bind(tanh_form),
        (label, "gelu_sigmoid"): bind(sigmoid_form(ALPHA)),
        (label, "silu"): bind(sigmoid_form(1)),
        (label, "erf"): bind(erf),
    }


# ---- torch


def torch_forms():
    import torch

    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    aten = torch.ops.aten

    def tensor(array):
        if array.dtype.name != "bfloat16":
            return torch.from_numpy(array)
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)

    def filling(call):
        """Without the call's result, which is `out` and, if bfloat16, nothing that NumPy knows."""

        def filler():
            call()

        return filler

    def value(operator, **options):
        def bind(x, out):
            x, out = tensor(x), tensor(out)
            return filling(partial(operator.out, x, **options, out=out))

        return bind

    def derivative(operator, **options):
        def bind(x, out):
            x, out = tensor(x), tensor(out)
            ones = torch.ones_like(x)
            return filling(partial(operator.grad_input, ones, x, **options, grad_input=out))

        return bind

    def gelu_sigmoid(x, out):
        x, out = tensor(x), tensor(out)
        return filling(lambda: torch.mul(x, ALPHA, out=out).sigmoid_().mul_(x))

    return {
        ("torch", "gelu"): value(aten.gelu),
        ("torch", "gelu_grad"): derivative(aten.gelu_backward),
        ("torch", "gelu_tanh"): value(aten.gelu, approximate="tanh"),
        ("torch", "gelu_tanh_grad"): derivative(aten.gelu_backward, approximate="tanh"),
        ("torch", "gelu_sigmoid"): gelu_sigmoid,
        ("torch", "silu"): value(aten.silu),
        ("torch", "silu_grad"): derivative(aten.silu_backward),
        ("torch", "erf"): value(aten.erf),
    }


# ---- onnxruntime


def onnx_model(operator, domain, kind, inputs, attributes):
    """One node; every input is called by its name in `inputs`, {name: shape}."""
    from onnx import helper

    values = [helper.make_tensor_value_info(name, kind, shape) for name, shape in inputs.items()]
    result = helper.make_tensor_value_info("y", kind, inputs["x"])
    node = helper.make_node(operator, list(inputs), ["y"], domain=domain, **attributes)
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)]
    graph = helper.make_graph([node], operator, values, [result])
    return helper.make_model(graph, opset_imports=opsets, ir_version=10).SerializeToString()


def onnxruntime_forms():
    import onnxruntime
    from onnx import helper

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # what it cannot do, it raises too

    def form(operator, domain="com.microsoft", with_bias=False, **attributes):
        def bind(x, out):
            columns = math.gcd(x.size, 1024)
            arrays = {"x": x.reshape(-1, columns)}
            if with_bias:  # -0.0, for x + 0.0 would turn -0.0 into 0.0
                arrays["bias"] = np.full(columns, -0.0, x.dtype)
            shapes = {name: array.shape for name, array in arrays.items()}
            kind = helper.np_dtype_to_tensor_dtype(x.dtype)
            model = onnx_model(operator, domain, kind, shapes, attributes)
            session = onnxruntime.InferenceSession(model, options, ["CPUExecutionProvider"])
            binding = session.io_binding()
            for name, array in arrays.items():
                binding.bind_input(name, "cpu", 0, kind, array.shape, array.ctypes.data)
            binding.bind_output("y", "cpu", 0, kind, shapes["x"], out.ctypes.data)

            def call(keep_alive=arrays):
                session.run_with_iobinding(binding)

            return call

        return bind

    return {
        ("onnxruntime Gelu (ONNX)", "gelu"): form("Gelu", ""),
        ("onnxruntime Gelu (ONNX)", "gelu_tanh"): form("Gelu", "", approximate="tanh"),
        ("onnxruntime Gelu", "gelu"): form("Gelu"),
        ("onnxruntime BiasGelu", "gelu"): form("BiasGelu", with_bias=True),
        ("onnxruntime FastGelu", "gelu_tanh"): form("FastGelu"),
        ("onnxruntime QuickGelu", "gelu_sigmoid"): form("QuickGelu", alpha=ALPHA),
        ("onnxruntime QuickGelu", "silu"): form("QuickGelu", alpha=1.0),
        ("onnxruntime Erf (ONNX)", "erf"): form("Erf", ""),
    }


# ---- openvino


def openvino_forms():
    import openvino
    from openvino import opset14

    core = openvino.Core()
    types = {"float16": "f16", "bfloat16": "bf16", "float32": "f32"}

    def bits(array):
        return array if array.dtype != "bfloat16" else array.view(np.uint16)

    def form(operator, *arguments):
        def bind(x, out):
            kind = getattr(openvino.Type, types[x.dtype.name])
            parameter = opset14.parameter(x.shape, kind)
            extra = [opset14.constant(value, kind) for value in arguments]
            model = openvino.Model([operator(parameter, *extra)], [parameter])
            settings = {
                "INFERENCE_NUM_THREADS": 1,
                "NUM_STREAMS": 1,
                "INFERENCE_PRECISION_HINT": kind,  # else bfloat16 where the CPU has it
            }
            request = core.compile_model(model, "CPU", settings).create_infer_request()
            x, out = (openvino.Tensor(bits(array), array.shape, kind) for array in (x, out))
            request.set_input_tensor(x)
            request.set_output_tensor(out)

            def call():
                request.start_async()  # infer() would build a dict of results too
                request.wait()

            return call

        return only(types, bind)

    return {
        ("openvino", "gelu"): form(partial(opset14.gelu, approximation_mode="erf")),
        ("openvino", "gelu_tanh"): form(partial(opset14.gelu, approximation_mode="tanh")),
        ("openvino", "gelu_sigmoid"): form(opset14.swish, ALPHA),
        ("openvino", "silu"): form(opset14.swish, 1.0),
        ("openvino", "erf"): form(opset14.erf),
    }


# ---- jax


def jax_forms():
    import jax

    jax.config.update("jax_enable_x64", True)  # else float64 becomes float32

    def value(function):
        # The array that is given away is the one that the result is written to.
        run = jax.jit(lambda x, out: function(x), donate_argnums=1, keep_unused=True)

        def bind(x, out):
            x, held = jax.numpy.array(x), [jax.numpy.array(out)]

            def call():
                held[0] = run(x, held[0]).block_until_ready()
                return held[0]

            return call

        return bind

    def derivative(function):
        return value(lambda x: jax.vjp(function, x)[1](jax.numpy.ones_like(x))[0])

    functions = {
        "gelu": partial(jax.nn.gelu, approximate=False),
        "gelu_tanh": partial(jax.nn.gelu, approximate=True),
        "gelu_sigmoid": lambda x: x * jax.nn.sigmoid(ALPHA * x),
        "silu": jax.nn.silu,
    }
    values = {("jax", name): value(function) for name, function in functions.items()}
    derivatives = {("jax", f"{name}_grad"): derivative(f) for name, f in functions.items()}
    return {**values, **derivatives, ("jax", "erf"): value(jax.scipy.special.erf)}


# ---- numba


def numba_functions(kind):
    """Scalar functions with constants of their own dtype: a Python float would widen float32."""
    half, one, scale, cubic = kind(0.5), kind(1), kind(ALPHA), kind(0.044715)
    k, root = kind(math.sqrt(2 / math.pi)), kind(math.sqrt(0.5))
    density = kind(1 / math.sqrt(2 * math.pi))
    return {
        "gelu": lambda x: half * x * math.erfc(-x * root),
        "gelu_grad": lambda x: half * math.erfc(-x * root) + x * density * math.exp(-half * x * x),
        "gelu_tanh": lambda x: half * x * (one + math.tanh(k * (x + cubic * x * x * x))),
        "gelu_sigmoid": lambda x: x / (one + math.exp(-scale * x)),
        "silu": lambda x: x / (one + math.exp(-x)),
        "erf": lambda x: math.erf(x),
    }


def numba_forms():
    import numba

    def form(name):
        def bind(x, out):
            function = numba_functions(x.dtype.type)[name]
            kind = numba.from_dtype(x.dtype)
            return partial(numba.vectorize([kind(kind)], nopython=True)(function), x, out)

        return only(["float32", "float64"], bind)

    return {("numba", name): form(name) for name in numba_functions(float)}


# ---- mkl


def mkl_forms():
    file = next(f for f in metadata.files("mkl") if f.name.startswith("libmkl_rt"))
    library = ctypes.CDLL(str(file.locate()))

    def form(name, times_x):
        def bind(x, out):
            function = getattr(library, {"float32": "vs", "float64": "vd"}[x.dtype.name] + name)
            arguments = [ctypes.c_void_p(array.ctypes.data) for array in (x, out)]
            run = partial(function, ctypes.c_int(x.size), *arguments)

            def call():
                run()
                if times_x:
                    np.multiply(x, out, out=out)

            return call

        return only(["float32", "float64"], bind)

    return {
        ("mkl CdfNorm, times x", "gelu"): form("CdfNorm", True),
        ("mkl Erf", "erf"): form("Erf", False),
    }


# ---- ggml


def ggml_forms():
    import ggml

    # For bfloat16 it aborts the process.
    types = {"float16": ggml.GGML_TYPE_F16, "float32": ggml.GGML_TYPE_F32}

    def form(operator, takes_gradient=False):
        def bind(x, out):
            context = ggml.ggml_init(ggml.ggml_init_params(1 << 20, None, no_alloc=True))
            arrays = [np.ones_like(x), x] if takes_gradient else [x]
            kind = types[x.dtype.name]
            tensors = [ggml.ggml_new_tensor_1d(context, kind, x.size) for _ in arrays]
            result = operator(context, *tensors)
            for tensor, array in zip([*tensors, result], [*arrays, out], strict=True):
                tensor.contents.data = array.ctypes.data
            graph = ggml.ggml_new_graph(context)
            ggml.ggml_build_forward_expand(graph, result)
            plan = ggml.ggml_graph_plan(graph, 1, None)

            def call(keep_alive=arrays):
                ggml.ggml_graph_compute(graph, ctypes.byref(plan))

            return call

        return only(types, bind)

    return {
        ("ggml", "gelu"): form(ggml.ggml_gelu_erf),
        ("ggml", "gelu_tanh"): form(ggml.ggml_gelu),
        ("ggml", "gelu_sigmoid"): form(ggml.ggml_gelu_quick),
        ("ggml", "silu"): form(ggml.ggml_silu),
        ("ggml", "silu_grad"): form(ggml.ggml_silu_back, takes_gradient=True),
    }


# ---- all of them

LIBRARIES = {
    "scipy": numpy_forms,
    "torch": torch_forms,
    "onnxruntime": onnxruntime_forms,
    "openvino": openvino_forms,
    "jax": jax_forms,
    "numba": numba_forms,
    "mkl": mkl_forms,
    "ggml-python": ggml_forms,
}
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "MKL_THREADING_LAYER": "SEQUENTIAL",
    "NUMBA_NUM_THREADS": "1",
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
}
CAPS = {
    "avx2": {
        "ATEN_CPU_CAPABILITY": "avx2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",  # torch and openvino
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        "NUMBA_CPU_NAME": "haswell",
        "XLA_FLAGS": ONE_THREAD["XLA_FLAGS"] + " --xla_cpu_max_isa=AVX2",
    }
}
NO_CAP = ("onnxruntime", "ggml-python")  # they have no such switch


def shortened(error):
    return " ".join(str(error).split())[:120]


def forms_of(library, level):
    forms = LIBRARIES[library]()
    if level not in CAPS or library not in NO_CAP:
        return forms
    return {(f"{label}, not capped", name): bind for (label, name), bind in forms.items()}


def load(level):
    """(the forms of all libraries, {library: version}, {library: why it is missing}).

    What a library reads from the environment it reads when it is imported, here for the first time.
    """
    os.environ.update(ONE_THREAD | CAPS.get(level, {}))
    if hasattr(os, "sched_setaffinity"):  # a pool that no setting reaches has nowhere to run
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    forms, versions, missing = {}, {}, {}
    for library in LIBRARIES:
        try:
            forms |= forms_of(library, level)
            versions[library] = metadata.version(library)
        except (ImportError, OSError) as error:
            missing[library] = shortened(error)
    return forms, versions, missing
