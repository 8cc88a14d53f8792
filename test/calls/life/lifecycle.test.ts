// Reports of a carrier, and the rows they lead to.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { MINUTE_MS } from "../../../src/core/clock.ts";
import { isOnPostgres } from "../../support/engines.ts";
import { TALK } from "../../support/fake-carrier.ts";
import {
  createHospital,
  CONTACT_NUMBER,
  DIAL_DELAY_MS,
  type Hospital,
  type HospitalOptions,
} from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";

let hospital: Hospital;
async function open(options: HospitalOptions = {}): Promise<void> {
  hospital = await createHospital(options);
  await hospital.subscribe();
  await hospital.app.start();
}
afterEach(() => hospital.close());

const balance = async () => (await hospital.app.services.organisations.get(hospital.organisationId)).credit_balance;
const ledger = () => hospital.db.reader.selectFrom("credit_entries").selectAll().orderBy("at").orderBy("id").execute();
const iso = (ms: number) => new Date(ms).toISOString();

describe("a completed call", () => {
  beforeEach(() => open());

  test("goes from scheduled to completed, state by state", async () => {
    const id = await hospital.schedule({ user_name: "Meera", additional_info: { visit: "Monday" } });
    const states = [(await hospital.view(id)).status];
    const look = async () => void states.push((await hospital.row(id)).state);
    await hospital.clock.advance(DIAL_DELAY_MS - 1);
    await look();
    await hospital.clock.advance(1);
    await look();
    hospital.carrier.ring(id);
    await look();
    hospital.carrier.answer(id);
    await look();
    hospital.carrier.complete(id);
    await look();
    expect(states).toEqual(["scheduled", "scheduled", "initiated", "ringing", "in_progress", "completed"]);
  });

  test("stores its times, and shows them in GET", async () => {
    const start = hospital.clock.now();
    const id = await hospital.dial();
    await hospital.clock.advance(1_000);
    hospital.carrier.ring(id);
    await hospital.clock.advance(4_000);
    hospital.carrier.answer(id);
    await hospital.clock.advance(61_000);
    hospital.carrier.complete(id, { durationSeconds: 61 });
    expect(await hospital.row(id)).toMatchObject({
      triggered_at: start + 15_000,
      ringing_at: start + 16_000,
      answered_at: start + 20_000,
      completed_at: start + 81_000,
      finished_at: start + 81_000,
      updated_at: start + 81_000,
    });
    expect(await hospital.view(id)).toMatchObject({
      call_triggered_at: iso(start + 15_000),
      completed_at: iso(start + 81_000),
      updated_at: iso(start + 81_000),
      call_duration_seconds: 61,
      hold_reason: null,
      next_attempt_at: null,
      error: null,
    });
  });

  test("stores transcript, analytics and extracted details", async () => {
    const id = await hospital.dial();
    hospital.carrier.talk(id);
    await settle();
    expect(await hospital.view(id)).toMatchObject({
      call_transcript: TALK.transcript,
      call_analytics: TALK.analytics,
      extracted_details: { mood: "good" },
      call_recording: null,
    });
  });

  test("stores the notices heard and what came of the recording, and publishes both", async () => {
    const id = await hospital.dial();
    hospital.carrier.talk(id, {
      notices: [
        { kind: "caller", heardAt: 2.1 },
        { kind: "recording", heardAt: null },
      ],
      recording: { mode: "ask", consent: "withdrawn", from: 6.5, until: 20 },
    });
    await settle();
    const shown = {
      notices: [
        { kind: "caller", heard_at: 2.1 },
        { kind: "recording", heard_at: null },
      ],
      recording: { mode: "ask", consent: "withdrawn", from: 6.5, until: 20 },
    };
    expect(await hospital.view(id)).toMatchObject({ ...shown, recording_expired_at: null });
    const [initiated, completed] = await hospital.eventsOf(id);
    expect(initiated?.parsed).toMatchObject({ notices: null, recording: null });
    expect(completed).toMatchObject({ type: "call.completed", parsed: shown });
  });

  test("may end without an analysis, shown as null", async () => {
    const id = await hospital.dial();
    hospital.carrier.talk(id, { analytics: null, extractedDetails: null, transcript: [] });
    await settle();
    expect(await hospital.view(id)).toMatchObject({
      call_analytics: null,
      extracted_details: null,
      call_transcript: [],
    });
  });

  test("links to its recording only when it is completed", async () => {
    const id = await hospital.dial();
    hospital.carrier.ring(id);
    hospital.carrier.answer(id);
    await settle();
    expect((await hospital.view(id)).call_recording).toBeNull();
    hospital.carrier.complete(id, { recorded: true });
    await settle();
    expect((await hospital.view(id)).call_recording).toContain(`/media/${id}/recording.wav?expires=`);
  });

  test("may be answered without ringing", async () => {
    const id = await hospital.dial();
    hospital.carrier.answer(id);
    hospital.carrier.complete(id);
    expect((await hospital.row(id)).state).toBe("completed");
  });

  test("is completed even if its answer was never reported: no line stays occupied", async () => {
    const silent = await hospital.dial();
    hospital.carrier.complete(silent);
    const rung = await hospital.dial();
    hospital.carrier.ring(rung);
    hospital.carrier.complete(rung);
    expect([(await hospital.row(silent)).state, (await hospital.row(rung)).state]).toEqual(["completed", "completed"]);
    expect((await hospital.row(silent)).answered_at).not.toBeNull();
  });

  test("is dialled with everything the agent needs", async () => {
    const id = await hospital.dial({
      user_name: "Meera",
      additional_info: { visit: "Monday" },
      user_preferred_language: "hi",
    });
    expect(hospital.carrier.dialled as unknown[]).toEqual([
      {
        callId: id,
        trunkId: null,
        from: "+15555551000",
        to: CONTACT_NUMBER,
        clips: [],
        brief: {
          agentName: "Asha",
          language: "hi",
          voice: "default",
          prompt: "Confirm Monday.",
          promptTemplate: "Confirm {{visit}}.",
          pronunciations: [],
          branchName: null,
          details: [],
          modelSpeech: "chosen",
          approvedAnswers: [],
          greeting: "Hello Meera.",
          contactName: "Meera",
          additionalInfo: { visit: "Monday" },
          timeZone: "Asia/Kolkata",
          transferTo: null,
          direction: "outbound",
          desk: { canBook: false },
          notices: { hospital: "Test Hospital", callbackNumber: "+15555551000" },
          recording: "announce",
        },
        desk: expect.objectContaining({ canBook: false }),
        recordingFile: expect.stringContaining("/recordings/"),
        captureFile: null,
      },
    ]);
  });

  test("uses the agent's language if it names none", async () => {
    await hospital.dial();
    expect(hospital.carrier.dialled[0]?.brief.language).toBe("en-IN");
  });
});

