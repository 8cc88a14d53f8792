// Concurrency and order of requests to a voice server.
import { expect, test } from "bun:test";
import { createRequestQueue } from "../../../src/speech/servers/voice/request-queue.ts";
import { settle } from "../../support/manual-clock.ts";

function setStage() {
  const queue = createRequestQueue();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (text: string, clause = text, unwanted = new AbortController()) =>
    queue.run(text, unwanted.signal, () => {
      begun.push(clause);
      return new Promise<string>((resolve) => ends.set(clause, () => resolve(clause)));
    });
  return {
    queue,
    run,
    begun,
    async end(clause: string) {
      ends.get(clause)?.();
      await settle();
    },
  };
}

test("prepared speech is requested two at a time, in order", async () => {
  const { run, begun, end } = setStage();
  const all = ["a", "b", "c", "d"].map((text) => run(text));
  await settle();
  expect(begun).toEqual(["a", "b"]);
  await end("b");
  expect(begun).toEqual(["a", "b", "c"]);
  for (const each of ["a", "c", "d"]) await end(each);
  expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
});

test("urgent speech is requested at once, with the rest of its phrase", async () => {
  const { queue, run, begun } = setStage();
  for (const text of ["a", "b", "c"]) void run(text);
  void run("live", "live 1");
  queue.hurry("live");
  void run("live", "live 2");
  await settle();
  expect(begun).toEqual(["a", "b", "live 1", "live 2"]);
});

test("cancelled requests are dropped and do not block others", async () => {
  const { run, begun, end } = setStage();
  const unwanted = new AbortController();
  for (const text of ["a", "b"]) void run(text);
  const dropped = run("c", "c", unwanted);
  void run("d");
  unwanted.abort();
  expect(await dropped).toBeNull();
  await end("a");
  await settle();
  expect(begun).toEqual(["a", "b", "d"]);
});
