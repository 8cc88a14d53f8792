// The routes behind the Telephony page: trunks with their state, the trunk of a number, and the recordings of an agent.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { pcmWav } from "../../src/agents/recorded-words-wav.ts";
import type { App } from "../../src/compose/app.ts";
import { ENTRY_DEFAULTS } from "../../src/config/trunk-entries.ts";
import { trunkRoutes, type TelephonyStatus, type TrunksAnswer } from "../../src/dashboard/routes/trunk-routes.ts";
import { createReachSubjects } from "../../src/dashboard/reach-subject-store.ts";
import { createSessionGuard } from "../../src/dashboard/session-guard.ts";
import { createInFlight } from "../../src/http/in-flight.ts";
import { rememberRequest } from "../../src/http/request-info.ts";
import type { Versioned } from "../../src/core/entity-tag.ts";
import type { TrunkView } from "../../src/trunks/trunk-view.ts";
import { OWN_PAGE, signedIn, type Visitor } from "../support/dashboard.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";
import type { TrunkState } from "../../src/trunks/trunk-settings.ts";

const SECRET = "tr0ub4dor-and-3";
let hospital: Hospital;
let app: App;
let owner: Visitor;
let staff: Visitor;
let viewer: Visitor;
beforeAll(async () => {
  hospital = await createHospital({ logged: true });
  ({ app } = hospital);
  owner = await signedIn(app, hospital.organisationId, "owner");
  staff = await signedIn(app, hospital.organisationId, "staff");
  viewer = await signedIn(app, hospital.organisationId, "viewer");
});
afterAll(() => hospital.close());

const PATH = "/dashboard/api/trunks";
const overview = async (who = viewer) => (await who.ask("GET", PATH)).json as unknown as TrunksAnswer;
let count = 0;
async function makeTrunk(body: Record<string, unknown> = {}): Promise<Versioned<TrunkView>> {
  const name = `Trunk ${++count}`;
  const { status, text, json } = await owner.ask("POST", PATH, { name, host: "pbx.example", ...body });
  if (status !== 200) throw new Error(`POST answered ${status}: ${text}`);
  return json as unknown as Versioned<TrunkView>;
}

