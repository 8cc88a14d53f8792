// A hospital for the fuzzer: agents, branches, webhook, finished calls with media links, and exhibits for other
// organisations.
import { ALL_SCOPES } from "../../src/payloads/scopes.ts";
import { hmacSha256 } from "../../src/core/hmac.ts";
import type { HospitalPlan, Making } from "./hospital-plan.ts";
import { newKey } from "./keys.ts";
import { badLinks, linksOfCalls } from "./media-links.ts";
import { askJson } from "./owner.ts";
import { withKey, type Exhibit, type Grant, type Organisation } from "./world.ts";

const DAY_MS = 86_400_000;

interface Made {
  data: Record<string, string>;
}

export async function createHospital(plan: HospitalPlan): Promise<Organisation> {
  const { owner, name, marker, url } = plan;
  const key = plan.key ?? (await newKey(owner, ALL_SCOPES)).key;
  const post = async (path: string, body: unknown) =>
    (await askJson<Made>(url + path, "POST", { ...withKey(key), "content-type": "application/json" }, body)).data;
  const branchIds = [crypto.randomUUID(), crypto.randomUUID()];
  const serviceIds = [crypto.randomUUID()];
  const agentId = await newAgent(plan, branchIds[0] ?? "");
  if (plan.isSharing) await owner.ask("PUT", "settings/sharing", { enabled: true, expiry: "none" });
  const hook = await inboundHook(plan);
  const made = { post, agentId, branchId: branchIds[0] ?? "", marker };
  const links = await linksOfCalls(plan, made, key);
  return {
    name,
    marker,
    key,
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

const nextDateOf = (weekday: number): string => {
  const now = new Date();
  const ahead = ((weekday - now.getUTCDay() + 7) % 7) + 14;
  return new Date(now.getTime() + ahead * DAY_MS).toISOString().slice(0, 10);
};
const MONDAY = 1;

/** The signature covers the whole body, so a body that is not read cannot be verified. */
const TOO_LARGE = 413;

/** Unique in the run: an outbound call to it would let the simulated person confirm the appointment. */
const EXHIBITED = "+15551990100";

/** Scheduled far ahead, so only an unauthorised change could alter them. */
async function exhibitsOf({ post, agentId, branchId, marker }: Making): Promise<Exhibit[]> {
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
    branch_id: crypto.randomUUID(),
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
  const exhibit = (kind: string, id = "", address: string | null = null): Exhibit => ({ kind, id, address });
  return [
    exhibit("call_id", call["call_id"], `/v1/calls/${call["call_id"]}`),
    exhibit("campaign_id", campaign["campaign_id"], `/v1/campaigns/${campaign["campaign_id"]}`),
    exhibit("slot_id", slot, `/v1/appointment-slots/${window["calendar_id"]}`),
    exhibit("appointment_id", appointment["appointment_id"], `/v1/appointments/${appointment["appointment_id"]}`),
    exhibit("waiting_id", waiting["waiting_id"]),
    exhibit("agent_id", agentId),
  ];
}

/** Initial ids of every lane, so no operation lacks a target. */
async function seedsOf({ post, agentId, branchId, marker }: Making): Promise<Organisation["seeds"]> {
  const contact = { contact_name: marker, contact_number: "+15553980100" };
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
  const campaigns = await Promise.all(
    [1, 2].map(() => post("/v1/campaigns", { name: marker, agent_id: agentId, calls_per_minute: 6_000, rows: busy })),
  );
  // Some are dialled immediately. The others stay cancellable for the whole run.
  const later = new Date(Date.now() + 200 * DAY_MS).toISOString();
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
  return new Map([
    ["window", [`${id} monday`]],
    ["appointment_id", [appointment["appointment_id"] ?? ""]],
    ["waiting_id", [waiting["waiting_id"] ?? ""]],
    ["campaign_id", campaigns.map(({ campaign_id }) => campaign_id ?? "")],
    ["call_id", calls.map(({ call_id }) => call_id ?? "")],
  ]);
}
