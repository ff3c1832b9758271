#!/usr/bin/env python3
"""Texts to begin with, for each reader of tests/fuzz: seeds.py FOLDER [--small]

Takes them from what the project has: tests/fuzz/corpus, data, the files of the golden cases, pastes of
the examples, texts in the unit tests; model files are written here. --small writes only the model
files and one text of each kind, as they are kept in tests/fuzz/corpus.
"""
import hashlib
import json
import pathlib
import re
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST = {"against": 20_000}  # bytes of a seed; of all others:
MOST_OF_OTHERS = 4_000

SCHEMAS = {
    "gpuplan.catalog/1": ["catalog", "bills"], "gpuplan.job/1": ["job"], "gpuplan.model/1": ["model"],
    "gpuplan.models/1": ["models"], "gpuplan.cards/1": ["cards"], "gpuplan.compat/1": ["compat"],
    "gpuplan.compare/1": ["against"],
}
# Texts between R"( and )" of a unit test, by the beginning of its name.
UNIT = {
    "catalog": ["catalog", "bills"], "hf_": ["config"], "gpu_log": ["gpu_log", "environment"],
    "environment": ["environment"], "models": ["model"], "against": ["against"], "spot": ["availability"],
    "import_skypilot": ["import_skypilot"], "model_folder": ["weight_index", "config"],
}


# Parts of documents as they stand in unit tests, made whole.
WHOLE = {
    "config": '{{"model_type": "llama", {}}}',
    "catalog": '{{"schema": "gpuplan.catalog/1", "platforms": [{{"id": "p", "currency": "USD", {}, "offers": '
               '[{{"id": "a", "card": "L40S", "gpus": 2, "price": {{"on_demand": 1.5, "spot": 0.5, "month": 500}}}}]}}]}}',
}
WHOLE["bills"] = WHOLE["catalog"]


def whole(reader, text):
    return WHOLE[reader].format(text.strip()) if reader in WHOLE and text.strip().startswith('"') else text


class Corpus:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def put(self, reader, data):
        data = data if isinstance(data, bytes) else data.encode()
        if not data or len(data) > MOST.get(reader, MOST_OF_OTHERS):
            return
        folder = self.folder / reader
        folder.mkdir(parents=True, exist_ok=True)
        (folder / hashlib.sha1(data).hexdigest()[:16]).write_bytes(data)


def little(value, size):
    return value.to_bytes(size, "little")


def behind(rest, data):
    """A model file as the readers take it: first how many bytes follow what is there."""
    return little(rest, 4) + data


