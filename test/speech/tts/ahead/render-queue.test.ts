import { expect, test } from "bun:test";
import fc from "fast-check";
import { createRenderQueue, URGENCIES, type Urgency } from "../../../../src/speech/tts/ahead/render-queue.ts";

const ROOM = { live: 10, next: 10, due: 10, stock: 10 };

function emptied(queue: ReturnType<typeof createRenderQueue>, leastUrgent: Urgency = "stock"): string[] {
  const taken: string[] = [];
  for (let key = queue.take(leastUrgent); key !== null; key = queue.take(leastUrgent)) taken.push(key);
  return taken;
}

test("what somebody waits for comes first, then the call's next lines, calls that are due, and stock", () => {
  const queue = createRenderQueue(ROOM);
  for (const urgency of URGENCIES.toReversed()) for (const i of [1, 2]) queue.want(`${urgency} ${i}`, urgency);
  expect(emptied(queue)).toEqual(URGENCIES.flatMap((urgency) => [`${urgency} 1`, `${urgency} 2`]));
  expect(queue.size).toBe(0);
});

test("what is wanted sooner moves forward, and never back", () => {
  const queue = createRenderQueue(ROOM);
  queue.want("menu", "stock");
  queue.want("greeting", "due");
  queue.want("menu", "live");
  queue.want("menu", "stock");
  expect(emptied(queue)).toEqual(["menu", "greeting"]);
});

test("stock is left where only what is more urgent is asked for", () => {
  const queue = createRenderQueue(ROOM);
  queue.want("stock", "stock");
  queue.want("due", "due");
  expect(emptied(queue, "due")).toEqual(["due"]);
  expect(queue.size).toBe(1);
});

test("a full queue takes nothing new, and keeps what it has where that is wanted sooner", () => {
  const queue = createRenderQueue({ ...ROOM, live: 1, stock: 1 });
  expect(queue.want("a", "live")).toBeTrue();
  expect(queue.want("b", "live")).toBeFalse();
  expect(queue.want("c", "stock")).toBeTrue();
  expect(queue.want("c", "live")).toBeTrue();
  queue.drop("a");
  expect(emptied(queue)).toEqual(["c"]);
});

test("whatever is wanted, each is taken once, and nothing before something more urgent", () => {
  const wish = fc.tuple(fc.constantFrom("a", "b", "c", "d", "e"), fc.constantFrom(...URGENCIES));
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 30 }), (wishes) => {
      const queue = createRenderQueue(ROOM);
      const most = new Map<string, number>();
      for (const [key, urgency] of wishes) {
        queue.want(key, urgency);
        most.set(key, Math.min(most.get(key) ?? Infinity, URGENCIES.indexOf(urgency)));
      }
      const taken = emptied(queue);
      expect(taken.toSorted()).toEqual([...most.keys()].toSorted());
      const ranks = taken.map((key) => most.get(key) ?? -1);
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    }),
  );
});
