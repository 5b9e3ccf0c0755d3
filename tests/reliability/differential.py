#!/usr/bin/env python3
"""Compares the native library with the gguf package: differential.py truncations|flips|random [HOW MANY] [SEED].

truncations: every beginning of ten small files. flips: every bit of them. random: sound files made by dice.
HOW MANY limits the number of inputs, evenly spread. A file both read must have the same answer, mapped and read;
a file that only one reads must be one of the differences that witness.py lists. Exits with 1 where that is not so.
"""

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import witness
from library import Library, Refusal

sys.path.insert(0, str(Path(__file__).parent.parent / "fuzz"))
import seeds  # noqa: E402
from dice import random_file  # noqa: E402

MOST_FAULTS = 20


# A title, a file, and what is known of it; where nothing is, the package is asked.
Input = tuple[str, bytes, dict | None]


def truncations() -> Iterator[Input]:
    for name, content in seeds.FILES.items():
        for length in range(len(content)):
            yield f"the first {length} bytes of {name}", content[:length], None


def flips(library: Library) -> Iterator[Input]:
    """A bit of the data changes nothing that is known of the file."""
    for name, content in seeds.FILES.items():
        whole = library.read(content)
        for bit in range(len(content) * 8):
            flipped = bytearray(content)
            flipped[bit // 8] ^= 1 << bit % 8
            yield f"{name} with bit {bit} flipped", bytes(flipped), None if bit // 8 < whole["dataOffset"] else whole


def sound(how_many: int, seed: int) -> Iterator[Input]:
    dice = random.Random(seed)
    for number in range(how_many):
        yield f"random file {number} of seed {seed}", random_file(dice), None


def compare(library: Library, content: bytes, known: dict | None) -> tuple[str, str]:
    """How the two answers relate, and what is wrong with that, or nothing."""
    ours, code = None, ""
    try:
        ours = library.read(content)
        unmapped = library.read(content, mapped=False)
        if {**unmapped, "mapped": True} != ours:
            return "bad", "read and mapped differ"
    except Refusal as refusal:
        code = refusal.code
        if not refusal.message.startswith("Cannot open "):
            return "bad", f"message {refusal.message}"
    if known is not None:
        return ("the same for a bit of its data", "") if ours == known else ("bad", f"not the same, {code}")
    try:
        theirs = witness.read(content)
    except witness.TooSlow:
        return f"refused as {code}, the package hangs", "" if code else "the package hangs"
    except Exception as error:  # noqa: BLE001 the package raises anything
        text = f"{type(error).__name__}: {error}"
        if ours is None:
            return "both refuse", ""
        reason = next((reason for words, reason in witness.READ_ON_PURPOSE.items() if words in text), None)
        return f"only the library reads: {reason}", "" if reason else f"the package says {text}"
    if ours is None:
        reason = witness.REFUSED_ON_PURPOSE.get(code)
        return f"only the package reads: {code}, {reason}", "" if reason else f"refused as {code}"
    difference = witness.same(ours, theirs)
    return ("both read", "") if not difference else ("bad", difference)


def main() -> None:
    kind = sys.argv[1]
    library = Library()
    how_many = int(sys.argv[2]) if len(sys.argv) > 2 else None
    if kind == "random":
        inputs = sound(how_many or 10_000, int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    else:
        every = list(truncations() if kind == "truncations" else flips(library))
        inputs = every[:: max(1, len(every) // how_many)] if how_many else every
    outcomes: Counter[str] = Counter()
    faults = 0
    for title, content, known in inputs:
        outcome, wrong = compare(library, content, known)
        outcomes[outcome] += 1
        if kind == "random" and outcome != "both read":
            wrong = wrong or outcome
        if wrong and faults < MOST_FAULTS:
            faults += 1
            kept = Path(tempfile.gettempdir(), f"muser-difference-{faults}.gguf")
            kept.write_bytes(content)
            print(f"{title}: {wrong} (kept as {kept})", file=sys.stderr)
    print(f"{sum(outcomes.values())} inputs")
    for outcome, count in outcomes.most_common():
        print(f"{count:8} {outcome}")
    sys.exit(faults > 0)


main()
