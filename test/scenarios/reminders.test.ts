// Reminders on the compiled binary: the process is killed repeatedly while a day is reminded, and every contact is
// called once.
import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { daysAhead } from "../calendar/ahead.ts";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, tempFolder, type Running } from "../support/binary.ts";
import { FINAL, startQuick, type Call } from "../support/calls.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

const PEOPLE = 60;
const KILLS = 3;
const SOON = daysAhead(3);
/** Every contact answers, confirms and hangs up. */
const numberOf = (index: number) => `+1555${String(300 + index)}0100`;

async function callsOf(server: Running): Promise<Call[]> {
  const { text } = await ask(server, "GET", "/v1/calls?limit=100");
  return (JSON.parse(text) as { data: Call[] }).data;
}

async function bookAll(server: Running): Promise<string[]> {
  const window = { branch_id: randomUUID(), day: SOON.day, session: "Evening", ai_slots: 4, max_slots: 100 };
  const made = await ask(server, "POST", "/v1/appointment-slots", { body: window });
  expect(made.status).toBe(201);
  const slot_id = `${String(made.data["calendar_id"])}||${SOON.date}`;
  const answers = await Promise.all(
    Array.from({ length: PEOPLE }, (_, i) =>
      ask(server, "POST", "/v1/appointments", { body: { slot_id, contact_number: numberOf(i) } }),
    ),
  );
  return answers.map(({ data }) => String(data["appointment_id"]));
}

describe("kill -9", () => {
  test(`${KILLS} kills while ${PEOPLE} people are reminded: each has one call, and confirms in it`, async () => {
    const dataDir = tempFolder();
    let server = await startQuick({}, { dataDir });
    const agent_id = server.demo["agent_id"];
    const ids = await bookAll(server);
    const share = Math.ceil(PEOPLE / (KILLS + 1));
    for (let round = 0; round <= KILLS; round++) {
      const mine = ids.slice(round * share, (round + 1) * share);
      const answers = await Promise.all(
        mine.map((id) => ask(server, "POST", `/v1/appointments/${id}/remind`, { body: { agent_id } })),
      );
      expect(answers.map(({ data }) => data["status"])).toEqual(mine.map(() => "planned"));
      if (round === KILLS) break;
      await server.kill();
      server = await startQuick({}, { dataDir });
    }
    await until(async () => (await callsOf(server)).filter(({ status }) => FINAL.includes(status)).length >= PEOPLE, {
      withinMs: 180_000,
      what: () => "not every call has ended",
    });
    const calls = await callsOf(server);
    const about = calls.map(({ additional_info }) => String(additional_info?.["appointment_id"]));
    expect(about.toSorted()).toEqual(ids.toSorted());
    const confirmed = await ask(server, "GET", `/v1/appointments?limit=100&from=${SOON.date}&to=${SOON.date}`);
    const shown = confirmed.data as unknown as { contact_confirmed_at: string | null }[];
    // A contact whose call was cut off by the kill is not called again.
    const reached = calls.filter(({ status }) => status === "completed").length;
    expect(shown.filter(({ contact_confirmed_at }) => contact_confirmed_at !== null).length).toBeGreaterThanOrEqual(
      reached,
    );
    await server.stop();
  }, 400_000);
});
