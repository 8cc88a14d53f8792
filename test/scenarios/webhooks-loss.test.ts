// No event is lost: 5,000 events while the receiver fails at random and the process is killed ten times. Then every
// event must be at the receiver.
import { expect, test } from "bun:test";
import { leaveNothingBehind, runBinary, startBinary, tempFolder, type Running } from "../support/binary.ts";
import { QUICK } from "../support/calls.ts";
import { closeReceivers, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";
import { chanceOf } from "../support/chance.ts";

leaveNothingBehind();
const chance = chanceOf("webhooks-loss");
closeReceivers();

const EVENTS = 5_000;
const KILLS = 10;
const CLIENTS = 20;
/** Small enough that fifty failures in a row do not happen, large enough that hundreds of events meet one. */
const FAILURE_SHARE = 0.1;

test("every acknowledged change reaches the receiver", async () => {
  const receiver = startReceiver();
  const arrived = new Map<string, Set<string>>();
  let failing = true;
  let failures = 0;
  receiver.answer = ({ json }) => {
    if (failing && chance() < FAILURE_SHARE) {
      failures += 1;
      return new Response(null, { status: 503 });
    }
    const window = json.data["calendar_id"] as string;
    arrived.set(window, (arrived.get(window) ?? new Set()).add(json.event_id));
    return new Response(null, { status: 204 });
  };
  const dataDir = tempFolder();
  const env = { ...QUICK, ...receiver.env, RINGWARD_LOG__LEVEL: "error" };
  let server: Running = await startBinary({ dataDir, env });
  const made = await runBinary(
    ["endpoints", "create", "--url", receiver.url, "--events", "slot.updated", "--data", dataDir],
    { env },
  );
  expect(made.code).toBe(0);

  let isUp = true;
  const acknowledged: string[] = [];
  const body = JSON.stringify({ branch_id: server.demo["branch_id"], day: "friday", session: "Evening", ai_slots: 1 });
  const headers = { "x-api-key": server.demo["api_key"]!, "content-type": "application/json" };
  const client = async () => {
    while (acknowledged.length < EVENTS) {
      // Refused or cut off while the process is down: retry, as a client would.
      const answer = await fetch(`${server.url}/v1/appointment-slots`, { method: "POST", headers, body }).catch(
        () => null,
      );
      if (answer?.status === 201)
        acknowledged.push(((await answer.json()) as { data: { calendar_id: string } }).data.calendar_id);
      else await until(() => isUp);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  for (let kill = 1; kill <= KILLS; kill++) {
    await until(() => acknowledged.length >= (EVENTS / (KILLS + 1)) * kill, { withinMs: 60_000 });
    isUp = false;
    await server.kill();
    server = await startBinary({ dataDir, env, port: server.port });
    isUp = true;
  }
  await clients;

  failing = false;
  const missing = () => acknowledged.filter((window) => !arrived.has(window));
  // A failed delivery is retried after 30 seconds.
  await until(() => missing().length === 0, {
    withinMs: 150_000,
    everyMs: 250,
    what: () => `${missing().length} of ${acknowledged.length} never arrived`,
  });
  expect(failures).toBeGreaterThan(20);
  // A kill between the answer and its commit may send an event twice, with the same id.
  for (const ids of arrived.values()) expect(ids.size).toBe(1);
  console.log(
    `${acknowledged.length} events, ${failures} refused, ${receiver.received.length - failures - arrived.size} sent twice, none lost`,
  );
  await server.stop();
}, 300_000);