describe("credits", () => {
  beforeEach(() => open());

  test.each([
    [0, 0],
    [0.4, 1],
    [60, 1],
    [60.1, 2],
    [61, 2],
    [600, 10],
  ])("a talk of %d seconds costs %d", async (durationSeconds, cost) => {
    const id = await hospital.dial();
    hospital.carrier.talk(id, { durationSeconds });
    await settle();
    expect((await hospital.view(id)).credits_consumed).toBe(cost);
    expect(await balance()).toBe(1_000 - cost);
    const entries = await ledger();
    expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(await balance());
    expect(entries.filter(({ call_id }) => call_id === id).map(({ amount, reason }) => [amount, reason])).toEqual(
      cost === 0 ? [] : [[-cost, "call"]],
    );
  });

  test("are not charged for a failed call, even after an answer", async () => {
    const id = await hospital.dial();
    hospital.carrier.answer(id);
    hospital.carrier.fail(id, "carrier_error");
    await settle();
    expect(await balance()).toBe(1_000);
    expect((await hospital.view(id)).credits_consumed).toBeNull();
  });

  test("are recorded in the ledger while unlimited, and count when they are limited again", async () => {
    const { credits } = hospital.app.services;
    await credits.setUnlimited(hospital.organisationId, true, CLI_ACTOR);
    const id = await hospital.dial();
    hospital.carrier.talk(id, { durationSeconds: 120 });
    await settle();
    expect((await credits.recent(hospital.organisationId, 1))[0]).toMatchObject({ amount: -2, call_id: id });
    expect(await balance()).toBe(1_000);
    await credits.setUnlimited(hospital.organisationId, false, CLI_ACTOR);
    expect(await balance()).toBe(998);
  });

  test("granted while unlimited are added to the ledger's balance", async () => {
    const { credits } = hospital.app.services;
    await credits.setUnlimited(hospital.organisationId, true, CLI_ACTOR);
    const id = await hospital.dial();
    hospital.carrier.talk(id, { durationSeconds: 120 });
    await settle();
    await credits.grant(hospital.organisationId, 10, CLI_ACTOR);
    expect(await balance()).toBe(1_008);
  });
});

