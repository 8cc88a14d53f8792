// Sharing of one call by hand: independent of the setting, with an end, revocable, with a masked number, in the
// reader's language.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS } from "../../src/core/clock.ts";
import { maskedNumber } from "../../src/media/masked-number.ts";
import { readerOf } from "../../src/media/share-page/reader.ts";
import { signedIn, type Visitor } from "../support/dashboard.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";

let hospital: Hospital;
let callId: string;
let staff: Visitor;
beforeEach(async () => {
  hospital = await createHospital();
  await hospital.app.start();
  callId = await hospital.dial({ user_name: "Priya Raman" });
  hospital.carrier.talk(callId, { recorded: true });
  await settle();
  staff = await signedIn(hospital.app, hospital.organisationId, "staff");
});
afterEach(() => hospital.close());

const path = (id = callId) => `/dashboard/api/calls/${id}/share`;
async function share(days = 7): Promise<{ url: string; token: string; expires_at: string }> {
  const { status, text, json } = await staff.ask("POST", path(), { days });
  if (status !== 200) throw new Error(`Sharing answered ${status}: ${text}`);
  const { url, expires_at } = json as unknown as { url: string; expires_at: string };
  return { url, expires_at, token: new URL(url).searchParams.get("share_token") ?? "" };
}
const get = (address: string, headers: Record<string, string> = {}) =>
  hospital.request("GET", address, { key: null, headers });
const details = (token: string, headers?: Record<string, string>) =>
  get(`/public/call/${callId}/details?share_token=${token}`, headers);
const statuses = async (token: string) => {
  const routes = ["", "/recording.wav", "/transcript.json"];
  const answers = routes.map((route) => get(`/public/call/${callId}${route}?token=${token}`));
  return (await Promise.all([details(token), ...answers])).map(({ status }) => status);
};
const OPEN = [200, 200, 200, 200];
const SHUT = [401, 401, 401, 401];
const singleShare = async () =>
  ((await staff.ask("GET", `/dashboard/api/calls/${callId}`)).json as unknown as { single_share: unknown })
    .single_share;

test("one call is shared while sharing every call is off, and its page shows the link", async () => {
  expect(await singleShare()).toBeNull();
  const { url, token, expires_at } = await share();
  expect(await statuses(token)).toEqual(OPEN);
  expect(await singleShare()).toEqual({ url, expires_at });
  expect(await hospital.app.services.shares.tokenFor(hospital.organisationId, callId)).toBeNull();
});

test("the number is masked on the page and in the data", async () => {
  const { token } = await share();
  for (const address of [`/details?share_token=${token}`, `?token=${token}`]) {
    const { text } = await get(`/public/call/${callId}${address}`);
    expect(text).not.toContain("+919810012345");
    expect(text).toContain("+919••••••345");
  }
});

test("the link ends after its days, to the moment", async () => {
  const { token, expires_at } = await share(1);
  expect(Date.parse(expires_at)).toBe(hospital.clock.now() + DAY_MS);
  hospital.clock.pass(DAY_MS - 1);
  expect((await details(token)).status).toBe(200);
  hospital.clock.pass(1);
  expect(await statuses(token)).toEqual(SHUT);
  expect(await singleShare()).toBeNull();
});

test("a revoked link stops at once, and a later one is another", async () => {
  const { token } = await share();
  expect((await staff.ask("DELETE", path())).status).toBe(200);
  expect(await statuses(token)).toEqual(SHUT);
  expect((await staff.ask("DELETE", path())).status).toBe(404);
  const later = await share();
  expect(later.token).not.toBe(token);
  const latest = await share();
  expect([(await details(token)).status, (await details(later.token)).status]).toEqual([401, 401]);
  expect(await statuses(latest.token)).toEqual(OPEN);
});

