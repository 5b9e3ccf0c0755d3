"""Sound GGUF files made by dice, of everything that the format allows and both readers read."""

import random
import struct

from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType

SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
# The package gives a block of Q8_1 40 bytes; ggml gives it 36.
TYPES = [kind for kind in GGMLQuantizationType if kind != GGMLQuantizationType.Q8_1]
LETTERS = "abcdefghijklmnopqrstuvwxyz_.0123456789 äß日本🙂"


def text(value: str) -> bytes:
    encoded = value.encode()
    return struct.pack("<Q", len(encoded)) + encoded


def some_text(dice: random.Random, most: int) -> str:
    return "".join(dice.choices(LETTERS, k=dice.randrange(most)))


def value(dice: random.Random) -> bytes:
    """A type and a value of it."""
    kind = dice.choice([*SIZES, 8, 8, 9, 9, 9])
    if kind == 8:
        return struct.pack("<I", 8) + text(some_text(dice, 200))
    if kind != 9:
        return struct.pack("<I", kind) + dice.randbytes(SIZES[kind])
    element = dice.choice([*SIZES, 8])
    count = dice.choice([0, 1, 2, 3, dice.randrange(50)])
    head = struct.pack("<IIQ", 9, element, count)
    if element == 8:
        return head + b"".join(text(some_text(dice, 20)) for _ in range(count))
    return head + dice.randbytes(SIZES[element] * count)


def tensor(dice: random.Random) -> tuple[int, list[int], int]:
    """A type, a shape of 1 to 4 dimensions, and how many bytes it has."""
    kind = dice.choice(TYPES)
    block_values, block_bytes = GGML_QUANT_SIZES[kind]
    shape = [block_values * dice.randrange(1, 4)]
    shape += [dice.choice([1, 1, 2, 3, 5]) for _ in range(dice.randrange(4))]
    if dice.randrange(20) == 0:
        shape[dice.randrange(len(shape))] = 0
    values = 1
    for length in shape:
        values *= length
    return int(kind), shape, values // block_values * block_bytes


def random_file(dice: random.Random) -> bytes:
    keys = {f"{number}.{some_text(dice, 30)}": value(dice) for number in range(dice.randrange(12))}
    alignment = dice.choice([None, None, 1, 2, 4, 8, 16, 32, 64, 128, 4096])
    if alignment:
        keys["general.alignment"] = struct.pack("<II", 4, alignment)
    alignment = alignment or 32
    pairs = [text(key) + content for key, content in keys.items()]
    dice.shuffle(pairs)

    tensors = [(f"{number}.{some_text(dice, 8)}", *tensor(dice)) for number in range(dice.randrange(8))]
    # Data need not be in the order of the records, and may have gaps.
    offsets, end = {}, 0
    for name, _, _, length in dice.sample(tensors, len(tensors)) if dice.randrange(2) else tensors:
        offsets[name] = end
        end += length + -length % alignment + (alignment * dice.randrange(3) if dice.randrange(4) == 0 else 0)
    head = struct.pack("<4sIQQ", b"GGUF", dice.choice([2, 3]), len(tensors), len(pairs)) + b"".join(pairs)
    for name, kind, shape, _ in tensors:
        head += text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, offsets[name])
    last = max((offsets[name] + length for name, _, _, length in tensors), default=0)
    padding = -last % alignment if dice.randrange(2) else 0
    return head + bytes(-len(head) % alignment) + dice.randbytes(last) + bytes(padding)
