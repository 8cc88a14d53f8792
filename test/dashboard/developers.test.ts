// The routes behind the Developers pages: their data, permissions, and the count of a replay.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ALL_SCOPES } from "../../src/payloads/scopes.ts";
import { curlLine } from "../../src/web/pages/developers/curl-line.ts";
import { signedInHospital, type SignedInHospital } from "./signed-in.ts";

let inside: SignedInHospital;
beforeAll(async () => {
  inside = await signedInHospital({ settings: { RINGWARD_PLANS__BASE__INBOUND_DAILY_QUOTA: "2" } });
});
afterAll(() => inside.hospital.close());

type Json = Record<string, unknown>;
const read = async (path: string) => (await inside.ask("staff", "GET", path)).json as unknown as Json;

test("a viewer sees no keys, endpoints, deliveries or hook, but can read the documentation's catalogue", async () => {
  for (const path of ["keys", "endpoints", "deliveries", "hook"])
    expect((await inside.ask("viewer", "GET", path)).status).toBe(403);
  const { json } = await inside.ask("viewer", "GET", "developers/catalogue");
  expect(json as unknown).toMatchObject({
    base_url: inside.hospital.config.base_url,
    scopes: { "calls:read": "Read and list calls" },
  });
});

describe("a key", () => {
  test("is created by an owner only, with an expiry, and never shown again", async () => {
    const wanted = { name: "Ward", scopes: ["calls:read"], expires_at: "2099-12-31T18:30:00Z" };
    expect((await inside.ask("staff", "POST", "keys", wanted)).status).toBe(403);
    const { json } = await inside.ask("owner", "POST", "keys", wanted);
    const { key, ...shown } = json as unknown as Json & { key: string };
    expect(shown).toMatchObject({ name: "Ward", status: "active", expires_at: "2099-12-31T18:30:00.000Z" });
    const list = await inside.ask("staff", "GET", "keys");
    expect(list.text).not.toContain(key.slice(-20));
    expect(list.json as unknown).toContainEqual(shown);
  });

  test("may have every scope", async () => {
    const { status, json } = await inside.ask("owner", "POST", "keys", { name: "All", scopes: ALL_SCOPES });
    expect([status, (json as unknown as Json)["scopes"]]).toEqual([200, ALL_SCOPES]);
  });

  test("needs a time zone in its expiry, if it has one", async () => {
    const { status, json } = await inside.ask("owner", "POST", "keys", {
      name: "Ward",
      scopes: ["calls:read"],
      expires_at: "2099-12-31",
    });
    expect([status, json.error.details?.[0]?.field]).toEqual([400, "expires_at"]);
  });
});

describe("the inbound hook", () => {
  test("shows today's use of the quota, which resets on the hospital's next day", async () => {
    expect(await read("hook")).toEqual({ hook: null });
    const { json } = await inside.ask("owner", "POST", "hook/regenerate");
    const { url } = json as unknown as { url: string };
    await inside.hospital.request("POST", new URL(url).pathname, { key: null, body: { action: "none" } });
    expect(await read("hook")).toMatchObject({ hook: { used_today: 1, daily_quota: 2, signature_required: false } });
    await inside.hospital.clock.leap(24 * 3_600_000);
    expect(await read("hook")).toMatchObject({ hook: { used_today: 0, daily_quota: 2 } });
  });

  test("is tested with a command whose quotes a shell understands", () => {
    const plain = curlLine({ url: "https://x.example/v1/hooks/t", agentId: "agt_1", secret: null });
    const shell = Bun.spawnSync(["sh", "-c", `curl() { for a in "$@"; do printf '%s\\n' "$a"; done; }\n${plain}`]);
    const body = shell.stdout.toString().trim().split("\n").at(-1);
    expect(JSON.parse(body!)).toMatchObject({ action: "call.create", data: { agent_id: "agt_1" } });
  });
});

describe("deliveries", () => {
  let endpointId: string;
  let callId: string;
  beforeAll(async () => {
    // Created disabled: events are held.
    endpointId = await inside.hospital.subscribe();
    await inside.hospital.app.start();
    callId = await inside.hospital.dial();
  });
  const range = (from: string, to: string) =>
    `endpoints/${endpointId}/range?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`;
  const soon = () => new Date(inside.hospital.clock.now() + 60_000).toISOString();
  const DAWN = "2000-01-01T00:00:00Z";

  test("of a time range are counted by state, within the range only", async () => {
    expect(await read(range(DAWN, soon()))).toEqual({ held: 1 });
    expect(await read(range(DAWN, "2000-01-02T00:00:00Z"))).toEqual({});
  });

  test("cannot be counted for an inverted range, nor for an endpoint of another organisation", async () => {
    const backwards = await inside.ask("staff", "GET", range(soon(), DAWN));
    expect([backwards.status, backwards.json.error.details?.[0]?.field]).toEqual([400, "to"]);
    expect((await inside.ask("staff", "GET", range(DAWN, soon()).replace(endpointId, "whe_other"))).status).toBe(404);
    expect((await inside.ask("viewer", "GET", range(DAWN, soon()))).status).toBe(403);
  });

  test("are shown with the body as sent, their call and the next attempt", async () => {
    const { data } = (await read(`deliveries?state=held&endpoint_id=${endpointId}`)) as unknown as {
      data: { delivery_id: string }[];
    };
    const shown = (await read(`deliveries/${data[0]!.delivery_id}`)) as { body: string; event_id: string } & Json;
    expect(shown).toMatchObject({
      state: "held",
      call_id: callId,
      next_attempt_at: null,
      event_type: "call.initiated",
      attempts: [],
    });
    expect(JSON.parse(shown.body)).toMatchObject({
      event_id: shown.event_id,
      event_type: "call.initiated",
      data: { call_id: callId },
    });
  });
});

test("the delivery log is read page by page, each delivery once", async () => {
  const { app, db, organisationId } = inside.hospital;
  // All in one transaction, and so at the same instant: the id breaks the tie.
  await db.write(async (tx) => {
    for (let n = 0; n < 60; n++)
      await app.services.outbox.publish(tx, { organisationId, type: "slot.updated", data: { n } });
  });
  interface Page {
    data: { delivery_id: string; event_type: string }[];
    next_cursor: string | null;
  }
  const first = (await read("deliveries?state=held")) as unknown as Page;
  expect(first.data).toHaveLength(50);
  const second = (await read(`deliveries?state=held&cursor=${first.next_cursor}`)) as unknown as Page;
  expect(second.next_cursor).toBeNull();
  const all = [...first.data, ...second.data];
  expect(all.filter(({ event_type }) => event_type === "slot.updated")).toHaveLength(60);
  expect(new Set(all.map(({ delivery_id }) => delivery_id)).size).toBe(all.length);
});

test("an endpoint shows until when the previous secret signs too", async () => {
  const [only] = (await read("endpoints")) as unknown as {
    endpoint_id: string;
    previous_secret_until: string | null;
  }[];
  expect(only!.previous_secret_until).toBeNull();
  const rotatedAt = inside.hospital.clock.now();
  const rotated = (await inside.ask("owner", "POST", `endpoints/${only!.endpoint_id}/rotate`)).json as unknown as Json;
  expect(rotated["previous_secret_until"]).toBe(new Date(rotatedAt + 24 * 3_600_000).toISOString());
  await inside.hospital.clock.leap(24 * 3_600_000);
  expect(((await read("endpoints")) as unknown as Json[])[0]!["previous_secret_until"]).toBeNull();
});
