// The queue of heavy reads: order, concurrency, and clients that disconnect.
import { describe, expect, test } from "bun:test";
import { askedBy, type Asking } from "../../../src/core/asking.ts";
import { othersFirst } from "../../../src/core/clock.ts";
import type { AppError } from "../../../src/core/errors.ts";
import { HeavyReads, MOST_REQUESTS_PER_ASKER, type HeavyReadsOptions } from "../../../src/db/heavy-reads.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { rejectionOf } from "../../support/temp.ts";

/** Statements begin in the order of `begun` and end when the test says so. */
function stage(lanes: number, turn?: HeavyReadsOptions<string>["turn"]) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const reads = new HeavyReads<string>({
    lanes,
    ...(turn && { turn }),
    run: ({ sql }) =>
      new Promise((resolve) => {
        begun.push(sql);
        ends.set(sql, () => resolve(`rows of ${sql}`));
      }),
  });
  const end = async (sql: string) => {
    ends.get(sql)?.();
    await othersFirst();
  };
  return { reads, begun, end };
}

const by = (who: string, left?: AbortSignal): Asking => ({ who, ...(left && { left: () => left }) });

describe("heavy reads", () => {
  test("run up to the limit, and the next begins when one has ended", async () => {
    const { reads, begun, end } = stage(2);
    const all = ["a", "b", "c"].map((sql) => reads.ask(sql, []));
    expect(begun).toEqual(["a", "b"]);
    expect(reads.stats).toEqual({ waiting: 1, running: 2 });
    await end("b");
    expect(begun).toEqual(["a", "b", "c"]);
    await end("a");
    await end("c");
    expect(await Promise.all(all)).toEqual(["rows of a", "rows of b", "rows of c"]);
    expect(reads.stats).toEqual({ waiting: 0, running: 0 });
  });

  test("clients take turns, however many reads one of them requests", async () => {
    const { reads, begun, end } = stage(1);
    for (const sql of ["a1", "a2", "a3"]) void askedBy(by("a"), () => reads.ask(sql, []));
    void askedBy(by("b"), () => reads.ask("b1", []));
    for (const sql of ["a1", "a2", "b1"]) await end(sql);
    // a2 was at the head before b's request.
    expect(begun).toEqual(["a1", "a2", "b1", "a3"]);
  });

  test("with a limit a person's request is refused that waits longer for its turn; one that runs, and our own work, go on", async () => {
    const clock = createManualClock();
    const { reads, begun, end } = stage(1, { withinMs: 4_000, clock });
    const runs = askedBy(by("a"), () => reads.ask("runs", []));
    const late = rejectionOf<AppError>(askedBy(by("b"), () => reads.ask("late", [])));
    const own = reads.ask("our own work", []);
    await clock.advance(4_000);
    expect(await late).toMatchObject({ code: "UNAVAILABLE", retryAfterSeconds: 1 });
    await end("runs");
    await end("our own work");
    expect(await Promise.all([runs, own])).toEqual(["rows of runs", "rows of our own work"]);
    expect(begun).toEqual(["runs", "our own work"]);
    expect(reads.stats).toEqual({ waiting: 0, running: 0 });
  });

  test("a client's request above the limit is refused with 429, another client's is not", async () => {
    const { reads, end } = stage(1);
    const some = Array.from({ length: MOST_REQUESTS_PER_ASKER }, (_, i) =>
      askedBy(by("a"), () => reads.ask(`a${i}`, [])),
    );
    const refused = await rejectionOf<AppError>(askedBy(by("a"), () => reads.ask("one more", [])));
    expect(refused).toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 1 });
    const other = askedBy(by("b"), () => reads.ask("b", []));
    const own = reads.ask("our own work", []);
    for (let i = 0; i < MOST_REQUESTS_PER_ASKER; i++) await end(`a${i}`);
    for (const sql of ["b", "our own work"]) await end(sql);
    for (let i = 0; i < MOST_REQUESTS_PER_ASKER; i++) await end(`a${i}`);
    await Promise.all([...some, other, own]);
    const again = askedBy(by("a"), () => reads.ask("afterwards", []));
    await end("afterwards");
    expect(await again).toBe("rows of afterwards");
  });

  test("the statements of one request count as one", async () => {
    const { reads, begun } = stage(100);
    const asking = by("a");
    for (let i = 0; i < 2 * MOST_REQUESTS_PER_ASKER; i++) void askedBy(asking, () => reads.ask(`a${i}`, []));
    expect(begun).toHaveLength(2 * MOST_REQUESTS_PER_ASKER);
  });

  test("a waiting read whose client disconnects never begins", async () => {
    const { reads, begun, end } = stage(1);
    const client = new AbortController();
    void reads.ask("first", []);
    const waiting = askedBy(by("a", client.signal), () => reads.ask("second", []));
    client.abort();
    expect(await rejectionOf(waiting)).toMatchObject({ code: "REQUEST_TIMEOUT" });
    await end("first");
    expect(begun).toEqual(["first"]);
    expect(await rejectionOf(askedBy(by("a", client.signal), () => reads.ask("third", [])))).toMatchObject({
      code: "REQUEST_TIMEOUT",
    });
    expect(reads.stats).toEqual({ waiting: 0, running: 0 });
  });

  test("a read whose client leaves while it runs is answered at once, and its lane is free when it has ended", async () => {
    const { reads, begun, end } = stage(1);
    const client = new AbortController();
    const running = askedBy(by("a", client.signal), () => reads.ask("first", []));
    void reads.ask("second", []);
    client.abort();
    expect(await rejectionOf(running)).toMatchObject({ code: "REQUEST_TIMEOUT" });
    expect(begun).toEqual(["first"]);
    await end("first");
    expect(begun).toEqual(["first", "second"]);
  });

  test("work that needs them idle runs between two of them", async () => {
    const { reads, begun, end } = stage(2);
    void reads.ask("first", []);
    const order: string[] = [];
    const idle = reads.whileIdle(() => void order.push(`idle after ${begun.join(", ")}`));
    const second = reads.ask("second", []);
    expect(begun).toEqual(["first"]);
    await end("first");
    await idle;
    expect(order).toEqual(["idle after first"]);
    await end("second");
    expect(await second).toBe("rows of second");
  });
});