describe("a failed call", () => {
  beforeEach(() => open());

  test("gives the reason, in GET as an object and in its event as one line", async () => {
    const id = await hospital.dial();
    hospital.carrier.ring(id);
    hospital.carrier.fail(id, "no_answer");
    await settle();
    expect(await hospital.view(id)).toMatchObject({
      status: "failed",
      error: { code: "no_answer", message: "The line failed." },
      call_duration_seconds: 0,
      call_transcript: null,
      call_recording: null,
    });
    expect((await hospital.eventsOf(id)).at(-1)?.parsed).toMatchObject({
      status: "failed",
      error: "no_answer: The line failed.",
      call_analytics: null,
    });
  });

  test("leaves no recording", async () => {
    const id = await hospital.dial();
    const { recordingFile } = hospital.carrier.dialled[0]!;
    await Bun.write(recordingFile, "RIFF");
    hospital.carrier.fail(id);
    await settle();
    expect(existsSync(recordingFile)).toBeFalse();
    expect((await hospital.row(id)).recording_file).toBeNull();
  });

  test("a completed call whose recording is not playable leaves no file either", async () => {
    const id = await hospital.dial();
    const { recordingFile } = hospital.carrier.dialled[0]!;
    await Bun.write(recordingFile, "RI");
    hospital.carrier.talk(id, { recorded: false });
    await settle();
    expect(existsSync(recordingFile)).toBeFalse();
  });
});

