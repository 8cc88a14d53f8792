// The cost of the change feed: database queries, and memory for slow readers.
import { expect, test } from "bun:test";
import { silentLogger } from "../../src/core/logger.ts";
import { createChangeFeed } from "../../src/dashboard/change-feed.ts";
import { createPositions } from "../../src/dashboard/change-position.ts";
import type { ChangeLog } from "../../src/dashboard/change-store.ts";
import type { Change } from "../../src/dashboard/records.ts";
import { createManualClock, settle } from "../support/manual-clock.ts";

const LOOK_MS = 500;

function stage() {
  const clock = createManualClock();
  let changes: Change[] = [];
  let count = 0;
  let questions = 0;
  let isHeldBack = false;
  const lines: string[] = [];
  const log: ChangeLog = {
    after: async (sequence, limit) => {
      questions += 1;
      if (isHeldBack) return { changes: [], upTo: sequence, lostSome: false, isHeldBack };
      const found = changes.filter((change) => change.sequence > sequence).slice(0, limit);
      const lostSome = (found[0]?.sequence ?? 0) > sequence + 1;
      return { changes: found, upTo: found.at(-1)?.sequence ?? sequence, lostSome };
    },
    ofOrganisation: async ({ organisationId, after, upTo, limit }) => {
      questions += 1;
      return changes
        .filter((c) => c.organisation_id === organisationId && c.sequence > after && c.sequence <= upTo)
        .slice(0, limit);
    },
    ends: async () => {
      questions += 1;
      return { oldest: (changes[0]?.sequence ?? 1) - 1, newest: count };
    },
  };
  const feed = createChangeFeed({
    log,
    clock,
    logger: { ...silentLogger, info: (line) => void lines.push(line), warn: (line) => void lines.push(line) },
    positions: createPositions(Buffer.alloc(32, 5)),
    changesWithin: async (_organisationId, _reach, rows) => [...rows],
    liveAmong: async (sessions) => {
      questions += 1;
      return new Map(sessions.map((session) => [session, ""]));
    },
  });
  return {
    clock,
    feed,
    change(organisation_id: string, subject_id: string) {
      changes.push({ sequence: ++count, organisation_id, kind: "call", subject_id });
    },
    forget: () => void (changes = changes.slice(-1)),
    questions: () => questions,
    holdBack: (isHeld: boolean) => void (isHeldBack = isHeld),
    lines,
    open: (name: string, organisationId = "a", lastEventId: string | null = null) =>
      feed.open({ organisationId, personId: name, session: name, boundsKey: "", lastEventId }),
  };
}

async function textSoFar(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader();
  let text = "";
  void (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += new TextDecoder().decode(value);
    }
  })();
  await settle();
  return text;
}

test("a poll costs two queries, however many streams and organisations there are", async () => {
  const { clock, feed, change, questions, open } = stage();
  for (let i = 0; i < 400; i++) await open(`person ${i}`, `organisation ${i % 50}`);
  expect(feed.openStreams()).toBe(400);
  for (let i = 0; i < 50; i++) change(`organisation ${i}`, `call_${i}`);
  const before = questions();
  await clock.advance(4 * LOOK_MS);
  expect(questions() - before).toBe(4 * 2);
});

test("there is no polling without listeners", async () => {
  const { clock, feed, questions, open } = stage();
  await clock.advance(10 * LOOK_MS);
  expect(questions()).toBe(0);
  const body = await open("anna");
  await clock.advance(LOOK_MS);
  await body.cancel();
  expect(feed.openStreams()).toBe(0);
  await clock.advance(LOOK_MS);
  const before = questions();
  await clock.advance(100 * LOOK_MS);
  expect(questions()).toBe(before);
  const { length } = await textSoFar(await open("anna"));
  expect(length).toBeGreaterThan(0);
  await clock.advance(LOOK_MS);
  expect(questions()).toBeGreaterThan(before);
});

test("a reader slower than the changes is told once that it missed some, and its buffer is bounded", async () => {
  const { clock, change, open } = stage();
  const body = await open("slow");
  for (let i = 0; i < 50; i++) {
    change("a", `call_${i}`);
    await clock.advance(LOOK_MS);
  }
  const text = await textSoFar(body);
  // The hello and three messages were buffered; the rest became one pair of events with an empty id.
  expect(text.match(/"id":"call_/g)).toHaveLength(3);
  expect(text.match(/event: call\ndata: {"id":""}/g)).toHaveLength(1);
});

test("a reader that does not read at all is disconnected after a minute", async () => {
  const { clock, feed, change, open } = stage();
  await open("asleep");
  for (let i = 0; i < 10; i++) {
    change("a", `call_${i}`);
    await clock.advance(LOOK_MS);
  }
  expect(feed.openStreams()).toBe(1);
  await clock.advance(60_000);
  expect(feed.openStreams()).toBe(0);
});

test("many changes at once become one reload message", async () => {
  const { clock, change, open } = stage();
  const body = await open("anna");
  for (let i = 0; i < 201; i++) change("a", `call_${i}`);
  await clock.advance(LOOK_MS);
  const text = await textSoFar(body);
  expect(text).not.toContain("call_");
  expect(text).toContain('data: {"id":""}');
});

test("when the start of the log is gone, every reader is told that it missed some", async () => {
  const { clock, change, forget, open } = stage();
  const body = await open("anna");
  for (let i = 0; i < 3; i++) change("b", `call_${i}`);
  forget();
  await clock.advance(LOOK_MS);
  expect(await textSoFar(body)).toContain('data: {"id":""}');
});

test("a change of one organisation is not sent to another", async () => {
  const { clock, change, open } = stage();
  const [own, other] = [await open("anna", "a"), await open("bert", "b")];
  change("a", "call_1");
  await clock.advance(LOOK_MS);
  expect(await textSoFar(own)).toContain("call_1");
  expect(await textSoFar(other)).not.toContain("event:");
});

test("each position is decoded only by the appliance that wrote it", () => {
  const [ours, theirs] = [createPositions(Buffer.alloc(32, 1)), createPositions(Buffer.alloc(32, 2))];
  for (const sequence of [0, 1, 4_096, 2 ** 40]) {
    expect(ours.sequenceOf(ours.textOf(sequence))).toBe(sequence);
    expect(theirs.sequenceOf(ours.textOf(sequence))).toBeNull();
  }
  for (const text of ["", "1", "f".repeat(32), "x".repeat(32), "a".repeat(4_000)])
    expect(ours.sequenceOf(text)).toBeNull();
});

test("while another transaction blocks it, pages reload every ten seconds, and one log line is written", async () => {
  const { clock, feed, change, holdBack, lines, open } = stage();
  const body = await open("anna");
  holdBack(true);
  change("a", "call_1");
  await clock.advance(9_000);
  expect([lines, feed.note()]).toEqual([[], null]);
  await clock.advance(12_000);
  expect(lines).toHaveLength(1);
  expect(feed.note()).toContain("pg_stat_activity");
  holdBack(false);
  await clock.advance(LOOK_MS);
  expect([lines.length, feed.note()]).toEqual([2, null]);
  const text = await textSoFar(body);
  expect(text.match(/event: call\ndata: {"id":""}/g)).toHaveLength(2);
  expect(text).toContain("call_1");
});
