// A hospital ready to call: the test app with a fake carrier, an outbound agent with a number, and credits.
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { ALL_SCOPES, type Scope } from "../../src/payloads/scopes.ts";
import type { AgentInput } from "../../src/agents/checked-agent.ts";
import type { CallView } from "../../src/calls/model.ts";
import { basisOf } from "../../src/calls/queue/dial-basis-store.ts";
import type { Row } from "../../src/db/tables.ts";
import type { DialBasis } from "../../src/payloads/lawful.ts";
import { EVENT_TYPES } from "../../src/events/catalogue.ts";
import { NO_OUTAGE } from "../../src/events/outage.ts";
import type { CallEventData } from "../../src/events/model.ts";
import { createFakeCarrier, type FakeCarrier } from "./fake-carrier.ts";
import { settle } from "./manual-clock.ts";
import { createTestApp, type Answer, type RequestOptions, type TestApp, type TestAppOptions } from "./test-app.ts";
import { ENFORCED } from "./unenforced.ts";

export interface HospitalOptions {
  /** With the demo's receiver. */
  demo?: boolean;
  /** Calling hours and legal rules hold calls. */
  isEnforced?: boolean;
  settings?: Record<string, string>;
  agent?: Partial<AgentInput>;
  /** Lines of the agent's number. */
  numberLines?: number;
  /** Lines of the carrier. */
  carrierLines?: number;
  /** Whether the carrier has to make room before calls are dialled. */
  carrierMakesRoom?: boolean;
  logged?: boolean;
  open?: TestAppOptions["open"];
  safePost?: TestAppOptions["safePost"];
}

export interface Hospital extends TestApp {
  agentId: string;
  carrier: FakeCarrier;
  /** POST /v1/calls for this agent and an unassigned number. */
  post(changes?: Record<string, unknown>, options?: RequestOptions): Promise<Answer>;
  /** The same, expecting 201; answers the call's id. */
  schedule(changes?: Record<string, unknown>): Promise<string>;
  /** Schedules a call and lets time pass until it is dialled. */
  dial(changes?: Record<string, unknown>): Promise<string>;
  view(callId: string): Promise<CallView>;
  row(callId: string): Promise<Row<"calls">>;
  /** The facts on which the call was dialled or received. */
  basis(callId: string): Promise<DialBasis | null>;
  /** An endpoint that wants every event. */
  subscribe(): Promise<string>;
  eventsOf(callId: string): Promise<(Row<"events"> & { parsed: CallEventData })[]>;
  actionsOnRecord(): Promise<string[]>;
  newKey(scopes: readonly Scope[], organisationId?: string): Promise<string>;
  /** Another organisation with its own agent, number and key. */
  neighbour(): Promise<{ organisationId: string; agentId: string; key: string }>;
}

/** `201 ok` or `404 NOT_FOUND`. */
export function outcome({ status, json }: Answer): string {
  const { error } = json as { error?: { code: string } };
  return `${status} ${error?.code ?? "ok"}`;
}

