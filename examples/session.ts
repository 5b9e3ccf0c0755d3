// Looks the tokens of a text up and normalises their rows in one submission to the device: the first two operations
// of most models. Between the two nothing comes back to the host; only `read` copies the result.
//
//   deno run --allow-read=MODEL --allow-ffi=LIBRARY examples/session.ts MODEL TEXT
//
// LIBRARY is the native library: .muser/lib/libMuser.so in a checkout, libMuser.dylib on a Mac.
import { Model } from "@muser/engine";

const [path, text] = Deno.args;
if (path === undefined || text === undefined) {
  console.error("session.ts MODEL TEXT");
  Deno.exit(2);
}

using model = await Model.open(path);
const tokens = model.tokenizer.encode(text);
using session = model.session({ capacity: Math.max(tokens.length, 1) });
const { ids, hidden } = session;
const normalised = session.buffer(hidden.columns);

const step = session.record((commands) => {
  commands.embed(model.table(), ids, hidden);
  commands.rmsNorm(hidden, normalised); // with the epsilon that the file states
});
session.run(step, { ids: tokens });

const values = session.read(normalised);
for (const [row, id] of tokens.entries()) {
  const beginning = values.subarray(row * hidden.columns, row * hidden.columns + 4);
  console.log(id, JSON.stringify(model.tokenizer.piece(id)), beginning.join(" "));
}
const { commandBuffers, dispatches } = session.statistics;
console.log(`${dispatches} operations in ${commandBuffers} submission on ${model.facts.device}`);
