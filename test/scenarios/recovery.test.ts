// The process is killed repeatedly during many calls: no call is dialled twice, and none is lost.
import { describe, expect, test } from "bun:test";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, tempFolder, type Running } from "../support/binary.ts";
import {
  callIn,
  command,
  dialled,
  FINAL,
  finished,
  newAgent,
  numberEnding,
  organisationId,
  place,
  readCall,
  startQuick,
  type Call,
} from "../support/calls.ts";
import { until } from "../support/until.ts";
import { chanceOf } from "../support/chance.ts";

leaveNothingBehind();
const chance = chanceOf("recovery");

const ROUNDS = 10;
const CALLS_PER_ROUND = 40;
/** A call lasts about 200 ms at this speed, so a kill hits calls in every state. */
const SPEED = "200";
const LIVE = ["initiated", "ringing", "in_progress"];

/** One number for each of 40 concurrent calls, because a number is never called twice at a time. */
const contactOf = (round: number, index: number) => `+1555${String(200 + round)}1${String(index).padStart(3, "0")}`;

/** Every call of the appliance. */
async function allCalls(server: Running, query = ""): Promise<Call[]> {
  const calls: Call[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const after: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const { text } = await ask(server, "GET", `/v1/calls?limit=100${query}${after}`);
    const page = JSON.parse(text) as { data: Call[]; next_cursor: string | null };
    calls.push(...page.data);
    cursor = page.next_cursor;
  }
  return calls;
}

async function roomy(server: Running): Promise<void> {
  await command(server, "orgs", "plan", await organisationId(server), "enterprise");
  const lines = ["--agent", server.demo["agent_id"]!, "--lines", "500"];
  await command(server, "numbers", "add", "--number", numberEnding("0999"), ...lines);
}

