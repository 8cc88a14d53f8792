// A sender that enforces the concurrency limit itself gets deliveries in advance if the receiver answers at once.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { SECOND_MS } from "../../src/core/clock.ts";
import type { PostResult } from "../../src/events/safe-post/safe-post.ts";
import { answered, createFakePost, type FakePost } from "../support/fake-post.ts";
import { createTestApp, type TestApp } from "../support/test-app.ts";

const FIRST_PLACES = 8;
const NOT_BEGUN: PostResult = { kind: "not_begun", detail: "No connection became free in time.", durationMs: 200 };

let test_: TestApp;
let post: FakePost;
let endpointId: string;

beforeEach(async () => {
  post = Object.assign(
    createFakePost(() => test_.clock.now()),
    { keepsPlaces: true as const },
  );
  test_ = await createTestApp({ safePost: post });
  await test_.app.start();
  const endpoint = { url: "https://receiver.example/hook", eventTypes: ["slot.updated"] };
  endpointId = (await test_.app.services.endpoints.create(test_.organisationId, endpoint, CLI_ACTOR)).endpoint_id;
});
afterEach(() => test_.close());

async function publish(count: number): Promise<void> {
  const { outbox } = test_.app.services;
  await test_.db.write(async (tx) => {
    for (let i = 0; i < count; i++)
      await outbox.publish(tx, { organisationId: test_.organisationId, type: "slot.updated", data: {} });
  });
  await test_.clock.advance(31 * SECOND_MS);
}

const deliveries = () => test_.app.services.deliveries.list({ organisationId: test_.organisationId, limit: 1_000 });

test.each([
  ["twice as many go ahead to a receiver that answers at once", 5, 3 * FIRST_PLACES],
  ["none go ahead to one that takes its time", 100, FIRST_PLACES],
])("%s", async (_, durationMs, most) => {
  post.answer = () => ({ ...answered(204), durationMs });
  await publish(1);
  const hanging: (() => void)[] = [];
  post.answer = () => new Promise((resolve) => void hanging.push(() => resolve({ ...answered(204), durationMs })));
  await publish(50);
  expect(hanging).toHaveLength(most);
  expect(post.sent.every(({ atOnce }) => atOnce === FIRST_PLACES)).toBe(true);
  expect(new Set(post.sent.map(({ line }) => line))).toEqual(new Set([endpointId]));
  post.answer = () => answered(204);
  for (const end of hanging) end();
  await test_.clock.advance(31 * SECOND_MS);
  expect((await deliveries()).every(({ state }) => state === "delivered")).toBe(true);
});

test("a delivery without a place goes out later, once, and no attempt of it is recorded", async () => {
  await publish(1);
  let givenBack = 0;
  post.answer = () => (givenBack++ < 5 ? NOT_BEGUN : answered(204));
  await publish(20);
  expect(post.sent).toHaveLength(1 + 20 + 5);
  const all = await deliveries();
  expect(all).toHaveLength(21);
  expect(all.every(({ state, attempts }) => state === "delivered" && attempts === 1)).toBe(true);
});
