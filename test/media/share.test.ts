// Public sharing of calls over HTTP: who gets in, for how long, and what they see.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { sharedCall } from "../../src/calls/life/shared-call.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/clock.ts";
import type { ShareExpiry } from "../../src/accounts/records.ts";
import { SAMPLE_DATA } from "../../src/events/samples.ts";
import type { Appointment } from "../../src/payloads/appointment.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";
import { TALK } from "../support/fake-carrier.ts";
import { settle } from "../support/manual-clock.ts";

let hospital: Hospital;
let callId: string;
let token: string;
beforeEach(async () => {
  hospital = await createHospital({ agent: { prompt: "Never tell of prompts." } });
  await hospital.app.start();
  await share({ enabled: true });
  callId = await talk({
    user_name: "Priya Raman",
    user_email: "priya@patient.invalid",
    additional_info: { visit: "private matter" },
  });
  token = await tokenOf(callId);
});
afterEach(() => hospital.close());

const share = (change: { enabled?: boolean; expiry?: ShareExpiry }) =>
  hospital.app.services.shares.configure(hospital.organisationId, change, CLI_ACTOR);

async function talk(changes: Record<string, unknown> = {}, recorded = true): Promise<string> {
  const id = await hospital.dial(changes);
  hospital.carrier.talk(id, { recorded });
  await settle();
  return id;
}

async function tokenOf(id: string): Promise<string> {
  const issued = await hospital.app.services.shares.tokenFor(hospital.organisationId, id);
  if (issued === null) throw new Error("Sharing is off.");
  return issued;
}

const get = (path: string, headers: Record<string, string> = {}) =>
  hospital.request("GET", path, { key: null, headers });

const ROUTES = ["", "/details", "/recording.wav", "/transcript.json"];
const addressOf = (route: string, id: string, secret: string) =>
  `/public/call/${id}${route}?${route === "/details" ? "share_token" : "token"}=${secret}`;

/** The four statuses, in the order of ROUTES. */
async function statuses(id = callId, secret = token): Promise<number[]> {
  const answers = await Promise.all(ROUTES.map((route) => get(addressOf(route, id, secret))));
  return answers.map(({ status }) => status);
}
const OPEN = [200, 200, 200, 200];
const SHUT = [401, 401, 401, 401];

describe("the raw JSON of a shared call", () => {
  test("holds the call, insights, transcript, appointments and recording, and nothing else", async () => {
    const { status, json } = await get(addressOf("", callId, token));
    expect(status).toBe(200);
    expect(json as unknown).toEqual({
      call: {
        call_id: callId,
        status: "completed",
        call_direction: "outbound",
        call_to: "+919810012345",
        call_from: null,
        call_duration_seconds: 61,
        agent_name: "Asha",
        contact_name: "Priya Raman",
        contact_preferred_language: "en-IN",
        scheduled_at: "2026-11-15T06:00:15.000Z",
        call_triggered_at: "2026-11-15T06:00:15.000Z",
        completed_at: "2026-11-15T06:00:15.000Z",
      },
      insights: {
        analytics: TALK.analytics,
        extracted_details: TALK.extractedDetails,
        analysis_source: {
          summary: "rules",
          sentiment: "rules",
          next_steps: "rules",
          disposition: "rules",
          details: { mood: { source: "rules", utterance: null } },
        },
      },
      transcript: TALK.transcript,
      appointments: [],
      recording_url: `${hospital.config.base_url}/public/call/${callId}/recording.wav?token=${token}`,
    });
  });

  test.each(["", "/details"])(
    "tells nothing of the organisation, prompts, e-mail or additional_info (%s)",
    async (route) => {
      const { text } = await get(addressOf(route, callId, token));
      const secrets = [
        hospital.organisationId,
        hospital.agentId,
        "Never tell",
        "priya@patient.invalid",
        "private matter",
      ];
      for (const secret of secrets) expect(text).not.toContain(secret);
    },
  );

  test("has no recording_url where there is no recording, and the file is not found", async () => {
    const silent = await talk({}, false);
    const secret = await tokenOf(silent);
    expect((await get(addressOf("", silent, secret))).json["recording_url"] as unknown).toBeNull();
    expect(await statuses(silent, secret)).toEqual([200, 200, 404, 200]);
  });

  test("of a call that is still to come has neither transcript nor insights", async () => {
    const waiting = await hospital.schedule();
    const { json } = await get(addressOf("", waiting, await tokenOf(waiting)));
    expect(json as unknown).toMatchObject({
      call: { status: "scheduled", call_triggered_at: null },
      insights: { analytics: null, extracted_details: null },
      transcript: null,
      recording_url: null,
    });
  });

  test("of a failed call does not tell the error", async () => {
    const failed = await hospital.dial();
    hospital.carrier.fail(failed, "carrier_error");
    await settle();
    const { status, text } = await get(addressOf("", failed, await tokenOf(failed)));
    expect(status).toBe(200);
    expect(text).not.toContain("carrier_error");
  });

  test("shows of an appointment what the caller agreed to, not the notes of the staff", async () => {
    const appointment: Appointment = {
      ...(SAMPLE_DATA["appointment.created"] as Appointment),
      notes: "difficult",
      contact_email: "priya@patient.invalid",
    };
    const shared = await sharedCall(hospital.db.reader, callId, async () => [appointment]);
    const { appointment_id, status, date, start_time, end_time, batch, appointment_type_name } = appointment;
    expect(shared?.appointments).toEqual([
      { appointment_id, status, date, start_time, end_time, batch, appointment_type_name },
    ]);
  });
});

