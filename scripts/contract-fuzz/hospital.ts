// A hospital for the fuzzer: agents, branches, webhook, finished calls with media links, and exhibits for other
// organisations.
import { PURPOSES } from "../../src/payloads/lawful.ts";
import { ALL_SCOPES } from "../../src/payloads/scopes.ts";
import { hmacSha256 } from "../../src/core/hmac.ts";
import type { HospitalPlan, Making } from "./hospital-plan.ts";
import { newKey } from "./keys.ts";
import { badLinks, linksOfCalls } from "./media-links.ts";
import { askJson } from "./owner.ts";
import { sourceExhibitsOf, sourceSeedsOf } from "./sources.ts";
import { withKey, type Exhibit, type Grant, type Organisation } from "./world.ts";

const DAY_MS = 86_400_000;

interface Made {
  data: Record<string, string>;
}

interface Found {
  data: { contact_id: string | null }[];
}

export async function createHospital(plan: HospitalPlan): Promise<Organisation> {
  const { owner, name, marker, url } = plan;
  const key = plan.key ?? (await newKey(owner, ALL_SCOPES)).key;
  const headers = { ...withKey(key), "content-type": "application/json" };
  const send = <T>(method: string, path: string, body?: unknown) => askJson<T>(url + path, method, headers, body);
  const post = async (path: string, body: unknown) => (await send<Made>("POST", path, body)).data;
  const contactIds = async (text: string) => {
    const { data } = await send<Found>("POST", "/v1/people/search", { text });
    return data.flatMap(({ contact_id }) => contact_id ?? []);
  };
  const branchIds = [crypto.randomUUID(), crypto.randomUUID()];
  const serviceIds = [crypto.randomUUID()];
  const agentId = await newAgent(plan, branchIds[0] ?? "");
  if (plan.isSharing) await owner.ask("PUT", "settings/sharing", { enabled: true, expiry: "none" });
  const hook = await inboundHook(plan);
  const areaCode = name === "First" ? "22" : "44";
  const askedUrl = plan.receiver.url;
  const branchId = branchIds[0] ?? "";
  const made = { send, post, contactIds, agentId, branchId, marker, areaCode, askedUrl, hl7Port: plan.hl7Port };
  const links = await linksOfCalls(plan, made, key);
  return {
    name,
    marker,
    key,
    areaCode,
    agentIds: [agentId],
    branchIds,
    serviceIds,
    grants: new Map([...links, ["inboundHook", [hook.grant]], ["verifyInboundHook", [hook.grant]]]),
    badGrants: new Map([
      ...badLinks(links),
      ["inboundHook", hook.bad],
      // This operation has no effect and takes no signature.
      ["verifyInboundHook", hook.bad.filter(({ path }) => path["token"] !== hook.grant.path["token"])],
    ]),
    sign: hook.sign,
    askedUrl: plan.receiver.url,
    exhibits: await exhibitsOf(made),
    seeds: await seedsOf(made),
  };
}

async function newAgent({ owner, marker, name }: HospitalPlan, branchId: string): Promise<string> {
  const { agent_id } = await owner.ask<{ agent_id: string }>("POST", "agents", {
    type: "outbound",
    name: `Asha ${marker}`,
    greeting: `Hello {{user_name}}, this is ${marker}.`,
    prompt: "Confirm {{visit}}.",
    branch_id: branchId,
    calling_hours: null,
  });
  const number = name === "First" ? "+15555559001" : "+15555559002";
  await owner.ask("POST", "numbers", { number, agent_id, concurrent_calls: 1_000 });
  return agent_id;
}

interface Hook {
  grant: Grant;
  bad: (Grant & { label: string; also?: readonly number[] })[];
  sign: Organisation["sign"];
}

