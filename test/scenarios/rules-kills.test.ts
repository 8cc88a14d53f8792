// The process is killed between claim and dial: each dial counts against the limit once, none is made twice, and
// nothing outside the rules goes out after the restart.
import { expect, test } from "bun:test";
import { leaveNothingBehind, tempFolder, type Running } from "../support/binary.ts";
import { command, dialled, newAgent, organisationId, place, readCall, startQuick } from "../support/calls.ts";
import { chanceOf } from "../support/chance.ts";
import { noonZone } from "../support/noon.ts";
import { storedCount, storedRows } from "../support/stored-rows.ts";
import { ENFORCED } from "../support/unenforced.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();
const chance = chanceOf("rules-kills");

const NUMBERS = Array.from({ length: 6 }, (_, i) => `+91981002${i}100`);
/** Of the rules for India. */
const MOST_A_DAY = 3;
const KILLS = 6;

test(`${KILLS} kills: each number is called ${MOST_A_DAY} times at most, and each dial counts once`, async () => {
  const dataDir = tempFolder();
  const env = { ...ENFORCED, RINGWARD_TELEPHONY__SIMULATOR__SPEED: "200" };
  const start = () => startQuick(env, { dataDir });
  const runs: Running[] = [await start()];
  let [server] = runs as [Running];
  await command(server, "orgs", "plan", await organisationId(server), "enterprise");
  const { agentId: agent_id } = await newAgent(server, { lines: 100 });
  const nightly = "+919810029100";
  const night = await place(server, { agent_id, user_number: nightly, user_time_zone: noonZone(0) });
  // Noon there: within the hours, and far from midnight.
  const day = { agent_id, user_time_zone: noonZone() };

  for (let kill = 0; kill < KILLS; kill++) {
    const more = 1 + Math.floor(chance() * 4);
    // As soon as a claim is stored, or once some were dialled.
    const isTime = () =>
      kill % 2 === 0
        ? storedCount(dataDir, "calls WHERE state = 'initiated'") > 0
        : dialled(server.output()).length >= more;
    const isDone = () => storedCount(dataDir, "dialled_numbers") >= NUMBERS.length * MOST_A_DAY;
    // A kill may cut off the answer.
    const sent = NUMBERS.map((user_number) => place(server, { ...day, user_number }).catch(() => null));
    await until(() => isTime() || isDone(), { withinMs: 60_000, everyMs: 1 });
    await server.kill();
    await Promise.all(sent);
    server = await start();
    runs.push(server);
  }

  for (let i = 0; i < MOST_A_DAY + 1; i++)
    for (const user_number of NUMBERS) await place(server, { ...day, user_number });
  const waiting = () =>
    storedRows<{ contact_number: string; hold_reason: string | null }>(
      dataDir,
      `SELECT contact_number, hold_reason FROM calls
        WHERE state NOT IN ('completed', 'failed') AND contact_number <> '${nightly}'`,
    );
  let left = waiting();
  const isSettled = () => (left = waiting()).every(({ hold_reason }) => hold_reason === "too_many_calls");
  await until(isSettled, { withinMs: 90_000, everyMs: 200, what: () => JSON.stringify(left) });
  expect(new Set(left.map(({ contact_number }) => contact_number)).size).toBe(NUMBERS.length);
  expect(await readCall(server, night)).toMatchObject({ hold_reason: "outside_legal_hours", call_triggered_at: null });
  await server.stop();

  const dials = dialled(...runs.map((run) => run.output()));
  expect(dials).toHaveLength(new Set(dials).size);
  const numberOf = new Map(
    storedRows<{ id: string; contact_number: string }>(dataDir, "SELECT id, contact_number FROM calls").map((row) => [
      row.id,
      row.contact_number,
    ]),
  );
  const perNumber = Object.values(Object.groupBy(dials, (id) => numberOf.get(id) ?? ""));
  expect(Math.max(...perNumber.map((each) => each?.length ?? 0))).toBeLessThanOrEqual(MOST_A_DAY);
  const counted = storedRows<{ count: number }>(
    dataDir,
    "SELECT count(*) AS count FROM dialled_numbers GROUP BY number_hash",
  );
  expect(counted.map(({ count }) => count)).toEqual(NUMBERS.map(() => MOST_A_DAY));
}, 240_000);