export const CONTACT_NUMBER = "+919810012345";
export const DIAL_DELAY_MS = 15_000;
/** So that a test may ask as often as it likes. */
const ROOMY = { RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited", RINGWARD_PLANS__BASE__API_KEYS: "unlimited" };

export async function createHospital(options: HospitalOptions = {}): Promise<Hospital> {
  const carrier = createFakeCarrier({
    ...(options.carrierLines !== undefined && { lines: options.carrierLines }),
    ...(options.carrierMakesRoom && { makesRoom: true }),
  });
  const test = await createTestApp({
    settings: { ...ROOMY, ...(options.isEnforced && ENFORCED), ...options.settings },
    carrier: carrier.factory,
    logged: options.logged ?? false,
    demo: options.demo ?? false,
    ...(options.open && { open: options.open }),
    ...(options.safePost && { safePost: options.safePost }),
  });
  const { app, db, clock, organisationId, request } = test;
  const { agents, credits, keys, organisations } = app.services;
  let numbers = 0;

  async function staff(organisation: string): Promise<string> {
    const agent = await agents.create(
      organisation,
      // At any hour: a test may run at night.
      {
        name: "Asha",
        greeting: "Hello {{user_name}}.",
        prompt: "Confirm {{visit}}.",
        calling_hours: null,
        ...options.agent,
      },
      CLI_ACTOR,
    );
    const number = `+1555555${String(1000 + numbers++)}`;
    const concurrentCalls = options.numberLines ?? 100;
    await agents.addNumber(organisation, { number, agentId: agent.agent_id, concurrentCalls }, CLI_ACTOR);
    await credits.grant(organisation, 1_000, CLI_ACTOR);
    return agent.agent_id;
  }

  const newKey = async (scopes: readonly Scope[], organisation = organisationId): Promise<string> =>
    (await keys.create(organisation, { name: "test", scopes }, CLI_ACTOR)).key;

  const agentId = await staff(organisationId);
  const hospital: Hospital = {
    ...test,
    agentId,
    carrier,
    newKey,
    post: (changes = {}, options = {}) =>
      request("POST", "/v1/calls", {
        body: { agent_id: agentId, user_number: CONTACT_NUMBER, ...changes },
        ...options,
      }),
    async schedule(changes = {}) {
      const answer = await hospital.post(changes);
      if (answer.status !== 201) throw new Error(`POST /v1/calls answered ${answer.status}: ${answer.text}`);
      return answer.json.data["call_id"]!;
    },
    async dial(changes = {}) {
      const callId = await hospital.schedule(changes);
      await clock.advance(DIAL_DELAY_MS);
      if (!carrier.live.has(callId))
        throw new Error(`The call was not dialled: ${JSON.stringify(await hospital.row(callId))}`);
      return callId;
    },
    async view(callId) {
      const answer = await request("GET", `/v1/calls/${callId}`);
      if (answer.status !== 200) throw new Error(`GET answered ${answer.status}: ${answer.text}`);
      return answer.json.data as unknown as CallView;
    },
    basis: (callId) => basisOf(db.reader, callId),
    async row(callId) {
      await settle();
      return db.reader.selectFrom("calls").selectAll().where("id", "=", callId).executeTakeFirstOrThrow();
    },
    async subscribe() {
      const id = app.services.ids.next("whe");
      const now = clock.now();
      await db.write((tx) =>
        tx
          .insertInto("webhook_endpoints")
          .values({
            id,
            organisation_id: organisationId,
            url: "https://receiver.example/hook",
            description: "",
            event_types: EVENT_TYPES.join(" "),
            signing: 1,
            sealed_secret: app.services.secrets.seal("signs", "webhook-endpoint"),
            sealed_previous_secret: null,
            previous_secret_until: null,
            // Disabled: its deliveries are held and not sent.
            enabled: 0,
            disabled_reason: null,
            consecutive_failures: 0,
            ...NO_OUTAGE,
            is_settling: 0,
            kind: "webhook",
            source_id: null,
            created_at: now,
            updated_at: now,
          })
          .execute(),
      );
      return id;
    },
    async eventsOf(callId) {
      await settle();
      const rows = await db.reader
        .selectFrom("events")
        .selectAll()
        .where("call_id", "=", callId)
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return rows
        .map((row) => ({ ...row, parsed: JSON.parse(row.data) as CallEventData }))
        .toSorted((a, b) => a.parsed.sequence - b.parsed.sequence);
    },
    async actionsOnRecord() {
      await settle();
      const rows = await db.reader.selectFrom("audit_entries").select("action").orderBy("at").orderBy("id").execute();
      return rows.map(({ action }) => action);
    },
    async neighbour() {
      const other = await organisations.create({ name: "Other Clinic", timeZone: "America/New_York" }, CLI_ACTOR);
      return { organisationId: other.id, agentId: await staff(other.id), key: await newKey(ALL_SCOPES, other.id) };
    },
  };
  return hospital;
}
