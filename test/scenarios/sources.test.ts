// Appointments of the hospital's own system on the compiled binary: sent while the process is killed, sent at once by
// several clients, guarded by scope and organisation, and cancelled on the telephone.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, tempFolder, type Running } from "../support/binary.ts";
import { callIn, commandJson, place, startQuick } from "../support/calls.ts";
import { until } from "../support/until.ts";
import { createChance } from "../torture/seeded.ts";

leaveNothingBehind();

const DAY_MS = 86_400_000;
const BRANCH = randomUUID();

interface Outcome {
  external_id: string;
  outcome: string;
  appointment_id: string;
}
interface Shown {
  appointment_id: string;
  external_id: string;
  status: string;
  starts_at: string;
  wish: { wish: string; state: string; call_id: string | null } | null;
}

const addSource = async (server: Running, name: string): Promise<string> => {
  const { status, data, text } = await ask(server, "POST", "/v1/sources", { body: { name, kind: "api" } });
  if (status !== 201) throw new Error(text);
  return String(data["source_id"]);
};

async function send(server: Running, sourceId: string, body: unknown): Promise<Outcome[]> {
  const { status, data, text } = await ask(server, "PUT", `/v1/sources/${sourceId}/appointments`, { body });
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return data as unknown as Outcome[];
}