describe("a trunk", () => {
  test("is created by an owner and visible to everyone, without its secret", async () => {
    const made = await makeTrunk({ username: "ward", secret: SECRET, transport: "tcp", allowed_prefixes: ["+91"] });
    expect(made).toMatchObject({ transport: "tcp", username: "ward", has_secret: true, allowed_prefixes: ["+91"] });
    const { mode, status, trunks } = await overview();
    expect([mode, status]).toEqual(["simulator", null]);
    expect(trunks.find(({ trunk_id }) => trunk_id === made.trunk_id)).toEqual({ ...made, state: null });
    expect(JSON.stringify([made, trunks, hospital.logLines])).not.toContain(SECRET);
  });

  test("defines the caller identity, the number format and the inbound number", async () => {
    const fields = {
      from_user: "number",
      identity_header: "remote_party_id",
      caller_id: "2001",
      number_format: "national",
      dial_prefix: "9",
      extensions: ["2001=+912212345678"],
    };
    expect(await makeTrunk(fields)).toMatchObject(fields);
  });

  test("cannot be created, changed, captured or removed by staff", async () => {
    const { trunk_id } = await makeTrunk();
    const before = await overview();
    for (const [method, path, body] of [
      ["POST", PATH, { name: "No", host: "pbx.example" }],
      ["PATCH", `${PATH}/${trunk_id}`, { port: 1 }],
      ["POST", `${PATH}/${trunk_id}/capture`, { minutes: 5 }],
      ["DELETE", `${PATH}/${trunk_id}`, undefined],
    ] as const) {
      expect((await staff.ask(method, path, body)).status).toBe(403);
    }
    expect(await overview()).toEqual(before);
  });

  test("is changed field by field; its secret is kept, replaced or removed", async () => {
    const { trunk_id } = await makeTrunk({ username: "ward", secret: SECRET });
    const change = async (body: object) => (await owner.ask("PATCH", `${PATH}/${trunk_id}`, body)).json;
    const secret = async () => (await app.services.trunks.settings()).find(({ id }) => id === trunk_id)?.secret;
    expect(await change({ host: "other.example" })).toMatchObject({ host: "other.example", has_secret: true });
    expect(await secret()).toBe(SECRET);
    await change({ secret: "another" });
    expect(await secret()).toBe("another");
    expect(await change({ secret: null })).toMatchObject({ has_secret: false });
  });

  test("with errors is rejected with every invalid field", async () => {
    const { status, json } = await owner.ask("POST", PATH, {
      name: "",
      host: "sip:pbx",
      port: 70_000,
      caller_id: "1",
      secret: `${SECRET}\n`,
    });
    expect(status).toBe(400);
    expect(json.error.details?.map(({ field }) => field).toSorted()).toEqual([
      "caller_id",
      "host",
      "name",
      "port",
      "secret",
    ]);
    expect(JSON.stringify(json)).not.toContain(SECRET);
  });

  test("of the configuration says where it is changed", async () => {
    const entry = { ...ENTRY_DEFAULTS, host: "pbx.example" };
    await app.services.trunks.applySettingsTrunks({ trunks: { fixed: entry } });
    const { trunk_id } = (await overview()).trunks.find(({ name }) => name === "fixed")!;
    for (const [method, body] of [
      ["PATCH", { port: 1 }],
      ["DELETE", undefined],
    ] as const) {
      const { status, json } = await owner.ask(method, `${PATH}/${trunk_id}`, body);
      expect([status, json.error.code]).toEqual([409, "CONFLICT"]);
      expect(json.error.message).toContain("trunks.fixed");
    }
    await app.services.trunks.applySettingsTrunks({ trunks: {} });
  });

  test("is captured for some minutes, and audited", async () => {
    const { trunk_id } = await makeTrunk();
    const { json } = await owner.ask("POST", `${PATH}/${trunk_id}/capture`, { minutes: 5 });
    expect((json as unknown as TrunkView).capture_until).toBe(new Date(hospital.clock.now() + 300_000).toISOString());
    expect((await owner.ask("POST", `${PATH}/${trunk_id}/capture`, { minutes: 61 })).status).toBe(400);
    expect(await hospital.actionsOnRecord()).toContain("trunk.capture_set");
  });

  test("carries numbers assigned by an owner, and cannot be removed while it does", async () => {
    const { trunk_id } = await makeTrunk();
    const { number } = (await app.services.agents.listNumbers(hospital.organisationId))[0]!;
    const put = (who: Visitor, body: object) =>
      who.ask("PUT", `/dashboard/api/numbers/${encodeURIComponent(number)}/trunk`, body);
    expect((await put(staff, { trunk_id })).status).toBe(403);
    expect((await put(owner, { trunk_id })).status).toBe(200);
    expect((await viewer.ask("GET", "/dashboard/api/numbers")).json as unknown).toMatchObject([{ number, trunk_id }]);
    expect((await owner.ask("DELETE", `${PATH}/${trunk_id}`)).status).toBe(409);
    expect((await put(owner, { trunk_id: "trk_unknown" })).status).toBe(404);
    expect((await put(owner, { trunk_id: null })).status).toBe(200);
    expect((await owner.ask("DELETE", `${PATH}/${trunk_id}`)).status).toBe(200);
  });
});

describe("the state of a trunk", () => {
  const stateOf = (id: string, changes: Partial<TrunkState> = {}): TrunkState => ({
    id,
    state: "up",
    isRegistered: true,
    roundTripMs: 8,
    lastError: null,
    restingUntilMs: null,
    activeCalls: 1,
    lines: 10,
    address: "192.0.2.1:5060",
    ...changes,
  });

  async function asked(telephony: TelephonyStatus, who = owner): Promise<TrunksAnswer> {
    const guard = createSessionGuard({
      sessionService: app.services.sessions,
      clock: hospital.clock,
      inFlight: createInFlight(),
      requestTimeoutMs: 1_000,
      ownOrigin: "",
      isSecure: false,
      subjects: createReachSubjects(hospital.db, app.services.contactIds),
    });
    const routes = new Elysia().use(trunkRoutes({ ...app.services, guard, clock: hospital.clock, telephony }));
    const request = new Request(`http://localhost${PATH}`, { headers: { ...OWN_PAGE, cookie: who.cookie } });
    rememberRequest(request, { id: "req_test", source: () => "192.0.2.1" });
    return (await (await routes.handle(request)).json()) as TrunksAnswer;
  }

  test("comes from the running carrier, else from the last stored state; never from another organisation", async () => {
    const live = await makeTrunk();
    const stored = await makeTrunk();
    const unseen = await makeTrunk();
    const { organisationId } = await hospital.neighbour();
    const theirs = await app.services.trunks.create(
      organisationId,
      { name: "Theirs", host: "their.example" },
      CLI_ACTOR,
    );
    await app.services.trunks.storeStates([
      stateOf(live.trunk_id, { state: "down" }),
      stateOf(stored.trunk_id, { state: "down", lastError: "Nobody answers." }),
    ]);
    const answer = await asked({
      mode: "sip",
      trunkStates: () => [stateOf(live.trunk_id), stateOf(theirs.trunk_id, { address: "198.51.100.7:5060" })],
      status: () => ({ worker: "running", message: null, lagP99Ms: 1.5 }),
    });
    expect(answer).toMatchObject({
      mode: "sip",
      status: { worker: "running", message: null, lag_p99_ms: 1.5 },
    });
    const shown = (id: string) => answer.trunks.find(({ trunk_id }) => trunk_id === id)!.state;
    expect(shown(live.trunk_id)).toMatchObject({ state: "up", is_registered: true, round_trip_ms: 8, lines: 10 });
    expect(shown(stored.trunk_id)).toMatchObject({ state: "down", last_error: "Nobody answers." });
    expect(shown(unseen.trunk_id)).toBeNull();
    expect(JSON.stringify(answer)).not.toMatch(/their\.example|198\.51\.100\.7/);
  });

  test("shows details of a failure to owners only: to others a closed port looks like a silent one", async () => {
    const { trunk_id } = await makeTrunk();
    const answers = async (lastError: string, who: Visitor) => {
      const trunkStates = () => [
        stateOf(trunk_id, { state: "down", lastError, roundTripMs: lastError.length, address: "10.0.0.5:22" }),
      ];
      const { trunks } = await asked({ mode: "sip", trunkStates, status: () => null }, who);
      return trunks.find((trunk) => trunk.trunk_id === trunk_id)!.state!;
    };
    const [refused, silent] = ["connection refused", "it does not answer OPTIONS"];
    for (const visitor of [viewer, staff]) {
      const told = await answers(refused, visitor);
      expect(told).toEqual(await answers(silent, visitor));
      expect(told).toMatchObject({ state: "down", round_trip_ms: null, address: null });
      expect(told.last_error).toContain("Owners can see the reason");
    }
    expect(await answers(refused, owner)).toMatchObject({ last_error: refused, address: "10.0.0.5:22" });
  });
});

