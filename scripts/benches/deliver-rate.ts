// Deliveries per second over HTTPS, against a bare loop in the same process to the same receiver, and the CPU cost of
// each.
import { SECOND_MS } from "../../src/core/clock.ts";
import { MOST_PLACES } from "../../src/events/pace.ts";
import type { SafePost } from "../../src/events/safe-post/safe-post.ts";
import { deliveryHeaders } from "../../src/events/signing.ts";
import { cpuUse } from "../process-cpu.ts";
import type { Finding } from "./bench.ts";
import { safePostTo, type Receiver } from "./deliver-peer.ts";
import { callData, inWorld, until } from "./deliver-world.ts";
import { count, median, perSecond } from "./figures.ts";

const LEAST_OF_BARE = 0.6;

interface Rate {
  perSecond: number;
  /** Per event, in microseconds, over all threads. */
  cpuUs: number;
  receiverCpuUs: number;
}

async function rateOf({ pid }: Receiver, events: number, deliver: () => Promise<unknown>): Promise<Rate> {
  const cpuSeconds = () => ({ own: cpuUse(process.pid).totalSeconds, receiver: cpuUse(pid).totalSeconds });
  const before = cpuSeconds();
  const startedMs = performance.now();
  await deliver();
  const seconds = (performance.now() - startedMs) / SECOND_MS;
  const after = cpuSeconds();
  const eachUs = (used: number) => (used * 1e6) / events;
  return {
    perSecond: events / seconds,
    cpuUs: eachUs(after.own - before.own),
    receiverCpuUs: eachUs(after.receiver - before.receiver),
  };
}

/** The minimum: sign, post with the runtime's client, await the response. No database, no checks. */
async function bareRate(receiver: Receiver, events: number): Promise<Rate> {
  const url = `https://127.0.0.1:${receiver.live}/hook`;
  const secrets = { current: `whsec_${Buffer.alloc(32, 7).toString("base64")}`, previous: null };
  const encoder = new TextEncoder();
  let left = events;
  return rateOf(receiver, events, () =>
    Promise.all(
      Array.from({ length: MOST_PLACES }, async () => {
        for (let i = left--; i > 0; i = left--) {
          const id = `evt_${i}`;
          const body = encoder.encode(
            JSON.stringify({ event_id: id, event_type: "call.completed", created_at: new Date(), data: callData(id) }),
          );
          const headers = deliveryHeaders(
            { eventId: id, unixSeconds: Math.floor(Date.now() / SECOND_MS), attempts: 0, secrets },
            body,
          );
          const { status } = await fetch(url, { method: "POST", headers, body, tls: { ca: receiver.caPem } });
          if (status !== 204) throw new Error(`The receiver answered ${status}.`);
        }
      }),
    ),
  );
}

/** Good responses until the concurrency limit is at its maximum. */
const PACED = (MOST_PLACES * (MOST_PLACES + 1)) / 2;

/** Measured at the final pace, with thread and connections open, as in the bare loop. */
async function ourRate(receiver: Receiver, safePost: SafePost, events: number): Promise<Rate> {
  return inWorld(safePost, async (world) => {
    const endpointId = await world.endpoint(`https://127.0.0.1:${receiver.live}/hook`);
    await world.fill(endpointId, PACED + events, "due");
    const left = () => PACED + events - world.countOf("delivered");
    await world.app.start();
    await until(() => left() <= events);
    return rateOf(receiver, left(), () => until(() => left() === 0));
  });
}

export async function throughput(receiver: Receiver, quick: boolean): Promise<Finding[]> {
  const events = quick ? 4_000 : 12_000;
  // One thread for all rounds, as in an appliance.
  const safePost = safePostTo(receiver);
  const inTurn = async () => ({
    ours: await ourRate(receiver, safePost, events),
    bare: await bareRate(receiver, events),
  });
  // Warm-up for the JIT compiler.
  await inTurn();
  const turns = [await inTurn(), await inTurn()];
  if (!quick) turns.push(await inTurn());
  const middle = (side: "ours" | "bare", of: keyof Rate) => median(turns.map((turn) => turn[side][of]));
  const ratio = median(turns.map(({ ours, bare }) => ours.perSecond / bare.perSecond));
  const cost = (side: "ours" | "bare") =>
    `${count(middle(side, "cpuUs"))} µs, and ${count(middle(side, "receiverCpuUs"))} µs of the receiver`;
  return [
    {
      measure: `${count(events)} events of two a call over HTTPS, each signed and on disk`,
      here: perSecond(middle("ours", "perSecond")),
      against: `${perSecond(middle("bare", "perSecond"))} of a bare loop of ${MOST_PLACES} (sign, fetch; no database)`,
      ratio,
      goal: `≥ ${LEAST_OF_BARE}`,
      holds: ratio >= LEAST_OF_BARE,
    },
    {
      measure: "CPU of a delivery",
      here: cost("ours"),
      against: `${cost("bare")}, bare`,
      ratio: middle("ours", "cpuUs") / middle("bare", "cpuUs"),
      goal: null,
      holds: null,
    },
  ];
}