describe("events", () => {
  beforeEach(() => open());

  test("are initiated and then completed, numbered from 1, one delivery each", async () => {
    const id = await hospital.dial({ user_name: "Meera", additional_info: { visit: "Monday" } });
    hospital.carrier.talk(id, { recorded: true, durationSeconds: 61 });
    const events = await hospital.eventsOf(id);
    expect(events.map(({ type, parsed }) => [type, parsed.sequence, parsed.status])).toEqual([
      ["call.initiated", 1, "initiated"],
      ["call.completed", 2, "completed"],
    ]);
    expect(events.map(({ has_recording, has_transcript }) => [has_recording, has_transcript])).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(events[1]?.parsed).toMatchObject({
      call_id: id,
      call_direction: "outbound",
      call_to: CONTACT_NUMBER,
      call_from: null,
      call_duration_seconds: 61,
      credits_consumed: 2,
      agent_id: hospital.agentId,
      agent_name: "Asha",
      error: null,
      scheduled_call_id: null,
      contact_name: "Meera",
      contact_email: null,
      contact_preferred_language: "en-IN",
      custom_data: { visit: "Monday" },
      call_recording: null,
      call_transcript: null,
      call_details_url: null,
      share_token: null,
      call_analytics: TALK.analytics,
      extracted_details: { mood: "good" },
      appointment_details: null,
    });
    expect(events[0]?.parsed).toMatchObject({
      credits_consumed: null,
      call_duration_seconds: 0,
      call_analytics: null,
      completed_at: null,
    });
    const deliveries = await hospital.db.reader.selectFrom("deliveries").selectAll().orderBy("id").execute();
    expect(deliveries.map(({ event_id, order_key }) => [event_id, order_key])).toEqual(
      events.map((event) => [event.id, id]),
    );
  });

  test("are not sent for ringing and answering", async () => {
    const id = await hospital.dial();
    hospital.carrier.ring(id);
    hospital.carrier.answer(id);
    expect(await hospital.eventsOf(id)).toHaveLength(1);
  });

  test("are not stored without a subscriber", async () => {
    await hospital.db.write((tx) => tx.updateTable("webhook_endpoints").set({ event_types: "slot.updated" }).execute());
    const id = await hospital.dial();
    hospital.carrier.talk(id);
    expect(await hospital.eventsOf(id)).toEqual([]);
    expect((await hospital.row(id)).event_sequence).toBe(2);
  });

  test("and state commit together: when the event cannot be stored, the state does not change either", async () => {
    const id = await hospital.dial();
    await blockEvents();
    hospital.carrier.answer(id);
    hospital.carrier.complete(id);
    expect((await hospital.row(id)).state).toBe("in_progress");
    expect(await hospital.db.reader.selectFrom("call_results").selectAll().execute()).toEqual([]);
    expect(await balance()).toBe(1_000);
    await allowEvents();
    await hospital.clock.advance(1_000);
    expect((await hospital.row(id)).state).toBe("completed");
    expect(await balance()).toBe(998);
    expect((await hospital.eventsOf(id)).map(({ type }) => type)).toEqual(["call.initiated", "call.completed"]);
  });
});

/** Makes each of these writes fail, as on a full disk. */
async function block(writes: string): Promise<void> {
  if (!isOnPostgres) return runSql(`CREATE TRIGGER blocked BEFORE ${writes} BEGIN SELECT RAISE(ABORT, 'no room'); END`);
  await runSql("CREATE FUNCTION blocked() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no room'; END $$");
  await runSql(`CREATE TRIGGER blocked BEFORE ${writes} FOR EACH ROW EXECUTE FUNCTION blocked()`);
}
const unblock = () => runSql(isOnPostgres ? "DROP FUNCTION blocked CASCADE" : "DROP TRIGGER blocked");
const blockEvents = () => block("INSERT ON events");
const allowEvents = unblock;
const blockCalls = () => block("UPDATE ON calls");
const allowCalls = unblock;
async function runSql(text: string): Promise<void> {
  const { sql } = await import("kysely");
  await hospital.db.write((tx) => sql.raw(text).execute(tx));
}

describe("a database that fails temporarily", () => {
  beforeEach(() => open({ logged: true }));

  test("loses no report: each is retried until it is stored", async () => {
    const id = await hospital.dial();
    await blockCalls();
    hospital.carrier.ring(id);
    await hospital.clock.advance(5_000);
    expect((await hospital.row(id)).state).toBe("initiated");
    await allowCalls();
    await hospital.clock.advance(1_000);
    expect((await hospital.row(id)).state).toBe("ringing");
  });

  test("keeps the order of a call's reports", async () => {
    const id = await hospital.dial();
    await blockCalls();
    hospital.carrier.ring(id);
    hospital.carrier.answer(id);
    await hospital.clock.advance(500);
    await allowCalls();
    // The end arrives while the answer still waits to be stored.
    hospital.carrier.complete(id);
    await hospital.clock.advance(5_000);
    expect((await hospital.row(id)).state).toBe("completed");
    expect((await hospital.eventsOf(id)).map(({ type }) => type)).toEqual(["call.initiated", "call.completed"]);
  });

  test("is logged without the transcript", async () => {
    const id = await hospital.dial({ user_name: "Meera Iyer" });
    await blockCalls();
    hospital.carrier.talk(id);
    await hospital.clock.advance(3_000);
    const log = hospital.logLines.join("\n");
    expect(log).toContain("could not be stored");
    expect(log).not.toContain("Good morning");
    expect(log).not.toContain("Meera");
    await allowCalls();
    await hospital.clock.advance(2_000);
    expect((await hospital.row(id)).state).toBe("completed");
  });
});