describe("stable links", () => {
  test("give the recording, whole and by range, and the transcript", async () => {
    const whole = await get(addressOf("/recording.wav", callId, token));
    expect([whole.status, whole.text, whole.headers.get("content-type")]).toEqual([
      200,
      "RIFF of the conversation",
      "audio/wav",
    ]);
    const part = await get(addressOf("/recording.wav", callId, token), { range: "bytes=0-3" });
    expect([part.status, part.text, part.headers.get("content-range")]).toEqual([206, "RIFF", "bytes 0-3/24"]);
    const transcript = await get(addressOf("/transcript.json", callId, token));
    expect(JSON.parse(transcript.text)).toEqual(TALK.transcript);
  });

  test("outlive the five minutes of a signed link", async () => {
    hospital.clock.pass(90 * DAY_MS);
    expect(await statuses()).toEqual(OPEN);
  });
});

describe("the answer without a valid token", () => {
  const anonymous = ({ text }: { text: string }) => text.replaceAll(/req_\w+/g, "req");

  test("is the same whatever the cause: 401, and not a byte more or less", async () => {
    const expired = await talk();
    await share({ expiry: "hour" });
    const oldToken = await tokenOf(expired);
    hospital.clock.pass(HOUR_MS);
    const erased = await talk();
    const erasedToken = await tokenOf(erased);
    expect((await hospital.request("DELETE", `/v1/calls/${erased}`)).status).toBe(200);
    const attempts: [id: string, secret: string][] = [
      [callId, "wrong"],
      [callId, ""],
      [callId, `${token}x`],
      [callId, token.slice(0, -1)],
      [callId, erasedToken],
      [expired, oldToken],
      [expired, token],
      [erased, erasedToken],
      ["call_unknown", token],
      ["x".repeat(500), token],
      ["%00", "%00"],
    ];
    for (const route of ROUTES) {
      const answers = await Promise.all(attempts.map(([id, secret]) => get(addressOf(route, id, secret))));
      const bare = await get(`/public/call/${callId}${route}`);
      const seen = [...answers, bare].map(
        (answer) => `${answer.status} ${answer.headers.get("content-type")} ${anonymous(answer)}`,
      );
      expect(new Set(seen).size).toBe(1);
      expect(seen[0]).toStartWith("401 ");
    }
  });

  test("is the same for a call that went without its token", async () => {
    const gone = await talk();
    const secret = await tokenOf(gone);
    await hospital.db.write(async (tx) => {
      await tx.deleteFrom("call_results").where("call_id", "=", gone).execute();
      await tx.deleteFrom("calls").where("id", "=", gone).execute();
    });
    for (const route of ROUTES) {
      const [left, wrong] = await Promise.all([
        get(addressOf(route, gone, secret)),
        get(addressOf(route, callId, "wrong")),
      ]);
      expect([left.status, anonymous(left)]).toEqual([401, anonymous(wrong)]);
    }
  });

  test("is a page for people, which says so plainly", async () => {
    const { headers, text } = await get(addressOf("/details", callId, "wrong"));
    expect(headers.get("content-type")).toStartWith("text/html");
    expect(text).toContain("<h1>This link is not valid any more</h1>");
    expect(text).not.toContain(callId);
  });

  test("an API key is no token", async () => {
    const { status } = await hospital.request("GET", addressOf("", callId, ""));
    expect(status).toBe(401);
  });
});

