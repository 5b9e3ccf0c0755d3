"""llama.cpp's tokenizer, for bench/tokenizer_bench.ts to be measured beside.

tokenizer_peer.py text             writes ordinary English text to standard output: Python's own documentation
tokenizer_peer.py open MODEL       milliseconds from opening a vocabulary to its first token
tokenizer_peer.py encode MODEL TEXT    for each line of standard input: milliseconds and tokens of one run, as JSON
"""

import json
import os
import sys
import time


def text() -> None:
    from pydoc_data import topics

    sys.stdout.write("\n".join(topics.topics.values()))


def load(path: str):
    import llama_cpp

    # The library reports each vocabulary at length.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    begin = time.perf_counter()
    return llama_cpp, llama_cpp.Llama(model_path=path, vocab_only=True, verbose=False), begin


def open_(path: str) -> None:
    _, model, begin = load(path)
    model.tokenize(b"Hello", add_bos=False, special=False)
    print(json.dumps({"milliseconds": (time.perf_counter() - begin) * 1e3}))


def encode(path: str, text_path: str) -> None:
    llama_cpp, model, _ = load(path)
    with open(text_path, "rb") as file:
        data = file.read()
    room = len(data) + 16
    ids = (llama_cpp.llama_token * room)()
    for _ in sys.stdin:
        begin = time.perf_counter()
        count = llama_cpp.llama_tokenize(model._model.vocab, data, len(data), ids, room, False, False)
        print(json.dumps({"milliseconds": (time.perf_counter() - begin) * 1e3, "tokens": count}), flush=True)


{"text": text, "open": open_, "encode": encode}[sys.argv[1]](*sys.argv[2:])