def tensors(width=64, layers=2, tokens=100):
    yield "model.embed_tokens.weight", (tokens, width)
    for n in range(layers):
        at = f"model.layers.{n}."
        for name, shape in (("self_attn.q_proj", (width, width)), ("self_attn.k_proj", (width // 2, width)),
                            ("self_attn.v_proj", (width // 2, width)), ("self_attn.o_proj", (width, width)),
                            ("mlp.gate_proj", (2 * width, width)), ("mlp.up_proj", (2 * width, width)),
                            ("mlp.down_proj", (width, 2 * width)), ("input_layernorm", (width,))):
            yield at + name + ".weight", shape
    yield "model.norm.weight", (width,)
    yield "lm_head.weight", (tokens, width)


def product(shape):
    result = 1
    for side in shape:
        result *= side
    return result


def safetensors(kind="BF16", size=2):
    header, at = {"__metadata__": {"format": "pt"}}, 0
    for name, shape in tensors():
        end = at + product(shape) * size
        header[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [at, end]}
        at = end
    text = json.dumps(header, separators=(",", ":")).encode()
    return behind(at, little(len(text), 8) + text)


def gguf(version=3, moe=False):
    def text(value):
        return little(len(value), 8) + value.encode()

    entries, infos, at, count = [], [], 0, 0
    number = lambda key, value: entries.append(text(key) + little(4, 4) + little(value, 4))
    entries.append(text("general.architecture") + little(8, 4) + text("llama"))
    for key, value in (("general.file_type", 1), ("llama.block_count", 2), ("llama.context_length", 4096),
                       ("llama.embedding_length", 64), ("llama.feed_forward_length", 128),
                       ("llama.attention.head_count", 4)):
        number(key, value)
    if moe:
        number("llama.expert_count", 4)
        number("llama.expert_used_count", 2)
        entries.append(text("llama.attention.head_count_kv") + little(9, 4) + little(4, 4) + little(2, 8) + little(2, 4) * 2)
        entries.append(text("x.real") + little(6, 4) + struct.pack("<f", 1.5))
        entries.append(text("x.true") + little(7, 4) + b"\1")
    else:
        number("llama.attention.head_count_kv", 2)
    entries.append(text("tokenizer.ggml.tokens") + little(9, 4) + little(8, 4) + little(3, 8) + text("a") + text("b") + text("c"))
    names = [("token_embd.weight", (64, 100))]
    for n in range(2):
        names += [(f"blk.{n}.{name}.weight", shape) for name, shape in (
            ("attn_q", (64, 64)), ("attn_k", (64, 32)), ("attn_v", (64, 32)), ("attn_output", (64, 64)),
            ("ffn_gate", (64, 128)), ("ffn_up", (64, 128)), ("ffn_down", (128, 64)), ("attn_norm", (64,)))]
    for name, shape in names + [("output_norm.weight", (64,)), ("output.weight", (64, 100))]:
        infos.append(text(name) + little(len(shape), 4) + b"".join(little(side, 8) for side in shape) +
                     little(1, 4) + little(at, 8))
        at += (product(shape) * 2 + 31) // 32 * 32
        count += 1
    head = b"GGUF" + little(version, 4) + little(count, 8) + little(len(entries), 8) + b"".join(entries) + b"".join(infos)
    return behind((len(head) + 31) // 32 * 32 - len(head) + at, head)


VALUES = ["40GB", "80GiB", "512 MiB", "1.5TB", "3d12h", "90m", "1.5h", "45s", "7B", "50M", "2048", "100Mbps", "1GB/s",
          "2.49", "30.000000000100002", "1e-3", "0.000000001", "2026-11-01", "2026-11-01T08:00:00Z",
          "2026-11-01T08:00:00+08:00", "570.124.04", "torch==2.9.1+cu128", "vllm 0.11.0", "retries:3", "greedy:published",
          "up:10%", "gone", "p/RTX 4090=1.98 CNY", "p/H100 x4=7.92", "1_000", "１２", "010", "-1", "+5", "0x10", "1,5", "∞"]
FILTERS = ["card=H100", "gpus>=8\nprice<30", "region~us\nspot<=12", "per_card<1.5", "memory>=40GB\nvendor=nvidia",
           "RTX 4090\nL40S", "layers>=32", "kind=decoder\nhidden<5000", "year>=2022\nbandwidth>1TB/s", "card!=L4"]
OPTIONS = ["--model 7b\n--mode lora\n--tokens 50M", "--mode inference\n--input-tokens 1000\n--output-tokens 200\n--concurrency 8",
           "--mode full\n--gpus 8\n--seq 4096\n--batch 2\n--grad-accum 8\n--precision bf16", "--run-hours 10\n--upload 20GB\n--keep-days 7",
           "--schedule 9-17\n--start 2026-11-01T08:00:00Z\n--deadline 3d", "--model 70b\n--mode qlora\n--card H100\n--headroom 1.2",
           "--measured-run 6h on RTX 4090\n--machines 2\n--checkpoint-every 30m"]
JSON = ['{"a": [1, {"b": "\\u00e9\\ud83d\\ude00"}, null, true, -0.5e-3], "c": {}}', '{"a": []}', '{"a": {"a": [[[]]]}}', '[]', '"x"', '1',
        '{"a": ["\\\\", "\\"", "/"], "x": 1.0}']
INDEX = ['{"metadata": {"total_size": 25600}, "weight_map": {"lm_head.weight": "a.safetensors", "model.norm.weight": "a.safetensors"}}']
TRACE = ['{"metadata": {"gap_seconds": 600}, "data": [0, 1, 1, 0, 3]}']


def write_small(corpus):
    for reader, texts in (("values", VALUES), ("filter", FILTERS), ("options", OPTIONS), ("json", JSON),
                          ("weight_index", INDEX), ("availability", TRACE)):
        for text in texts:
            corpus.put(reader, text)
    for data in (safetensors(), safetensors("F8_E4M3", 1)):
        corpus.put("safetensors", data)
    for data in (gguf(), gguf(2), gguf(3, True)):
        corpus.put("gguf", data)


def cut(document):
    """A large table as several small ones."""
    for key in ("platforms", "cards", "models"):
        for part in document.get(key, []) if isinstance(document.get(key), list) else []:
            head = {name: value for name, value in document.items() if not isinstance(value, list)}
            yield json.dumps(head | {key: [part]}, ensure_ascii=False)
    for key, value in document.items():  # of compat.json, a row of each table
        if isinstance(value, list) and value:
            yield json.dumps({name: rows[:2] if isinstance(rows, list) else rows for name, rows in document.items()})
            break


def put_document(corpus, text):
    try:
        document = json.loads(text)
    except ValueError:
        document = None
    schema = document.get("schema") if isinstance(document, dict) else None
    for reader in SCHEMAS.get(schema, []):
        corpus.put(reader, text)
        for part in cut(document):
            corpus.put(reader, part)
    if schema is None and isinstance(document, dict):
        if "model_type" in document or "hidden_size" in document or "_class_name" in document:
            corpus.put("config", text)
        if "gap_seconds" in text:
            corpus.put("availability", text)
        if "weight_map" in document:
            corpus.put("weight_index", text)
    return schema is not None


def collect(corpus):
    for path in sorted((ROOT / "tests/fuzz/corpus").glob("*/*")):
        corpus.put(path.parent.name, path.read_bytes())
    files = list((ROOT / "data").glob("*.json")) + list((ROOT / "tests/golden").glob("*/*.json"))
    for path in sorted(files) + sorted((ROOT / "tests/golden").glob("compare-*/stdout.txt")):
        put_document(corpus, path.read_text(encoding="utf-8", errors="replace"))
    pastes = list((ROOT / "examples/pastes").glob("*")) + list((ROOT / "tests/golden").glob("*/paste*"))
    pastes += list((ROOT / "tests/golden").glob("*/*.csv"))
    for path in sorted(pastes):
        for reader in ("environment", "gpu_log"):
            corpus.put(reader, path.read_bytes())
    for path in sorted((ROOT / "tests/unit").glob("*")):
        for start, readers in UNIT.items():
            if not path.name.startswith(start):
                continue
            source = path.read_text(encoding="utf-8")
            for text in re.findall(r'R"(?:json)?\((.*?)\)(?:json)?"', source, re.S):
                if not put_document(corpus, text):
                    for reader in readers:
                        corpus.put(reader, whole(reader, text))
            # Texts of several lines, written as strings one below the other.
            for block in re.findall(r'(?:"(?:[^"\\\n]|\\.)*\\n"\s*){3,}', source):
                lines = re.findall(r'"((?:[^"\\]|\\.)*)"', block)
                for reader in readers:
                    corpus.put(reader, "".join(lines).encode().decode("unicode_escape", errors="replace"))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    corpus = Corpus(sys.argv[1])
    write_small(corpus)
    if "--small" not in sys.argv:
        collect(corpus)


if __name__ == "__main__":
    main()