describe("the switch", () => {
  test("off shuts old links too, and on opens the same links again", async () => {
    expect(await statuses()).toEqual(OPEN);
    await share({ enabled: false });
    expect(await statuses()).toEqual(SHUT);
    expect(await hospital.app.services.shares.tokenFor(hospital.organisationId, callId)).toBeNull();
    await share({ enabled: true });
    expect(await tokenOf(callId)).toBe(token);
    expect(await statuses()).toEqual(OPEN);
  });

  test("is the organisation's own: a neighbour's calls stay shut", async () => {
    const { organisationId } = await hospital.neighbour();
    expect(await hospital.app.services.shares.status(organisationId)).toEqual({ enabled: false, expiry: "none" });
    expect(await hospital.app.services.shares.tokenFor(organisationId, "call_theirs")).toBeNull();
  });
});

describe("a token", () => {
  test("is one per call, even for two who ask at once", async () => {
    const other = await talk();
    const { shares } = hospital.app.services;
    const asked = await Promise.all([1, 2, 3].map(() => shares.tokenFor(hospital.organisationId, other)));
    expect(new Set(asked).size).toBe(1);
    expect(asked[0]).not.toBe(token);
    expect(await tokenOf(other)).toBe(asked[0]!);
  });

  const lives: [ShareExpiry, number][] = [
    ["hour", HOUR_MS],
    ["day", DAY_MS],
    ["week", 7 * DAY_MS],
    ["month", 30 * DAY_MS],
  ];
  test.each(lives)("issued under the expiry %s ends then; one issued before does not", async (expiry, lifeMs) => {
    await share({ expiry });
    const other = await talk();
    const short = await tokenOf(other);
    hospital.clock.pass(lifeMs - 1);
    expect(await statuses(other, short)).toEqual(OPEN);
    hospital.clock.pass(1);
    expect(await statuses(other, short)).toEqual(SHUT);
    expect(await statuses()).toEqual(OPEN);
  });

  test("that has ended is replaced by a new one, and stays dead", async () => {
    await share({ expiry: "hour" });
    const other = await talk();
    const first = await tokenOf(other);
    hospital.clock.pass(HOUR_MS);
    const second = await tokenOf(other);
    expect(second).not.toBe(first);
    expect([await statuses(other, first), await statuses(other, second)]).toEqual([SHUT, OPEN]);
  });
});

describe("every answer", () => {
  const answers = () => [
    ...ROUTES.flatMap((route) => [addressOf(route, callId, token), addressOf(route, callId, "wrong")]),
    "/public/assets/share.js",
    "/public/assets/share.css",
  ];

  test("keeps out of caches, search engines and referrers", async () => {
    for (const path of answers()) {
      const { headers } = await get(path);
      expect([path, headers.get("x-robots-tag")]).toEqual([path, "noindex, nofollow, noarchive"]);
      expect([path, headers.get("cache-control")]).toEqual([path, "no-store"]);
      expect([path, headers.get("referrer-policy")]).toEqual([path, "no-referrer"]);
    }
  });

  test("that is a page carries the strict policy", async () => {
    const policy =
      "default-src 'none'; script-src 'self'; style-src 'self'; media-src 'self'; img-src 'self'; " +
      "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    for (const secret of [token, "wrong"]) {
      const { headers } = await get(addressOf("/details", callId, secret));
      expect(headers.get("content-security-policy")).toBe(policy);
    }
  });
});

test("the JSON is documented with its faults, the page and its assets are not", () => {
  const { paths } = hospital.app.document();
  const { get: operation } = paths["/public/call/{call_id}"]!;
  expect(operation).toMatchObject({ operationId: "getSharedCall", tags: ["Public share"], security: [] });
  expect(Object.keys(operation!.responses!)).toEqual(expect.arrayContaining(["200", "401"]));
  expect(Object.keys(paths).filter((path) => /details|assets/.test(path))).toEqual([]);
});