test("switching the setting off and on touches no single link, and the other way round", async () => {
  const { shares } = hospital.app.services;
  await shares.configure(hospital.organisationId, { enabled: true }, CLI_ACTOR);
  const ofAll = (await shares.tokenFor(hospital.organisationId, callId)) ?? "";
  const { token } = await share();
  await staff.ask("DELETE", path());
  expect([await statuses(ofAll), await statuses(token)]).toEqual([OPEN, SHUT]);
  const again = await share();
  await shares.configure(hospital.organisationId, { enabled: false }, CLI_ACTOR);
  expect([await statuses(ofAll), await statuses(again.token)]).toEqual([SHUT, OPEN]);
});

test("an erased call is shared no more", async () => {
  const { token } = await share();
  expect((await hospital.request("DELETE", `/v1/calls/${callId}`)).status).toBe(200);
  expect(await statuses(token)).toEqual(SHUT);
  expect(await hospital.db.reader.selectFrom("single_shares").selectAll().execute()).toEqual([]);
});

test("only a completed call of the own organisation is shared, by staff, for 1 to 30 days", async () => {
  const waiting = await hospital.schedule();
  expect((await staff.ask("POST", path(waiting), { days: 7 })).status).toBe(409);
  for (const days of [0, 31, 1.5]) expect((await staff.ask("POST", path(), { days })).status).toBe(400);
  const viewer = await signedIn(hospital.app, hospital.organisationId, "viewer");
  expect((await viewer.ask("POST", path(), { days: 7 })).status).toBe(403);
  const stranger = await signedIn(hospital.app, (await hospital.neighbour()).organisationId, "owner");
  await share();
  for (const [method, body] of [["POST", { days: 7 }], ["DELETE"]] as const)
    expect((await stranger.ask(method, path(), body)).status).toBe(404);
});

test("who shared and who revoked is on record, and the token is not", async () => {
  const { token } = await share();
  await staff.ask("DELETE", path());
  const rows = await hospital.db.reader.selectFrom("audit_entries").selectAll().execute();
  const acts = rows.filter(({ action }) => action === "call.shared" || action === "call.share_revoked");
  expect(acts.map(({ actor_id, subject_id }) => [actor_id, subject_id])).toEqual([
    [staff.personId, callId],
    [staff.personId, callId],
  ]);
  expect(JSON.stringify([rows, hospital.logLines])).not.toContain(token);
});

describe("the page", () => {
  test("is in the reader's language, with the hospital's time", async () => {
    const { token } = await share();
    const hindi = await details(token, { "accept-language": "hi-IN,hi;q=0.9,en;q=0.5" });
    expect(hindi.text).toContain('<html lang="hi">');
    expect(hindi.text).toContain("बातचीत");
    expect(hindi.text).toContain("(Asia/Kolkata)");
    const english = (await details(token)).text;
    expect(english).toContain('<html lang="en">');
    expect(english).toContain("Sunday, 15 November 2026 at 11:30\u00A0Asia/Kolkata");
    const shut = await details("wrong", { "accept-language": "hi" });
    expect([shut.status, shut.text.includes("यह लिंक अब नहीं चलता")]).toEqual([401, true]);
  });

  test.each([
    ["", "en"],
    ["fr, hi;q=0.4", "hi"],
    ["en;q=0.3, hi;q=0.8", "hi"],
    ["hi;q=0, en;q=0.1", "en"],
    ["ta-IN, *;q=0.5", "en"],
    [";;q=,,hi;q=x", "en"],
  ])("for Accept-Language %p is in %s", (header, language) => {
    const request = new Request("http://localhost/", { headers: { "accept-language": header } });
    expect(readerOf(request, "UTC").language).toBe(language as "en" | "hi");
  });
});

test("a masked number shows its country and its end; anything else is hidden", () => {
  expect(maskedNumber("+919810012345")).toBe("+919••••••345");
  expect(maskedNumber("+14155550100")).toBe("+141•••••100");
  expect(maskedNumber("anonymous")).toBe("••••");
  expect(maskedNumber(null)).toBeNull();
});
