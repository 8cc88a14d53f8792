// Messages over a pipe arrive whole and in their order, however the pipe cuts them.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { frameOf, framesIn } from "../../src/core/frames.ts";

async function* cut(whole: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const size of sizes) {
    yield whole.subarray(at, at + size);
    at += size;
  }
  yield whole.subarray(at);
}

const message = fc.record({ fields: fc.record({ name: fc.string() }), bytes: fc.uint8Array({ maxLength: 60 }) });

test("whatever is sent, and wherever it is cut", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 5 }), fc.array(fc.nat(40)), async (messages, sizes) => {
      const sent = messages.flatMap(({ fields, bytes }) => frameOf({ ...fields, bytes }));
      const received = await Array.fromAsync(framesIn(cut(Buffer.concat(sent), sizes)));
      expect(received.map(({ fields, bytes }) => ({ fields, bytes: [...bytes] }))).toEqual(
        messages.map(({ fields, bytes }) => ({ fields, bytes: [...bytes] })) as never,
      );
    }),
  );
});
