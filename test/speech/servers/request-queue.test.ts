// How many requests a voice server gets at once, and in what order.
import { expect, test } from "bun:test";
import { createRequestQueue } from "../../../src/speech/servers/voice/request-queue.ts";

function setStage() {
  const queue = createRequestQueue();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (text: string, clause = text, unwanted = new AbortController()) =>
    queue.run(text, unwanted.signal, () => {
      begun.push(clause);
      return new Promise<string>((resolve) => ends.set(clause, () => resolve(clause)));
    });
  const settled = () => new Promise<void>((resolve) => void queueMicrotask(() => queueMicrotask(() => resolve())));
  return {
    queue,
    run,
    begun,
    async end(clause: string) {
      ends.get(clause)?.();
      for (let i = 0; i < 5; i++) await settled();
    },
    settled,
  };
}

test("what is made ahead goes out two at a time, in the order of asking", async () => {
  const { run, begun, end, settled } = setStage();
  const all = ["a", "b", "c", "d"].map((text) => run(text));
  await settled();
  expect(begun).toEqual(["a", "b"]);
  await end("b");
  expect(begun).toEqual(["a", "b", "c"]);
  for (const each of ["a", "c", "d"]) await end(each);
  expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
});

test("what somebody waits for goes out at once, and so does the rest of it", async () => {
  const { queue, run, begun, settled } = setStage();
  for (const text of ["a", "b", "c"]) void run(text);
  void run("live", "live 1");
  queue.hurry("live");
  void run("live", "live 2");
  await settled();
  expect(begun).toEqual(["a", "b", "live 1", "live 2"]);
});

test("what nobody wants any more is not asked for, and holds nobody up", async () => {
  const { run, begun, end, settled } = setStage();
  const unwanted = new AbortController();
  for (const text of ["a", "b"]) void run(text);
  const dropped = run("c", "c", unwanted);
  void run("d");
  unwanted.abort();
  expect(await dropped).toBeNull();
  await end("a");
  await settled();
  expect(begun).toEqual(["a", "b", "d"]);
});
