// Work of the racers: everything that reads first and then writes, by the name that a test uses.
import { queueDueCalls } from "../../../src/calls/queue/queue-store.ts";
import { takePending } from "../../../src/calls/analysis/pending-store.ts";
import { holdSlot } from "../../../src/calendar/hold.ts";
import { insertReminder } from "../../../src/reminders/reminder-store.ts";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { systemClock } from "../../../src/core/clock.ts";
import type { Reminder } from "../../../src/reminders/records.ts";
import { recordAttempts, type Ended } from "../../../src/events/attempt-record.ts";
import { countRequest } from "../../../src/hooks/store.ts";
import { putItem } from "../../../src/worklist/worklist-store.ts";
import { until } from "../../support/until.ts";
import { ACCOUNT_WORKS } from "./account-works.ts";
import { CALENDAR_WORKS } from "./calendar-works.ts";
import { CALL_WORKS } from "./call-works.ts";
import { CAMPAIGN_WORKS } from "./campaign-works.ts";
import { takenOrNot, within, type Work } from "./work.ts";

const PERSON = { contact_name: "Test Patient", contact_number: "+919810012345" };

export const WORKS = {
  ...CALENDAR_WORKS,
  ...CAMPAIGN_WORKS,
  ...CALL_WORKS,
  ...ACCOUNT_WORKS,
  book: ({ services }, { organisationId, subject }) =>
    services.appointments.create(organisationId, { slot_id: subject }, "api", CLI_ACTOR),
  bookOnce: ({ services }, { organisationId, subject }) =>
    services.appointments.create(organisationId, { slot_id: subject, ...PERSON }, "api", CLI_ACTOR, {
      twice: "asked-first",
    }),
  hold: within(async (tx, { services }, { organisationId, subject }, i) => {
    const [calendarId = "", date = ""] = subject.split("||");
    const slot = { calendar_id: calendarId, date } as Parameters<typeof holdSlot>[3];
    const call = { callId: `call_${process.pid}_${i}`, organisationId };
    return takenOrNot(await holdSlot(tx, { clock: systemClock, ids: services.ids }, call, slot));
  }),
  key: ({ services }, { organisationId }, i) =>
    services.keys.create(organisationId, { name: `key ${i}`, scopes: ["calls:read"] }, CLI_ACTOR),
  endpoint: ({ services }, { organisationId }, i) =>
    services.endpoints.create(
      organisationId,
      { url: `https://receiver.example/${i}`, eventTypes: ["call.completed"] },
      CLI_ACTOR,
    ),
  version: ({ services }, { organisationId, subject }, i) =>
    services.agents.update(organisationId, subject, { greeting: `${process.pid} ${i}` }, CLI_ACTOR),
  credit: ({ services }, { organisationId }) => services.credits.grant(organisationId, 1, CLI_ACTOR),
  first: ({ services }, { subject }) =>
    services.setup.createFirst(
      { organisation: "First", timeZone: "UTC", email: "owner@hospital.example", name: "Owner", password: subject },
      CLI_ACTOR,
    ),
  promote: within((tx, _, race) => queueDueCalls(tx, systemClock.now(), Number(race.subject))),
  claim: async ({ dispatcher }) => void (await dispatcher.runDue()),
  arrive: async ({ carrier }, { subject }, i) => {
    const [trunkId = "", to = ""] = subject.split(" ");
    const callId = `call_${process.pid}_${i}`;
    const answer = carrier.arrive({ callId, trunkId, from: "+919810012345", to, isToAccount: false });
    await until(() => answer.accepted !== null || answer.rejected !== null);
    return takenOrNot(answer.accepted !== null);
  },
  keyed: async ({ app }, { subject }, i) => {
    const [apiKey = "", agentId = "", scheduledTime = ""] = subject.split(" ");
    const post = () =>
      app.handle(
        new Request("http://localhost/v1/calls", {
          method: "POST",
          headers: { "x-api-key": apiKey, "content-type": "application/json", "idempotency-key": `round ${i}` },
          body: JSON.stringify({
            agent_id: agentId,
            user_number: "+919810012345",
            scheduled_time: scheduledTime,
          }),
        }),
      );
    let response = await post();
    // A machine that is busy enough asks clients to come again, and they do.
    while (response.status === 503) response = await post();
    const { data } = (await response.json()) as { data?: { call_id: string } };
    const isReplayed = response.headers.get("idempotent-replayed") === "true";
    return `${response.status} ${data?.call_id} ${isReplayed ? "again" : "first"}`;
  },
  quota: within(async (tx, _, { organisationId, subject }) =>
    takenOrNot(await countRequest(tx, organisationId, "2030-01-01", Number(subject))),
  ),
  campaign: ({ services }, { organisationId, subject }, i) =>
    services.campaigns.create(
      organisationId,
      { name: `Campaign ${i}`, agent_id: subject, rows: [{ user_number: "+919810012345" }] },
      CLI_ACTOR,
    ),
  list: ({ services }, { organisationId, subject }) =>
    services.campaigns.create(
      organisationId,
      { name: "The same list", agent_id: subject, rows: [{ user_number: "+919810012345" }] },
      CLI_ACTOR,
      undefined,
      { isOnlyOnce: true },
    ),
  feed: async ({ feeder }) => void (await feeder.runDue()),
  remind: within(async (tx, { services }, { subject }) =>
    takenOrNot(await insertReminder(tx, { ...(JSON.parse(subject) as Reminder), id: services.ids.next("rmd") })),
  ),
  publish: within((tx, { services }, { organisationId, subject }) =>
    services.outbox.publish(tx, { organisationId, type: "call.completed", data: {}, orderKey: subject }),
  ),
  fail: within(async (tx, _, { subject, racer, times }, i) => {
    const ended = { event: { delivery_id: subject.split(" ")[racer * times + i] }, attempt: FAILED } as Ended;
    await recordAttempts(tx, [ended], { now: systemClock.now(), mayGiveUp: true });
  }),
  analysis: within(async (tx, _, { subject }) => takenOrNot((await takePending(tx, subject)) !== undefined)),
  worklist: within((tx, { services }, { organisationId, subject }) =>
    putItem(tx, {
      id: services.ids.next("wrk"),
      organisation_id: organisationId,
      kind: "call_failed",
      subject_id: subject,
      detail: null,
      created_at: systemClock.now(),
      done_at: null,
      done_by: null,
    }),
  ),
} satisfies Record<string, Work>;

export type WorkName = keyof typeof WORKS;

const FAILED: Ended["attempt"] = {
  at: 1,
  durationMs: 1,
  status: 500,
  outcome: "refused",
  detail: "",
  response: "",
};
