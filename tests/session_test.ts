import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Model, MuserError, type Session } from "../mod.ts";
import { testDevice } from "./support/device.ts";
import { smollm2 } from "./support/models.ts";

const COLUMNS = 576;
const EPSILON = Math.fround(1e-5);

async function withSession(capacity: number, body: (session: Session, model: Model) => void | Promise<void>) {
  await using model = await Model.open(smollm2.path, { device: testDevice });
  await using session = model.session({ capacity });
  await body(session, model);
}

/** `x / sqrt(mean(x²) + epsilon)` in double precision. */
function normalised(row: Float32Array): Float64Array {
  const squares = row.reduce((sum, value) => sum + value * value, 0);
  return Float64Array.from(row, (value) => value / Math.sqrt(squares / row.length + EPSILON));
}

/** How far apart two numbers are, in units of the last place of an f32. */
function distance(value: number, exact: number): number {
  const spacing = 2 ** (Math.floor(Math.log2(Math.max(Math.abs(exact), 2 ** -126))) - 23);
  return Math.abs(value - exact) / spacing;
}

Deno.test("a session looks up the same bits as the model", async () => {
  await withSession(513, (session, model) => {
    for (const width of [1, 64, 512, 513]) {
      const ids = Uint32Array.from({ length: width }, (_, index) => (index * 7919) % 49152);
      session.embed(ids);
      assertEquals(session.read(), model.embed(ids));
    }
  });
});

Deno.test("a session runs embed and norm as one command buffer with one wait", async () => {
  await withSession(65, (session, model) => {
    const { ids, hidden } = session;
    const normal = session.buffer(COLUMNS);
    const step = session.record((commands) => {
      commands.embed(model.table(), ids, hidden);
      commands.rmsNorm(hidden, normal);
    });
    session.run(step, { ids: [0, 42, 49151] });
    const rows = session.read(hidden);
    const result = session.read(normal);
    for (let row = 0; row < 3; row++) {
      const exact = normalised(rows.subarray(row * COLUMNS, (row + 1) * COLUMNS));
      exact.forEach((value, column) => assert(distance(result[row * COLUMNS + column]!, value) <= 4));
    }
    const { deviceSeconds: _, ...counts } = session.statistics;
    assertEquals(counts, {
      commandBuffers: 1,
      waits: 1,
      dispatches: 2,
      bytesRead: 3 * (612 + 4) + 3 * COLUMNS * 4 * 2,
      bytesWritten: 3 * COLUMNS * 4 * 2,
    });
  });
});

Deno.test("a row's norm has the same bits in every batch and in place", async () => {
  await withSession(130, (session, model) => {
    const { ids, hidden } = session;
    const step = session.record((commands) => {
      commands.embed(model.table(), ids, hidden);
      commands.rmsNorm(hidden, hidden, { epsilon: 1e-5 });
    });
    session.run(step, { ids: [42] });
    const alone = session.read();
    session.run(step, { ids: Array.from({ length: 129 }, (_, index) => (index === 77 ? 42 : index)) });
    assertEquals(session.read().subarray(77 * COLUMNS, 78 * COLUMNS), alone);
  });
});

Deno.test("ten operations are one command buffer", async () => {
  await withSession(2, (session) => {
    const step = session.record((commands) => {
      for (let count = 0; count < 10; count++) commands.rmsNorm(session.hidden, session.hidden);
    });
    session.write(session.hidden, new Float32Array(2 * COLUMNS).fill(1));
    session.run(step, { rows: 2 });
    const { commandBuffers, waits, dispatches } = session.statistics;
    assertEquals([commandBuffers, waits, dispatches], [1, 1, 10]);
  });
});

Deno.test("ids that are on the device are used, and one past the last row is counted and named", async () => {
  await withSession(512, (session, model) => {
    const step = session.record((commands) => commands.embed(model.table(), session.ids, session.hidden));
    const ids = Uint32Array.from({ length: 512 }, (_, index) => index);
    session.write(session.ids, ids);
    session.run(step, { rows: 512 });
    assertEquals(session.read(), model.embed(ids));
    ids[300] = 49152;
    session.write(session.ids, ids);
    assertThrows(
      () => session.run(step, { rows: 512 }),
      RangeError,
      "Cannot look up 1 of the ids: they are past the last row, the first one at position 300",
    );
    ids[300] = 300;
    session.run(step, { ids });
    assertEquals(session.read(session.ids), ids);
  });
});

Deno.test("one id from the host is on the device afterwards, as many are", async () => {
  await withSession(3, (session, model) => {
    const again = session.buffer(COLUMNS);
    const step = session.record((commands) => {
      commands.embed(model.table(), session.ids, session.hidden);
      commands.embed(model.table(), session.ids, again);
    });
    for (const ids of [[5, 6, 7], [9], [8, 2]]) {
      session.run(step, { ids });
      assertEquals([...session.read(session.ids)], ids);
      assertEquals([session.read(), session.read(again)], [model.embed(ids), model.embed(ids)]);
      session.run(step);
      assertEquals(session.read(), model.embed(ids));
    }
    session.write(session.ids, new Uint32Array([4]));
    session.run(step, { rows: 1 });
    assertEquals(session.read(), model.embed([4]));
  });
});