describe("an invalid report", () => {
  beforeEach(() => open());

  test("about an unknown call is ignored", async () => {
    hospital.carrier.ring("call_unknown");
    hospital.carrier.answer("call_unknown");
    hospital.carrier.complete("call_unknown");
    await settle();
    expect(await hospital.db.reader.selectFrom("calls").selectAll().execute()).toEqual([]);
  });

  test("about a finished call changes nothing, costs nothing and sends nothing", async () => {
    const id = await hospital.dial();
    hospital.carrier.talk(id, { recorded: true });
    const before = await hospital.row(id);
    const { recordingFile } = hospital.carrier.dialled[0]!;
    await hospital.clock.advance(1_000);
    hospital.carrier.ring(id);
    hospital.carrier.answer(id);
    hospital.carrier.fail(id);
    hospital.carrier.talk(id);
    expect(await hospital.row(id)).toEqual(before);
    expect(await hospital.eventsOf(id)).toHaveLength(2);
    expect(await balance()).toBe(998);
    expect(existsSync(recordingFile)).toBeTrue();
  });

  test("about a cancelled call does not revive it", async () => {
    const id = await hospital.schedule();
    await hospital.request("POST", `/v1/calls/${id}/cancel`);
    hospital.carrier.talk(id);
    expect((await hospital.row(id)).state).toBe("cancelled");
  });
});