describe("kill -9", () => {
  test(`${ROUNDS} kills among ${CALLS_PER_ROUND} calls each: none dialled twice, none lost, every one ends`, async () => {
    const dataDir = tempFolder();
    const env = { RINGWARD_TELEPHONY__SIMULATOR__SPEED: SPEED };
    const runs: Running[] = [];
    const acknowledged: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const server = await startQuick(env, { dataDir });
      if (round === 0) await roomy(server);
      // The start settles the calls of an earlier run before it dials new ones.
      const before = new Set(dialled(...runs.map((run) => run.output())));
      const calls = (await allCalls(server)).filter(({ call_id }) => before.has(call_id));
      expect(calls.filter(({ status }) => !FINAL.includes(status))).toEqual([]);
      runs.push(server);

      const sent = Array.from({ length: CALLS_PER_ROUND }, (_, index) =>
        place(server, { user_number: contactOf(round, index) }).then(
          (id) => void acknowledged.push(id),
          // Cut off by the kill, and therefore never acknowledged.
          () => {},
        ),
      );
      // At random, from while calls are being created to when the last ones end.
      const [overBefore, countBefore] = [calls.length, acknowledged.length];
      const moments = [
        () => acknowledged.length - countBefore,
        () => dialled(server.output()).length,
        async () => (await allCalls(server)).filter(({ status }) => FINAL.includes(status)).length - overBefore,
      ];
      const count = Math.ceil(chance() * CALLS_PER_ROUND);
      await until(async () => (await moments[round % moments.length]!()) >= count, { withinMs: 60_000, everyMs: 5 });
      await server.kill();
      await Promise.all(sent);
    }

    const last = await startQuick(env, { dataDir });
    runs.push(last);
    // No kill interrupts these, however slow the machine.
    for (let index = 0; index < 5; index++) {
      acknowledged.push(await place(last, { user_number: contactOf(ROUNDS, index) }));
    }
    let left: Call[] = [];
    const noneLeft = async () => {
      left = (await allCalls(last)).filter(({ status }) => !FINAL.includes(status));
      return left.length === 0;
    };
    await until(noneLeft, { withinMs: 60_000, everyMs: 100, what: () => `${left.length} calls have not ended` });
    const calls = new Map((await allCalls(last)).map((call) => [call.call_id, call]));
    expect(await last.stop()).toBe(0);

    const dials = dialled(...runs.map((run) => run.output()));
    const states = [...calls.values()].map(({ status, error }) => error?.code ?? status);
    const interrupted = states.filter((state) => state === "interrupted").length;
    const completed = states.filter((state) => state === "completed").length;
    console.log(
      `      ${acknowledged.length} acknowledged, ${dials.length} dialled, ${completed} completed, ${interrupted} interrupted`,
    );
    expect(dials.length).toBe(new Set(dials).size);
    expect(dials.filter((id) => !calls.has(id))).toEqual([]);
    expect(acknowledged.filter((id) => !calls.has(id))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(ROUNDS);
    // These contacts all answer: only a kill ends their calls otherwise.
    expect(states.filter((state) => state !== "completed" && state !== "interrupted")).toEqual([]);
    expect(completed).toBeGreaterThan(0);
    expect(interrupted).toBeGreaterThan(0);
    for (const call of calls.values()) {
      if (call.status === "failed")
        // The recording before the kill may exist; it was not charged.
        expect(call).toMatchObject({ call_transcript: null, credits_consumed: null });
      else expect(call.call_transcript!.length).toBeGreaterThan(0);
    }
  }, 180_000);

  test("a call in progress at the crash ends failed, interrupted, and its agent's policy may retry it", async () => {
    const slow = { RINGWARD_TELEPHONY__SIMULATOR__SPEED: "1" };
    const server = await startQuick(slow);
    const { agentId } = await newAgent(server, { more: ["--retry-attempts", "1", "--retry-outcomes", "interrupted"] });
    const retried = await place(server, { agent_id: agentId });
    const plain = await place(server);
    const waiting = await place(server, { scheduled_time: new Date(Date.now() + 3_600_000).toISOString() });
    await callIn(server, retried, LIVE);
    await callIn(server, plain, ["ringing"]);
    await server.kill();

    const again = await startQuick(slow, { dataDir: server.dataDir });
    const call = await readCall(again, retried);
    expect(call).toMatchObject({ status: "failed", error: { code: "interrupted" }, call_duration_seconds: 0 });
    expect(await readCall(again, call.scheduled_call_id!)).toMatchObject({
      status: "scheduled",
      follows_call_id: retried,
    });
    expect(await readCall(again, plain)).toMatchObject({ error: { code: "interrupted" }, scheduled_call_id: null });
    expect(await readCall(again, waiting)).toMatchObject({ status: "scheduled", error: null });
    expect(dialled(again.output())).toEqual([]);
    await again.kill();
  });

  test("right after an agreement: the number is on the list, and the callback is scheduled, once", async () => {
    // Slow enough for a kill while the agent still confirms it.
    const talking = { RINGWARD_TELEPHONY__SIMULATOR__SPEED: "4" };
    const first = await startQuick(talking);
    const { agentId } = await newAgent(first, { more: ["--retry-attempts", "1", "--retry-outcomes", "interrupted"] });
    const number = numberEnding("0011");
    const peace = await place(first, { agent_id: agentId, user_number: number });
    const isListed = async () => (await command(first, "dnd", "list")).split("\n").includes(number);
    await until(isListed, { withinMs: 60_000, everyMs: 20 });
    await first.kill();

    const second = await startQuick(talking, { dataDir: first.dataDir });
    expect((await command(second, "dnd", "list")).trim()).toBe(number);
    // On a starved machine the call may be completed before the kill; both outcomes report the same.
    const leftAlone = await readCall(second, peace);
    expect(["failed", "completed"]).toContain(leftAlone.status);
    expect(leftAlone).toMatchObject({ scheduled_call_id: null, extracted_details: { answer: "opted_out" } });
    const busy = await place(second, { agent_id: agentId, user_number: numberEnding("0007") });
    const isAgreedOn = async () => (await readCall(second, busy)).scheduled_call_id !== null;
    await until(isAgreedOn, { withinMs: 60_000, everyMs: 20 });
    const { scheduled_call_id } = await readCall(second, busy);
    await second.kill();

    const third = await startQuick(talking, { dataDir: first.dataDir });
    const calledAgain = await readCall(third, busy);
    expect(["failed", "completed"]).toContain(calledAgain.status);
    expect(calledAgain).toMatchObject({ scheduled_call_id, extracted_details: { answer: "call_later" } });
    const followers = (await allCalls(third)).filter(({ follows_call_id }) => follows_call_id !== null);
    expect(followers).toMatchObject([{ call_id: scheduled_call_id, follows_call_id: busy, status: "scheduled" }]);
    console.log(`      killed in the goodbye: ${leftAlone.status}, ${calledAgain.status}`);
    await third.kill();
  }, 180_000);

  test("a call that fell due during downtime is dialled at the next start, once", async () => {
    const server = await startQuick();
    const at = new Date(Date.now() + 3_000);
    const id = await place(server, { scheduled_time: at.toISOString() });
    const cancelled = await place(server, { scheduled_time: at.toISOString() });
    expect((await ask(server, "POST", `/v1/calls/${cancelled}/cancel`)).status).toBe(200);
    await server.kill();
    await until(() => Date.now() > at.getTime());
    const again = await startQuick({}, { dataDir: server.dataDir });
    expect((await finished(again, id)).status).toBe("completed");
    expect((await readCall(again, cancelled)).status).toBe("cancelled");
    expect(dialled(server.output(), again.output())).toEqual([id]);
    await again.kill();
  });
});

describe("SIGTERM", () => {
  test("during calls ends them interrupted, exits 0, and the next start dials none of them again", async () => {
    const slow = { RINGWARD_TELEPHONY__SIMULATOR__SPEED: "1" };
    const server = await startQuick(slow);
    const ids = await Promise.all(Array.from({ length: 5 }, () => place(server)));
    await Promise.all(ids.map((id) => callIn(server, id, ["ringing"])));
    const queued = await place(server);
    await callIn(server, queued, ["queued"]);
    expect(await server.stop()).toBe(0);
    expect(server.output()).toContain('"Stopped."');

    const again = await startQuick(slow, { dataDir: server.dataDir });
    // The stop settled them, so the start had nothing to settle.
    expect(again.output()).not.toContain("cut off");
    for (const id of ids)
      expect(await readCall(again, id)).toMatchObject({ status: "failed", error: { code: "interrupted" } });
    await callIn(again, queued, LIVE);
    expect(dialled(server.output()).toSorted()).toEqual(ids.toSorted());
    expect(dialled(again.output())).toEqual([queued]);
    await again.kill();
  });
});