describe("a recording", () => {
  const WAV = pcmWav(Uint8Array.from({ length: 16_000 }, (_, i) => i % 100));
  const path = (kind: string) => `/dashboard/api/agents/${hospital.agentId}/words/${kind}`;

  function send(who: Visitor, kind: string, body: Uint8Array<ArrayBuffer>, type = "audio/wav"): Promise<Response> {
    const headers = { ...OWN_PAGE, cookie: who.cookie, "content-type": type };
    const address = `http://localhost${path(kind)}?file_name=${encodeURIComponent("नमस्ते.wav")}`;
    return app.handle(new Request(address, { method: "PUT", headers, body }));
  }
  const wav = () => new Uint8Array(WAV);

  test("is uploaded by staff as the file itself, played and removed", async () => {
    const put = await send(staff, "greeting", wav());
    expect([put.status, await put.json()]).toEqual([
      200,
      expect.objectContaining({ kind: "greeting", file_name: "नमस्ते.wav", seconds: 1 }),
    ]);
    const list = (await viewer.ask("GET", `/dashboard/api/agents/${hospital.agentId}/words`)).json as unknown;
    expect(list).toMatchObject([{ kind: "greeting" }]);
    const heard = await app.handle(
      new Request(`http://localhost${path("greeting")}`, { headers: { cookie: viewer.cookie } }),
    );
    expect([heard.status, heard.headers.get("content-type"), heard.headers.get("cache-control")]).toEqual([
      200,
      "audio/wav",
      "no-store",
    ]);
    // Normalised to the loudness of the built-in voice, otherwise unchanged.
    expect((await heard.arrayBuffer()).byteLength).toBe(WAV.byteLength);
    expect((await viewer.ask("DELETE", path("greeting"))).status).toBe(403);
    expect((await staff.ask("DELETE", path("greeting"))).status).toBe(200);
    expect((await staff.ask("GET", path("greeting"))).status).toBe(404);
  });

  test("is rejected for a viewer, another type, above the size limit, or of an unknown kind", async () => {
    const statusOf = async (answer: Promise<Response>) => (await answer).status;
    expect(await statusOf(send(viewer, "greeting", wav()))).toBe(403);
    expect(await statusOf(send(staff, "greeting", wav(), "audio/mpeg"))).toBe(415);
    expect(await statusOf(send(staff, "greeting", new Uint8Array(5 * 1_024 * 1_024 + 1)))).toBe(413);
    expect(await statusOf(send(staff, "music", wav()))).toBe(400);
    expect(await statusOf(send(staff, "greeting", new TextEncoder().encode("no WAV at all")))).toBe(400);
    // Larger than the JSON limit, and still accepted.
    expect(await statusOf(send(staff, "menu", new Uint8Array(pcmWav(new Uint8Array(1_000_000)))))).toBe(200);
  });

  test("does not raise the size limit of the other routes", async () => {
    const { status } = await owner.ask("POST", PATH, { name: "x", host: "x", ca_pem: "x".repeat(300_000) });
    expect(status).toBe(413);
  });
});
