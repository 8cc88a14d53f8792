import { expect, test } from "bun:test";
import { silentLogger } from "../../../src/core/logger.ts";
import { SenderConnection } from "../../../src/exchange/hl7/listener/connection.ts";
import { framed } from "../../../src/exchange/hl7/mllp.ts";
import { createManualClock } from "../../support/manual-clock.ts";

function connect(perSecond: number) {
  const clock = createManualClock();
  const wire = { sent: 0, isPaused: false, isOver: false };
  let received = 0;
  const connection = new SenderConnection(
    {
      clock,
      logger: silentLogger,
      receiver: {
        async receive() {
          received += 1;
          return { answer: Buffer.from("MSA|AA"), code: "AA", outcome: "created", sourceId: null, reason: null };
        },
        refuse: () => ({ answer: Buffer.from("MSA|AR"), code: "AR", outcome: "refused", sourceId: null, reason: "" }),
      },
      limits: { mostBytes: 2_000, perSecond, idleMs: 3_600_000, frameMs: 30_000, quietMs: 30_000 },
      received: () => {},
    },
    {
      write(bytes) {
        wire.sent += 1;
        return bytes.length;
      },
      pause: () => void (wire.isPaused = true),
      resume: () => void (wire.isPaused = false),
      terminate: () => void (wire.isOver = true),
    },
    "127.0.0.1",
  );
  return { clock, wire, connection, received: () => received };
}

const messages = (count: number) =>
  Buffer.concat(Array.from({ length: count }, () => framed(Buffer.from("MSH|^~\\&|A"))));

test("a sender that is too fast is read more slowly, and nothing is dropped", async () => {
  const { clock, wire, connection, received } = connect(10);
  connection.heard(messages(40));
  expect(wire.isPaused).toBe(true);
  await clock.advance(500);
  expect(received()).toBeLessThanOrEqual(15);
  await clock.advance(3_000);
  expect([received(), wire.sent, wire.isPaused]).toEqual([40, 40, false]);
});

test("time that passes while the sender is slowed down does not end its message", async () => {
  const { clock, wire, connection, received } = connect(1);
  connection.heard(Buffer.concat([messages(40), Buffer.from("\x0bMSH|^~")]));
  await clock.advance(35_000);
  expect([wire.isOver, wire.isPaused]).toEqual([false, true]);
  await clock.advance(20_000);
  expect([received(), wire.isPaused, wire.isOver]).toEqual([40, false, false]);
  await clock.advance(30_000);
  expect(wire.isOver).toBe(true);
});

test("a sender that sends no frames is not kept", () => {
  const { connection, wire } = connect(10);
  connection.heard(Buffer.from("GET / HTTP/1.1\r\n".repeat(100)));
  expect(wire.isOver).toBe(false);
  connection.heard(framed(Buffer.from("MSH|^~\\&|A")));
  for (let i = 0; i < 2; i++) connection.heard(Buffer.from("GET / HTTP/1.1\r\n".repeat(100)));
  expect(wire.isOver).toBe(true);
});

test("messages in one frame are paced too, and too many are refused", async () => {
  const { clock, connection, wire, received } = connect(10);
  connection.heard(framed(Buffer.from("MSH|^~\\&|A\r".repeat(100))));
  await clock.advance(1_000);
  expect(received()).toBeLessThanOrEqual(20);
  await clock.advance(10_000);
  expect(received()).toBe(100);
  connection.heard(framed(Buffer.from("MSH|A\r".repeat(140))));
  connection.heard(framed(Buffer.from("MSH|\r".repeat(201))));
  await clock.advance(15_000);
  expect([received(), wire.sent]).toEqual([240, 241]);
});

test("a stop answers the message in work and drops the others, which their sender repeats", async () => {
  const { wire, connection, received } = connect(1_000);
  connection.heard(messages(5));
  await connection.stop();
  expect([received(), wire.isOver]).toEqual([1, true]);
});
