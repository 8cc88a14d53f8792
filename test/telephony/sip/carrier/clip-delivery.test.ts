// Recorded words reach the worker once, and before the call that needs them.
import { beforeEach, expect, test } from "bun:test";
import { settle } from "../../../support/manual-clock.ts";
import { clips, MainSide } from "./main-side.ts";

let main: MainSide;
beforeEach(() => {
  main = new MainSide();
});

test("each is sent once in a worker's life, before the call that needs it", async () => {
  const loaded: string[] = [];
  main.start({
    async loadClip(key) {
      loaded.push(key);
      return new Int16Array(8);
    },
  });
  main.run();
  await Promise.all([
    main.dial({ callId: "a", clips: clips("g", "m") }),
    main.dial({ callId: "b", clips: clips("g") }),
  ]);
  await main.dial({ callId: "c", clips: clips("g", "m") });
  expect(loaded).toEqual(["g", "m"]);
  expect(main.workers.last().toldTypes().slice(2).toSorted()).toEqual(["clip", "clip", "dial", "dial", "dial"]);
  expect(main.workers.last().told.at(-1)).toMatchObject({ order: { clips: clips("g", "m") } });
  main.workers.last().die();
  await main.clock.advance(1_000);
  main.run();
  await main.dial({ callId: "d", clips: clips("g") });
  expect(main.workers.last().toldTypes()).toEqual(["start", "clip", "dial"]);
});

test("one that cannot be loaded costs the clip, not the call", async () => {
  main.start({
    loadClip: (key) => (key === "g" ? Promise.reject(new Error("gone")) : Promise.resolve(new Int16Array(8))),
  });
  main.run();
  await main.dial({ clips: clips("g", "m") });
  expect(main.workers.last().told.at(-1)).toMatchObject({
    type: "dial",
    order: { clips: [{ name: "menu", key: "m" }] },
  });
  expect(main.logLines.join()).toContain("could not be loaded");
});

test("after 200 the worker forgets them, and those that are needed come again", async () => {
  main.start();
  main.run();
  for (let i = 0; i <= 201; i++) await main.dial({ callId: `call-${i}`, clips: clips(`key-${i}`) });
  await main.dial({ callId: "again", clips: clips("key-0") });
  const types = main.workers.last().toldTypes();
  expect(types.filter((type) => type === "forgetClips")).toHaveLength(1);
  expect(types.slice(-2)).toEqual(["clip", "dial"]);
});

test("a call that is hung up while they load is never dialled", async () => {
  let arrive: (samples: Int16Array) => void = () => {};
  main.start({ loadClip: () => new Promise((resolve) => (arrive = resolve)) });
  main.run();
  await main.dial({ callId: "a", clips: clips("g") });
  main.carrier.hangUp("a");
  expect(main.log.count()).toBe(0);
  await main.clock.advance(0);
  arrive(new Int16Array(8));
  await settle();
  expect(main.log.endOf("a")).toMatchObject({
    code: "interrupted",
    message: "The call was hung up before it was answered.",
  });
  expect(main.workers.last().toldTypes()).not.toContain("dial");
});