async function inboundHook({ owner, signs }: HospitalPlan): Promise<Hook> {
  const old = await owner.ask<{ url: string }>("POST", "hook/regenerate");
  const hook = await owner.ask<{ url: string; signing_secret: string }>("POST", "hook/regenerate");
  if (signs) await owner.ask("PUT", "hook/signature", { required: true });
  const tokenIn = (url: string) => new URL(url).pathname.split("/").at(-1) ?? "";
  const grant = (token: string): Grant => ({ path: { token }, query: {} });
  const sign = (bytes: Uint8Array) => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = hmacSha256(hook.signing_secret, `${timestamp}.`, bytes).toString("hex");
    return { "x-inbound-timestamp": timestamp, "x-inbound-signature": signature };
  };
  const bad = [
    { label: "a token that was replaced", ...grant(tokenIn(old.url)) },
    { label: "a token that nobody has", ...grant("A".repeat(tokenIn(hook.url).length)) },
    { label: "a word for a token", ...grant("token") },
    ...(signs ? [{ label: "no signature", also: [TOO_LARGE], ...grant(tokenIn(hook.url)) }] : []),
  ];
  return { grant: grant(tokenIn(hook.url)), bad, sign: signs ? sign : null };
}

/** Later than the two weeks that a reminder rule may reach ahead. */
const nextDateOf = (weekday: number): string => {
  const now = new Date();
  const ahead = ((weekday - now.getUTCDay() + 7) % 7) + 21;
  return new Date(now.getTime() + ahead * DAY_MS).toISOString().slice(0, 10);
};
const MONDAY = 1;

/** The signature covers the whole body, so a body that is not read cannot be verified. */
const TOO_LARGE = 413;

/** Unique in the run: an outbound call to it would let the simulated person confirm the appointment. */
const EXHIBITED = "+15551990100";

/** A person with an appointment in every run. */
const KNOWN = "+15553980100";

/** Scheduled far ahead, so only an unauthorised change could alter them. */
async function exhibitsOf(made: Making): Promise<Exhibit[]> {
  const { post, contactIds, agentId, branchId, marker, areaCode } = made;
  const windowBranch = crypto.randomUUID();
  const later = new Date(Date.now() + 200 * DAY_MS).toISOString();
  const person = { user_number: EXHIBITED, user_name: `${marker} Exhibit` };
  const call = await post("/v1/calls", { agent_id: agentId, scheduled_time: later, ...person });
  const campaign = await post("/v1/campaigns", {
    name: `${marker} exhibit`,
    agent_id: agentId,
    start_at: later,
    rows: [person],
  });
  const window = await post("/v1/appointment-slots", {
    branch_id: windowBranch,
    day: "monday",
    session: "Morning",
    ai_slots: 5,
    max_slots: 5,
    batch_name: marker,
  });
  const slot = `${window["calendar_id"] ?? ""}||${nextDateOf(MONDAY)}`;
  const appointment = await post("/v1/appointments", {
    slot_id: slot,
    contact_name: marker,
    contact_number: EXHIBITED,
  });
  const waiting = await post("/v1/waitlist", {
    branch_id: branchId,
    contact_number: EXHIBITED,
    contact_name: marker,
  });
  const consent = await post("/v1/consents", { contact_number: EXHIBITED, purpose: "promotional", basis: "written" });
  const hold = await post("/v1/retention-holds", { subject: "person", contact_number: EXHIBITED, reason: marker });
  const { endpoint_id: endpoint = "", delivery_id: delivery = "" } = await sentTo(made);
  const { key_id: key = "" } = await post("/v1/api-keys", KEY);
  const trunk = await post("/v1/trunks", { name: `${marker} exhibit`, host: "pbx.example" });
  const number = await post("/v1/phone-numbers", { number: `+91${areaCode}10000000` });
  const closure = await closeDay(made, windowBranch, 400);
  const rule = await post("/v1/reminder-rules", { agent_id: agentId, enabled: false });
  const [contactId] = await contactIds(EXHIBITED);
  const exhibit = (kind: string, id = "", address: string | null = null): Exhibit => ({ kind, id, address });
  return [
    exhibit("call_id", call["call_id"], `/v1/calls/${call["call_id"]}`),
    exhibit("campaign_id", campaign["campaign_id"], `/v1/campaigns/${campaign["campaign_id"]}`),
    exhibit("slot_id", slot, `/v1/appointment-slots/${window["calendar_id"]}`),
    exhibit("appointment_id", appointment["appointment_id"], `/v1/appointments/${appointment["appointment_id"]}`),
    exhibit("waiting_id", waiting["waiting_id"]),
    exhibit("consent_id", consent["consent_id"], `/v1/consents/${consent["consent_id"]}`),
    exhibit("hold_id", hold["hold_id"]),
    exhibit("closure_id", closure, `/v1/closures/${closure}`),
    // Their calls from the waiting list go on.
    exhibit("contact_id", contactId),
    exhibit("rule_id", rule["rule_id"], `/v1/reminder-rules/${rule["rule_id"]}`),
    exhibit("key_id", key, `/v1/api-keys/${key}`),
    exhibit("endpoint_id", endpoint),
    exhibit("delivery_id", delivery),
    exhibit("agent_id", agentId, `/v1/agents/${agentId}`),
    exhibit("trunk_id", trunk["trunk_id"], `/v1/trunks/${trunk["trunk_id"]}`),
    exhibit("phone_number_id", number["phone_number_id"], `/v1/phone-numbers/${number["phone_number_id"]}`),
    ...(await sourceExhibitsOf(made)),
  ];
}