describe("a follow-up call", () => {
  const patient = { retry_attempts: 2, retry_minutes: 20, retry_outcomes: ["busy", "voicemail"] };

  test("a retry is a new call, linked both ways, with the same contact", async () => {
    await open({ agent: patient });
    const id = await hospital.dial({
      user_name: "Meera",
      user_email: "m@example.org",
      user_preferred_language: "hi",
      user_time_zone: "Asia/Dubai",
      additional_info: { visit: "Monday" },
    });
    hospital.carrier.fail(id, "busy");
    await settle();
    const first = await hospital.view(id);
    const second = await hospital.view(first.scheduled_call_id!);
    expect(second).toMatchObject({
      status: "scheduled",
      follows_call_id: id,
      contact_number: CONTACT_NUMBER,
      contact_name: "Meera",
      contact_email: "m@example.org",
      contact_preferred_language: "hi",
      contact_time_zone: "Asia/Dubai",
      additional_info: { visit: "Monday" },
      scheduled_at: iso(hospital.clock.now() + 20 * MINUTE_MS),
    });
    expect((await hospital.eventsOf(id)).map(({ parsed }) => parsed.scheduled_call_id)).toEqual([null, second.call_id]);
  });

  test("retries stop at the agent's number of attempts", async () => {
    await open({ agent: patient });
    const id = await hospital.dial();
    for (let i = 0; i < 3; i++) {
      hospital.carrier.fail([...hospital.carrier.live][0]!, "busy");
      await hospital.clock.advance(20 * MINUTE_MS);
    }
    expect(hospital.carrier.dialled).toHaveLength(3);
    expect(hospital.carrier.live.size).toBe(0);
    const chain = await hospital.db.reader.selectFrom("calls").selectAll().orderBy("created_at").execute();
    expect(chain.map(({ retry_count, source }) => `${source} ${retry_count}`)).toEqual(["api 0", "retry 1", "retry 2"]);
    expect(chain.map(({ follows_call_id }) => follows_call_id)).toEqual([null, id, chain[1]!.id]);
    expect(chain.map(({ scheduled_call_id }) => scheduled_call_id)).toEqual([chain[1]!.id, chain[2]!.id, null]);
  });

  test("a failure of ours or the trunk's is retried if no phone rang, and not otherwise", async () => {
    await open({ agent: { ...patient, retry_outcomes: ["infrastructure_error"] } });
    const silent = await hospital.dial();
    hospital.carrier.fail(silent, "infrastructure_error");
    await settle();
    expect((await hospital.view(silent)).scheduled_call_id).toStartWith("call_");
    const rung = await hospital.dial();
    hospital.carrier.ring(rung);
    hospital.carrier.fail(rung, "infrastructure_error");
    await settle();
    expect((await hospital.view(rung)).scheduled_call_id).toBeNull();
  });

  test("a voicemail is completed, charged and retried", async () => {
    await open({ agent: patient });
    const id = await hospital.dial();
    hospital.carrier.talk(id, { analytics: { ...TALK.analytics!, disposition: "voicemail" } });
    await settle();
    const view = await hospital.view(id);
    expect(view).toMatchObject({ status: "completed", credits_consumed: 2 });
    expect(view.scheduled_call_id).toStartWith("call_");
  });

  test.each([true, false])("an agent knows whether it may state its reason to any listener: %p", async (isOpen) => {
    await open({ agent: { open_announcements: isOpen } });
    await hospital.dial();
    expect(hospital.carrier.dialled.at(-1)?.brief.announcesOpenly ?? false).toBe(isOpen);
  });

  test("an agent knows whether a voicemail will be retried, and says nothing else", async () => {
    await open({ agent: { retry_attempts: 1, retry_minutes: 5, retry_outcomes: ["voicemail"] } });
    const first = await hospital.dial();
    expect(hospital.carrier.dialled.at(-1)?.brief.isTriedAgain).toBe(true);
    hospital.carrier.talk(first, { analytics: { ...TALK.analytics!, disposition: "voicemail" } });
    await settle();
    await hospital.clock.advance(10 * MINUTE_MS);
    const last = hospital.carrier.dialled.at(-1);
    expect(last?.callId).not.toBe(first);
    expect(last?.brief.isTriedAgain).toBeUndefined();
  });

  test("a callback is created for the agreed time", async () => {
    await open();
    const id = await hospital.dial();
    hospital.carrier.talk(id, {
      callbackInMinutes: 45,
      analytics: { ...TALK.analytics!, disposition: "callback_scheduled" },
    });
    await settle();
    const { scheduled_call_id } = await hospital.view(id);
    expect((await hospital.eventsOf(id)).at(-1)?.parsed).toMatchObject({
      scheduled_call_id,
      call_analytics: { disposition: "callback_scheduled" },
    });
    await hospital.clock.advance(45 * MINUTE_MS);
    expect(hospital.carrier.dialled.at(-1)?.callId).toBe(scheduled_call_id!);
  });

  test("can be cancelled like any other, and then nothing follows", async () => {
    await open({ agent: patient });
    const id = await hospital.dial();
    hospital.carrier.fail(id, "busy");
    await settle();
    const { scheduled_call_id } = await hospital.view(id);
    expect((await hospital.request("POST", `/v1/calls/${scheduled_call_id}/cancel`)).status).toBe(200);
    await hospital.clock.advance(60 * MINUTE_MS);
    expect(hospital.carrier.dialled).toHaveLength(1);
  });

  test("an outcome outside the agent's retry policy has no follow-up", async () => {
    await open({ agent: patient });
    const id = await hospital.dial();
    hospital.carrier.fail(id, "no_answer");
    await settle();
    expect((await hospital.view(id)).scheduled_call_id).toBeNull();
  });
});

describe("a person who opts out", () => {
  beforeEach(() => open());

  test("is on the do-not-disturb list when their call has ended, and the next call is not dialled", async () => {
    const id = await hospital.dial();
    hospital.carrier.ring(id);
    hospital.carrier.answer(id);
    hospital.carrier.complete(id, { optOut: true });
    await settle();
    const listed = await hospital.db.reader.selectFrom("do_not_disturb").selectAll().execute();
    expect(listed).toMatchObject([{ number: CONTACT_NUMBER, organisation_id: hospital.organisationId }]);
    const again = await hospital.schedule();
    await hospital.clock.advance(DIAL_DELAY_MS);
    await settle();
    expect(await hospital.view(again)).toMatchObject({ status: "disallowed", error: { code: "do_not_disturb" } });
  });
});