Deno.test("ids from the host are checked before anything runs", async () => {
  await withSession(8, (session) => {
    assertThrows(() => session.embed(Uint32Array.of(1, 49152)), RangeError, "id 49152 at position 1");
    assertThrows(() => session.embed([1.5]), RangeError, "it is no integer");
    assertThrows(() => session.embed(new Uint32Array(9)), RangeError, "capacity of 8");
    assertEquals(session.statistics.commandBuffers, 0);
  });
});

Deno.test("operands that do not fit together are refused when they are recorded", async () => {
  await withSession(8, (session, model) => {
    const narrow = session.buffer(575);
    assertThrows(
      () => session.record((commands) => commands.embed(model.table(), session.ids, narrow)),
      RangeError,
      "has 576 columns and the output 575",
    );
    assertThrows(
      () => session.record((commands) => commands.rmsNorm(session.hidden, narrow)),
      RangeError,
      "use one width",
    );
    assertThrows(
      () => session.record((commands) => commands.rmsNorm(narrow, narrow, { epsilon: 0 })),
      RangeError,
      "give a positive number",
    );
  });
});

Deno.test("steps and buffers of another session are refused", async () => {
  await withSession(8, (session, model) => {
    using other = model.session({ capacity: 8 });
    const step = other.record((commands) => commands.embed(model.table(), other.ids, other.hidden));
    const refused = (body: () => unknown, action: string) =>
      assertThrows(body, TypeError, `Cannot ${action}: `).message.includes("another session");
    assert(refused(() => session.run(step, { ids: [1] }), "run a step"));
    assert(refused(() => session.read(other.hidden), "read a buffer"));
    assert(refused(() => session.write(other.ids, Uint32Array.of(1)), "write a buffer"));
    assert(refused(
      () => session.record((commands) => commands.embed(model.table(), other.ids, session.hidden)),
      "record embed",
    ));
    assert(refused(
      () => session.record((commands) => commands.rmsNorm(session.hidden, other.hidden)),
      "record rmsNorm",
    ));
    assertEquals(session.statistics.commandBuffers, 0);
  });
});

Deno.test("submit() of another session's step is refused", async () => {
  await withSession(8, async (session, model) => {
    using other = model.session({ capacity: 8 });
    const step = other.record((commands) => commands.embed(model.table(), other.ids, other.hidden));
    await assertRejects(() => session.submit(step, { ids: [1] }), TypeError, "recorded by another session");
  });
});

Deno.test("a list with an epsilon of its own needs no model file", async () => {
  await withSession(8, (session, model) => {
    const { hidden } = session;
    model.close();
    session.record((commands) => commands.rmsNorm(hidden, hidden, { epsilon: 1e-5 }));
    assertThrows(() => session.record((commands) => commands.rmsNorm(hidden, hidden)), MuserError, "closed");
  });
});

Deno.test("read() takes the rows of the last run that ended well", async () => {
  await withSession(8, async (session, model) => {
    const step = session.record((commands) => commands.embed(model.table(), session.ids, session.hidden));
    session.run(step, { ids: [5, 6] });
    await assertRejects(() => session.submit(step, { ids: Uint32Array.of(1, 2, 49152) }), RangeError);
    assertEquals(session.read().length, 2 * COLUMNS);
  });
});

Deno.test("submit() leaves the session usable when it is aborted", async () => {
  await withSession(512, async (session, model) => {
    const step = session.record((commands) => commands.embed(model.table(), session.ids, session.hidden));
    const ids = new Uint32Array(512).fill(9);
    const controller = new AbortController();
    const submitted = session.submit(step, { ids, signal: controller.signal });
    controller.abort(new Error("enough"));
    await assertRejects(() => submitted, Error, "enough");
    await session.submit(step, { ids: [5, 6] });
    assertEquals(session.read(), model.embed([5, 6]));
  });
});

Deno.test("sessions of one model run at once and outlive it", async () => {
  const model = await Model.open(smollm2.path, { device: testDevice });
  const sessions = [model.session({ capacity: 100 }), model.session({ capacity: 100 })];
  const expected = sessions.map((_, index) => model.embed(new Uint32Array(100).fill(index)));
  const steps = sessions.map((session) =>
    session.record((commands) => commands.embed(model.table(), session.ids, session.hidden))
  );
  model.close();
  await Promise.all(
    sessions.map((session, index) => session.submit(steps[index]!, { ids: new Uint32Array(100).fill(index) })),
  );
  sessions.forEach((session, index) => assertEquals(session.read(), expected[index]));
  for (const session of sessions) await session[Symbol.asyncDispose]();
  assertThrows(() => sessions[0]!.read(), MuserError, "it is closed");
});
