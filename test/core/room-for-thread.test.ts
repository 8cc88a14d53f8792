// Room for a thread, in a process of its own that has used up its descriptors.
import { expect, test } from "bun:test";
import { join } from "node:path";

const ROOM = join(import.meta.dir, "../../src/core/room-for-thread.ts");
const CHILD = `
  import { closeSync, openSync } from "node:fs";
  import { assertRoomForThread } from ${JSON.stringify(ROOM)};
  const held = [];
  const told = () => {
    try {
      assertRoomForThread();
      return "room";
    } catch (error) {
      return error.message;
    }
  };
  const said = [told()];
  try {
    for (;;) held.push(openSync("/dev/null", "r"));
  } catch {}
  said.push(told());
  for (const descriptor of held) closeSync(descriptor);
  for (let i = 0; i < 100; i++) said[2] = told();
  console.log(JSON.stringify(said));
`;

test("is told before and after, refused where descriptors ran out, and asking costs none", () => {
  const limited = ["sh", "-c", 'ulimit -n 64 && exec "$@"', "sh", process.execPath, "-e", CHILD];
  const { stdout, stderr } = Bun.spawnSync(limited, { env: { PATH: process.env["PATH"] ?? "" } });
  expect(stderr.toString()).toBe("");
  expect(JSON.parse(stdout.toString())).toEqual(["room", "Too many files are open to start a thread.", "room"]);
});