/** Every key that may create keys may also revoke this one. */
const KEY = { name: "fuzz", scopes: ["keys:write"] };

/** An endpoint that receives nothing but a test event. */
async function sentTo({ post, marker, askedUrl }: Making): Promise<Record<string, string>> {
  const endpoint = { url: askedUrl, description: marker, event_types: ["proof.head"] };
  const { endpoint_id = "" } = await post("/v1/webhook-endpoints", endpoint);
  return { endpoint_id, ...(await post(`/v1/webhook-endpoints/${endpoint_id}/test`, {})) };
}

/** Closes one day, so many days ahead that no other request of the run meets it. */
async function closeDay({ post, marker }: Making, branchId: string, daysAhead: number): Promise<string> {
  const day = new Date(Date.now() + daysAhead * DAY_MS).toISOString().slice(0, 10);
  const ranges = [{ from: day, to: day, name: marker }];
  const { closure_ids } = await post("/v1/closures", { branch_ids: [branchId], ranges, otherwise: "leave" });
  const [id = ""] = closure_ids as unknown as string[];
  return id;
}

/** Initial ids of every lane, so no operation lacks a target. */
async function seedsOf(made: Making): Promise<Organisation["seeds"]> {
  const { post, contactIds, agentId, branchId, marker } = made;
  const contact = { contact_name: marker, contact_number: KNOWN };
  const window = await post("/v1/appointment-slots", {
    branch_id: branchId,
    day: "monday",
    session: "Evening",
    ai_slots: 1_000,
    max_slots: 100_000,
  });
  const id = window["calendar_id"] ?? "";
  const appointment = await post("/v1/appointments", { slot_id: `${id}||${nextDateOf(MONDAY)}`, ...contact });
  const waiting = await post("/v1/waitlist", { branch_id: branchId, ...contact });
  const busy = Array.from({ length: 3 }, (_, at) => ({ user_number: `+155539${at}0001` }));
  const later = new Date(Date.now() + 200 * DAY_MS).toISOString();
  // Some campaigns end within seconds. The others can be paused, resumed and stopped for the whole run.
  const campaigns = await Promise.all(
    [null, null, later, later, later, later].map((start_at) =>
      post("/v1/campaigns", { name: marker, agent_id: agentId, calls_per_minute: 6_000, start_at, rows: busy }),
    ),
  );
  // Some are dialled immediately. The others stay cancellable for the whole run.
  const calls = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      post("/v1/calls", {
        agent_id: agentId,
        user_number: `+155538${at}0100`,
        user_name: marker,
        ...(at % 2 === 0 ? {} : { scheduled_time: later }),
      }),
    ),
  );
  const consents = await Promise.all(
    PURPOSES.map((purpose) => post("/v1/consents", { contact_number: KNOWN, purpose, basis: "verbal" })),
  );
  const holds = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      post("/v1/retention-holds", { subject: "person", contact_number: `+155537${at}0100`, reason: marker }),
    ),
  );
  const sent = await Promise.all(Array.from({ length: 6 }, () => sentTo(made)));
  const keys = await Promise.all(Array.from({ length: 8 }, () => post("/v1/api-keys", KEY)));
  const listed = Array.from({ length: 40 }, (_, at) => `+1555361${1000 + at}`);
  await post("/v1/do-not-disturb", { numbers: listed });
  const named = { name: marker };
  const branches = await Promise.all(Array.from({ length: 4 }, () => post("/v1/branches", named)));
  const services = await Promise.all(Array.from({ length: 2 }, () => post("/v1/services", named)));
  const closures = await Promise.all(Array.from({ length: 4 }, (_, at) => closeDay(made, branchId, 320 + at)));
  const off = { agent_id: agentId, enabled: false };
  const rules = await Promise.all(Array.from({ length: 4 }, () => post("/v1/reminder-rules", off)));
  return new Map([
    ["person", [KNOWN]],
    ["listed", listed],
    ["key_id", keys.map(({ key_id }) => key_id ?? "")],
    ["endpoint_id", sent.map(({ endpoint_id }) => endpoint_id ?? "")],
    ["delivery_id", sent.map(({ delivery_id }) => delivery_id ?? "")],
    ...(await lineSeedsOf(made)),
    ...(await sourceSeedsOf(made)),
    ["contact_id", await contactIds(KNOWN)],
    ["closure_id", closures],
    ["rule_id", rules.map(({ rule_id }) => rule_id ?? "")],
    ["closable_branch_id", [branchId]],
    ["branch_id", branches.map(({ branch_id }) => branch_id ?? "")],
    ["appointment_type_id", services.map(({ appointment_type_id }) => appointment_type_id ?? "")],
    ["consent_id", consents.map(({ consent_id }) => consent_id ?? "")],
    ["hold_id", holds.map(({ hold_id }) => hold_id ?? "")],
    ["window", [`${id} monday`]],
    ["appointment_id", [appointment["appointment_id"] ?? ""]],
    ["waiting_id", [waiting["waiting_id"] ?? ""]],
    ["campaign_id", campaigns.map(({ campaign_id }) => campaign_id ?? "")],
    ["call_id", calls.map(({ call_id }) => call_id ?? "")],
  ]);
}

/** Agents, numbers and trunks; enough that some are in use for the whole run, although others are taken out of use. */
async function lineSeedsOf({ post, marker, areaCode }: Making): Promise<[kind: string, ids: string[]][]> {
  const eight = (one: (at: number) => Promise<Record<string, string>>) =>
    Promise.all(Array.from({ length: 8 }, (_, at) => one(at)));
  const agents = await eight(() => post("/v1/agents", { name: marker }));
  const numbers = await eight((at) => post("/v1/phone-numbers", { number: `+91${areaCode}1000001${at}` }));
  const trunks = await eight((at) => post("/v1/trunks", { name: `${marker} ${at}`, host: "pbx.example" }));
  return [
    ["agent_id", agents.map(({ agent_id }) => agent_id ?? "")],
    ["phone_number_id", numbers.map(({ phone_number_id }) => phone_number_id ?? "")],
    ["trunk_id", trunks.map(({ trunk_id }) => trunk_id ?? "")],
  ];
}
