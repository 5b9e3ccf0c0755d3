// Finds the tokens whose vectors point most nearly the same way as one token's: cosine similarity with every row of
// the token table. Rows are read a chunk at a time, so a table of any size takes a few megabytes. Prints one line a
// token: similarity, id and text. On a terminal, a bar shows how far it is.
//
//   deno run --allow-read=MODEL --allow-ffi=LIBRARY examples/nearest_tokens.ts MODEL TEXT [COUNT]
//
// LIBRARY is the native library: .muser/lib/libMuser.so in a checkout, libMuser.dylib on a Mac.
import { Model, type Table } from "@muser/engine";

const CHUNK = 1024;

interface Match {
  id: number;
  similarity: number;
}

const [path, text, count = "10"] = Deno.args;
if (path === undefined || text === undefined || !(Number(count) >= 1)) {
  console.error("nearest_tokens.ts MODEL TEXT [COUNT]");
  Deno.exit(2);
}

using model = await Model.open(path);
const ids = model.tokenizer.encode(text, { bos: false, eos: false });
if (ids.length !== 1) {
  const pieces = Array.from(ids, (id) => JSON.stringify(model.tokenizer.piece(id))).join(", ");
  console.error(
    `Cannot look for neighbours of ${JSON.stringify(text)}: it is ${ids.length} tokens (${pieces}), use one`,
  );
  Deno.exit(1);
}
for (const { id, similarity } of nearest(model.table(), ids[0]!, Number(count))) {
  const piece = id < model.tokenizer.size ? JSON.stringify(model.tokenizer.piece(id)) : "(no token)";
  console.log(`${similarity.toFixed(6)}  ${id}  ${piece}`);
}

/** The `count` rows most similar to row `id`, itself included, the most similar first. */
function nearest(table: Table, id: number, count: number): Match[] {
  const { columns, rowCount } = table;
  const wanted = table.rows([id]);
  const chunk = new Uint32Array(CHUNK);
  const values = new Float32Array(CHUNK * columns);
  let best: Match[] = [];
  for (let first = 0; first < rowCount; first += CHUNK) {
    const rows = Math.min(CHUNK, rowCount - first);
    for (let i = 0; i < rows; i++) chunk[i] = first + i;
    table.rows(chunk.subarray(0, rows), { into: values.subarray(0, rows * columns) });
    for (let i = 0; i < rows; i++) {
      const similarity = cosine(wanted, values.subarray(i * columns, (i + 1) * columns));
      // The last of the best is the least similar, so that most rows cost one comparison.
      if (best.length < count || similarity > best.at(-1)!.similarity) {
        best = [...best, { id: first + i, similarity }].sort((a, b) => b.similarity - a.similarity).slice(0, count);
      }
    }
    showProgress((first + rows) / rowCount);
  }
  return best;
}

/** The cosine of the angle between two vectors; 0 where one of them has no length. */
function cosine(left: Float32Array, right: Float32Array): number {
  let dot = 0;
  let leftSquares = 0;
  let rightSquares = 0;
  for (let i = 0; i < left.length; i++) {
    dot += left[i]! * right[i]!;
    leftSquares += left[i]! ** 2;
    rightSquares += right[i]! ** 2;
  }
  return dot === 0 ? 0 : dot / Math.sqrt(leftSquares * rightSquares);
}

function showProgress(share: number): void {
  if (!Deno.stderr.isTerminal()) return;
  const bar = "█".repeat(Math.round(share * 24)).padEnd(24, "░");
  const text = share < 1 ? `\r${bar} ${Math.floor(share * 100)} %` : "\r\x1b[K";
  Deno.stderr.writeSync(new TextEncoder().encode(text));
}
