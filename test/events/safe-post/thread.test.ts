// Posting from a separate thread: messages in both directions, and the behaviour when the thread ends.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { PostRequest, PostResult } from "../../../src/events/safe-post/safe-post.ts";
import {
  pack,
  unpacked,
  type FromPostWorker,
  type NumberedPost,
  type Packed,
  type ToPostWorker,
} from "../../../src/events/safe-post/thread-protocol.ts";
import { createThreadPost, type PostWorker } from "../../../src/events/safe-post/thread.ts";
import { othersFirst } from "../../../src/core/clock.ts";
import { startPostWorker } from "../../../src/compose/threads/start.ts";
import { createPrivateCa, type PrivateCa } from "../../support/private-ca.ts";
import { reply, startReceiver, type Receiver } from "./receiver.ts";

const OPTIONS = { allow: ["127.0.0.1"], caPem: null, proxyUrl: null };
const request = (url: string): PostRequest => ({ url, headers: {}, body: Buffer.from("{}"), timeoutMs: 30_000 });

/** A thread controlled by the test. */
function scriptedThread() {
  const sent: ToPostWorker[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  let listener: (message: FromPostWorker) => void = () => {};
  const port: PostWorker = {
    post: (message) => void sent.push(message),
    onMessage: (given) => (listener = given),
    onEnd: (told) => void ended.then(told),
    terminate: () => end("it was terminated"),
  };
  const posts = (): NumberedPost[] => sent.flatMap((message) => (message.type === "posts" ? message.posts : []));
  return { port, sent, posts, end, answer: (message: FromPostWorker) => listener(message) };
}

const answered = (status: number): PostResult => ({ kind: "answered", status, excerpt: "", durationMs: 1 });

describe("a delivery sent to the thread", () => {
  const toSign = { eventId: "evt_1", unixSeconds: 1_700_000_000, attempts: 2, secrets: null };
  const delivery: NumberedPost = { number: 1, url: "https://a.example/", body: "{}", timeoutMs: 8_000, toSign };
  const rotated = { ...toSign, secrets: { current: "whsec_new", previous: "whsec_old" } };

  test("is decoded as it was encoded, among others and with missing fields", () => {
    const deliveries: NumberedPost[] = [
      delivery,
      { ...delivery, number: 2, toSign: { ...toSign, secrets: { current: "whsec_new", previous: null } } },
      { ...delivery, number: 3, line: "whe_1", atOnce: 4, toSign: rotated },
    ];
    const packed: Packed = [];
    expect(deliveries.map((each) => pack(each, packed))).toEqual([true, true, true]);
    expect(unpacked(structuredClone(packed))).toEqual(deliveries);
    expect(unpacked([])).toEqual([]);
  });

  test("is not encoded if it has its own bytes or headers", () => {
    const packed: Packed = [];
    expect(pack({ ...delivery, body: Buffer.from("{}") }, packed)).toBe(false);
    expect(pack({ ...request("https://a.example/"), number: 4 }, packed)).toBe(false);
    expect(packed).toEqual([]);
  });
});

describe("with a scripted thread", () => {
  test("posts of one turn are sent in one message, after the allowed addresses", async () => {
    const thread = scriptedThread();
    const { post } = createThreadPost(OPTIONS, () => thread.port);
    void post(request("https://127.0.0.1/a"));
    void post(request("https://127.0.0.1/b"));
    await othersFirst();
    await othersFirst();
    expect(thread.sent.map(({ type }) => type)).toEqual(["options", "posts"]);
    expect(thread.sent[0]).toEqual({ type: "options", options: OPTIONS });
    expect(thread.posts().map(({ url }) => url)).toEqual(["https://127.0.0.1/a", "https://127.0.0.1/b"]);
  });

  test("an answer goes to its post, in any order", async () => {
    const thread = scriptedThread();
    const { post } = createThreadPost(OPTIONS, () => thread.port);
    const results = [201, 202, 203].map((status) => post(request(`https://127.0.0.1/${status}`)));
    await othersFirst();
    await othersFirst();
    const answers = thread.posts().map(({ number, url }) => ({ ...answered(Number(url.slice(-3))), number }));
    thread.answer(answers.toReversed());
    expect(await Promise.all(results)).toEqual([201, 202, 203].map(answered));
  });

  test("when it ends, every post in flight fails as our own fault, and the next post starts another", async () => {
    const threads = [scriptedThread(), scriptedThread()];
    let started = 0;
    const { post } = createThreadPost(OPTIONS, () => threads[started++]!.port);
    const lost = [post(request("https://127.0.0.1/a")), post(request("https://127.0.0.1/b"))];
    await othersFirst();
    await othersFirst();
    threads[0]!.end("RangeError at somewhere");
    for (const result of await Promise.all(lost))
      expect(result).toMatchObject({
        kind: "our_fault",
        detail: "The delivery thread ended: RangeError at somewhere.",
      });

    const next = post(request("https://127.0.0.1/c"));
    await othersFirst();
    await othersFirst();
    const [only] = threads[1]!.posts();
    threads[1]!.answer([{ ...answered(204), number: only!.number }]);
    expect(await next).toEqual(answered(204));
    expect(started).toBe(2);
  });

  test("if none can be started, that is our own fault too, and the next post tries again", async () => {
    const thread = scriptedThread();
    let tries = 0;
    const { post } = createThreadPost(OPTIONS, () => {
      if (++tries === 1) throw new Error("no threads left");
      return thread.port;
    });
    expect(await post(request("https://127.0.0.1/a"))).toMatchObject({
      kind: "our_fault",
      detail: "The delivery thread cannot be started: no threads left",
    });
    const next = post(request("https://127.0.0.1/b"));
    await othersFirst();
    await othersFirst();
    const [only] = thread.posts();
    thread.answer([{ ...answered(204), number: only!.number }]);
    expect(await next).toEqual(answered(204));
  });

  test("prepared in advance, it is ready after its first message; posts use that thread", async () => {
    const thread = scriptedThread();
    let started = 0;
    const { post, ready } = createThreadPost(OPTIONS, () => (started++, thread.port));
    let isReady = false;
    const whenReady = ready!().then(() => (isReady = true));
    await othersFirst();
    expect([started, isReady]).toEqual([1, false]);
    thread.answer([]);
    await whenReady;
    void post(request("https://127.0.0.1/a"));
    await othersFirst();
    await othersFirst();
    expect([started, thread.posts().length]).toEqual([1, 1]);
  });

  test("if none can be started, or it ends at once, preparing does not wait", async () => {
    await createThreadPost(OPTIONS, () => {
      throw new Error("no threads left");
    }).ready!();
    const thread = scriptedThread();
    const ready = createThreadPost(OPTIONS, () => thread.port).ready!();
    thread.end("RangeError at somewhere");
    await ready;
  });

  test("no thread is started before the first post; addresses are checked without one", () => {
    const { checkUrl } = createThreadPost(OPTIONS, () => {
      throw new Error("started");
    });
    checkUrl("https://hospital.example/hook");
    expect(() => checkUrl("http://hospital.example/hook")).toThrow();
    expect(() => createThreadPost({ ...OPTIONS, allow: ["not an entry/"] }, startPostWorker)).toThrow();
    expect(() => createThreadPost({ ...OPTIONS, caPem: "no certificate" }, startPostWorker)).toThrow();
  });
});

describe("with the real thread", () => {
  let ca: PrivateCa;
  let receiver: Receiver;
  const bodies: string[] = [];
  beforeAll(async () => {
    ca = createPrivateCa();
    receiver = await startReceiver(ca.issue(["127.0.0.1"]), ({ socket, body }) => {
      bodies.push(body.toString());
      socket.write(reply(202, "taken"));
    });
  });
  afterAll(() => receiver.close());

  test("a receiver gets every byte, and its answer comes back; forbidden addresses stay blocked", async () => {
    const { post } = createThreadPost({ ...OPTIONS, caPem: ca.caPem }, startPostWorker);
    const url = `https://127.0.0.1:${receiver.port}/hook`;
    const texts = Array.from({ length: 40 }, (_, i) => `{"number":${i}}`);
    const results = await Promise.all(texts.map((text) => post({ ...request(url), body: Buffer.from(text) })));
    for (const result of results) expect(result).toMatchObject({ kind: "answered", status: 202, excerpt: "taken" });
    expect(bodies.toSorted()).toEqual(texts.toSorted());
    expect(await post(request("https://10.0.0.1/hook"))).toMatchObject({ kind: "blocked" });
  });

  test("a certificate of another authority is rejected there too", async () => {
    const { post } = createThreadPost(OPTIONS, startPostWorker);
    const result = await post(request(`https://127.0.0.1:${receiver.port}/hook`));
    expect(result).toMatchObject({ kind: "unreachable" });
  });
});