async function shownOf(server: Running): Promise<Shown[]> {
  const all: Shown[] = [];
  for (let cursor = ""; ;) {
    const { text } = await ask(server, "GET", `/v1/appointments?limit=100&branch_id=${BRANCH}${cursor}`);
    const page = JSON.parse(text) as { data: Shown[]; next_cursor: string | null };
    all.push(...page.data);
    if (page.next_cursor === null) return all;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

/** A whole minute, some days ahead. */
const soon = (days: number) => new Date(Math.floor(Date.now() / 60_000) * 60_000 + days * DAY_MS).toISOString();
const changedAt = (version: number) => new Date(Date.now() - 3_600_000 + version * 1_000).toISOString();

test("kills while a source sends: nothing is doubled or lost, and the newest of each appointment stays", async () => {
  const KILLS = 4;
  const APPOINTMENTS = 60;
  const chance = createChance(37);
  const dataDir = tempFolder();
  let server = await startQuick({}, { dataDir });
  const sourceId = await addSource(server, "Scheduler");
  const base = changedAt(0);
  const at = (version: number) => new Date(Date.parse(base) + version * 1_000).toISOString();
  const starts = [2, 3, 4, 5, 6].map(soon);
  const messages = Array.from({ length: APPOINTMENTS }, (_, i) =>
    [0, 1, 2].map((version) => ({
      external_id: `A-${i}`,
      changed_at: at(version),
      starts_at: starts[(i + version) % starts.length],
      status: version === 2 && i % 5 === 0 ? "cancelled" : "confirmed",
      branch_id: BRANCH,
      contact_number: `+1555${300 + i}0100`,
    })),
  ).flat();
  const shuffled = messages
    .map((message) => ({ message, place: chance.between(0, 1_000_000) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ message }) => message);
  let unsent = [...shuffled];
  for (let kill = 0; kill < KILLS; kill++) {
    const failed: typeof unsent = [];
    let acknowledged = 0;
    const enough = chance.between(1, 6);
    const rounds = Array.from({ length: 4 }, async (_, client) => {
      for (let i = client * 5; i < unsent.length; i += 20) {
        const appointments = unsent.slice(i, i + 5);
        await send(server, sourceId, { appointments }).then(
          () => void acknowledged++,
          () => void failed.push(...appointments),
        );
      }
    });
    await Promise.race([Promise.all(rounds), until(() => acknowledged >= enough, { everyMs: 1 })]);
    await server.kill();
    await Promise.all(rounds);
    unsent = failed;
    server = await startQuick({}, { dataDir });
  }
  // Whatever was not acknowledged is sent again, and everything once more.
  await send(server, sourceId, { appointments: shuffled });
  const again = await send(server, sourceId, { appointments: messages });
  expect(again.filter(({ outcome }) => outcome === "refused" || outcome === "created")).toEqual([]);
  const shown = await shownOf(server);
  expect(shown).toHaveLength(APPOINTMENTS);
  for (const { external_id, status, starts_at } of shown) {
    const newest = messages.find((each) => each.external_id === external_id && each.changed_at === at(2));
    expect({ external_id, status, starts_at }).toEqual({
      external_id,
      status: newest!.status,
      starts_at: newest!.starts_at!,
    });
  }
  expect(await server.stop()).toBe(0);
}, 180_000);

describe("a running appliance", () => {
  let server: Running;
  let sourceId: string;
  beforeAll(async () => {
    server = await startQuick();
    sourceId = await addSource(server, "Scheduler");
  }, 180_000);
  afterAll(() => server.stop());

  const appointment = (changes: object = {}) => ({
    external_id: "B-1",
    changed_at: changedAt(0),
    starts_at: soon(3),
    branch_id: BRANCH,
    contact_name: "Asha Rao",
    contact_number: "+15553330012",
    ...changes,
  });

  test("takes the same appointment from twenty clients at once as one", async () => {
    const told = appointment({ external_id: "B-20" });
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(server, sourceId, told)));
    const outcomes = answers.flat().map(({ outcome }) => outcome);
    expect(outcomes.filter((each) => each === "created")).toHaveLength(1);
    expect(new Set(answers.flat().map(({ appointment_id }) => appointment_id)).size).toBe(1);
  });

  test("keeps sources of another organisation and keys without the scope out", async () => {
    const path = `/v1/sources/${sourceId}/appointments`;
    const made = ["keys", "create", "--name", "reader", "--scopes", "sources:read, appointments:write"];
    const { key: reader } = await commandJson<{ key: string }>(server, ...made);
    const refused = await ask(server, "PUT", path, { key: reader, body: appointment() });
    expect([refused.status, refused.error.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
    const { organisation_id: org } = await commandJson<{ organisation_id: string }>(
      server,
      "orgs",
      "create",
      "--name",
      "B",
    );
    const theirs = ["keys", "create", "--name", "theirs", "--scopes", "all", "--org", org];
    const { key } = await commandJson<{ key: string }>(server, ...theirs);
    const foreign = await ask(server, "PUT", path, { key, body: appointment() });
    expect([foreign.status, foreign.error.code]).toEqual([404, "NOT_FOUND"]);
  });

  test("passes on what a patient says on the telephone, until the source agrees", async () => {
    const [put] = await send(server, sourceId, appointment());
    const appointment_id = put!.appointment_id;
    const callId = await place(server, {
      user_name: "Asha Rao",
      user_number: "+15553330012",
      additional_info: {
        appointment_id,
        branch_id: BRANCH,
        simulated_callee_says: ["Yes, speaking.", "Please cancel my appointment.", "Yes.", "Thank you, bye."],
      },
    });
    const call = await callIn(server, callId, ["completed"]);
    expect(call.extracted_details).toMatchObject({ answer: "cancel_requested" });
    const said = call.call_transcript!.map(({ text }) => text).join(" ");
    expect(said).toContain("I have told the hospital that you want to cancel your appointment.");
    expect(said).not.toContain("Your appointment is cancelled.");
    const read = async () => (await ask(server, "GET", `/v1/appointments/${appointment_id}`)).data as unknown as Shown;
    expect(await read()).toMatchObject({
      status: "confirmed",
      wish: { wish: "cancel", state: "open", call_id: callId },
    });
    await send(server, sourceId, { external_id: "B-1", changed_at: new Date().toISOString(), status: "cancelled" });
    expect(await read()).toMatchObject({ status: "cancelled", wish: { state: "agreed" } });
  }, 180_000);
});
