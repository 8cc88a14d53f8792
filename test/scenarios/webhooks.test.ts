// Events from the compiled binary to a real HTTPS receiver: bytes, headers, signatures, payloads and the delivery log.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, runBinary, type Running } from "../support/binary.ts";
import { finished, numberEnding, place, startQuick } from "../support/calls.ts";
import { closeReceivers, startReceiver, type Received, type Receiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";
import { GO, JAVA, PHP, PYTHON, TYPESCRIPT } from "../events/verifier/languages.ts";
import { codeOf, verdictsOf } from "../events/verifier/run-snippet.ts";

leaveNothingBehind();
closeReceivers();

let receiver: Receiver;
let server: Running;
let secret: string;
let endpointId: string;

async function cli(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runBinary([...args, "--data", server.dataDir], { env: receiver.env });
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
  return stdout;
}

beforeAll(async () => {
  receiver = startReceiver();
  server = await startQuick(receiver.env);
  const made = JSON.parse(await cli("endpoints", "create", "--url", receiver.url, "--json")) as {
    secret: string;
    endpoint_id: string;
  };
  ({ secret, endpoint_id: endpointId } = made);
});
afterAll(() => server.stop());

const eventsOf = (callId: string) =>
  receiver.received.filter(({ json }) => json.event_type.startsWith("call.") && json.data["call_id"] === callId);

async function callEvents(lastFourDigits: string, count = 2): Promise<Received[]> {
  const id = await place(server, { user_number: numberEnding(lastFourDigits), additional_info: { ward: "B 12" } });
  await finished(server, id);
  await until(() => eventsOf(id).length >= count, {
    withinMs: 60_000,
    what: () => `${eventsOf(id).length} of ${count} events came`,
  });
  return eventsOf(id);
}

/** An independent HMAC implementation. */
function opensslHmac(key: string, data: Buffer): string {
  const hexKey = Buffer.from(key).toString("hex");
  const run = Bun.spawnSync(["openssl", "dgst", "-sha256", "-mac", "HMAC", "-macopt", `hexkey:${hexKey}`, "-binary"], {
    stdin: data,
  });
  return run.stdout.toString("base64");
}

test("every delivery verifies with openssl over the exact bytes and with the Standard Webhooks library", async () => {
  for (const { headers, body, json } of await callEvents("1234")) {
    const timestamp = headers["x-webhook-timestamp"]!;
    expect(headers["x-webhook-signature"]).toBe(
      `v1=${opensslHmac(secret, Buffer.concat([Buffer.from(`${timestamp}.`), body]))}`,
    );
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Ringward-Webhooks/1",
      "x-webhook-id": json.event_id,
    });
    expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(60);
    expect(new Webhook(secret).verify(body.toString("utf8"), headers)).toEqual(json);
    expect(json.event_id).toMatch(/^evt_/);
  }
});

describe("the payload", () => {
  const FIELDS = [
    "agent_id",
    "agent_name",
    "analysis_source",
    "appointment_details",
    "call_analytics",
    "call_details_url",
    "call_direction",
    "call_duration_seconds",
    "call_from",
    "call_id",
    "call_recording",
    "call_to",
    "call_transcript",
    "call_triggered_at",
    "completed_at",
    "contact_email",
    "contact_identifiers",
    "contact_name",
    "contact_preferred_language",
    "credits_consumed",
    "custom_data",
    "emergency_outcome",
    "error",
    "extracted_details",
    "notices",
    "recording",
    "scheduled_at",
    "scheduled_call_id",
    "sequence",
    "share_token",
    "simulated",
    "status",
  ];

  test("of a completed call has every field, with analytics, links and credits", async () => {
    const [initiated, completed] = await callEvents("4321");
    for (const { json } of [initiated!, completed!]) expect(Object.keys(json.data).toSorted()).toEqual(FIELDS);
    expect(initiated!.json).toMatchObject({
      event_type: "call.initiated",
      data: {
        status: "initiated",
        sequence: 1,
        simulated: true,
        credits_consumed: null,
        error: null,
        call_analytics: null,
        extracted_details: null,
        call_recording: null,
        completed_at: null,
      },
    });
    const { data } = completed!.json;
    expect(completed!.json.event_type).toBe("call.completed");
    expect(data).toMatchObject({
      status: "completed",
      sequence: 2,
      error: null,
      custom_data: { ward: "B 12" },
      call_from: null,
      call_details_url: null,
      share_token: null,
    });
    expect(data["credits_consumed"]).toBeGreaterThan(0);
    expect(data["call_analytics"]).toMatchObject({
      summary: expect.any(String),
      sentiment: expect.any(String),
      next_steps: expect.any(String),
      disposition: expect.any(String),
    });
    for (const link of ["call_recording", "call_transcript"]) {
      const url = new URL(data[link] as string);
      const answer = await fetch(`${server.url}${url.pathname}${url.search}`);
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
    }
  });

  test("of a failed call has an error and never analytics", async () => {
    const [, failed] = await callEvents("0001");
    expect(failed!.json).toMatchObject({
      event_type: "call.failed",
      data: {
        status: "failed",
        error: expect.stringMatching(/^busy: /),
        credits_consumed: null,
        call_analytics: null,
        extracted_details: null,
        call_recording: null,
        call_transcript: null,
      },
    });
  });

  test("of an agreed callback names the follow-up call", async () => {
    const [, completed] = await callEvents("0007");
    const next = completed!.json.data["scheduled_call_id"] as string;
    expect(completed!.json.data["call_analytics"]).toMatchObject({ disposition: "callback_scheduled" });
    expect((await ask(server, "GET", `/v1/calls/${next}`)).data).toMatchObject({ status: "scheduled" });
  });

  test("of a disallowed call gives the reason, without dialling", async () => {
    const number = numberEnding("5555");
    await cli("dnd", "add", number);
    const id = await place(server, { user_number: number });
    await until(() => eventsOf(id).length === 1, { withinMs: 60_000 });
    expect(eventsOf(id)[0]!.json).toMatchObject({
      event_type: "call.disallowed",
      data: {
        status: "disallowed",
        sequence: 1,
        error: expect.stringMatching(/^do_not_disturb: /),
        call_triggered_at: null,
        credits_consumed: null,
      },
    });
  });

  test("of a call with a booking carries the appointment, and the appointment has its own event", async () => {
    const [, completed] = await callEvents("7777");
    const { appointment_details } = completed!.json.data as { appointment_details: { appointment_id: string } | null };
    expect(appointment_details).toMatchObject({
      source: "ai",
      status: "confirmed",
      appointment_type_name: "General consultation",
    });
    const own = receiver.received.find(
      ({ json }) =>
        json.event_type === "appointment.created" &&
        json.data["appointment_id"] === appointment_details!.appointment_id,
    );
    expect(own?.json.data).toEqual(appointment_details as unknown as Record<string, unknown>);
    expect(receiver.received.some(({ json }) => json.event_type === "slot.updated")).toBe(true);
  });
});

/** Triggers the fastest event: a new window fires slot.updated. Returns its id. */
async function newWindow(): Promise<string> {
  const body = { branch_id: server.demo["branch_id"], day: "sunday", session: "Evening", ai_slots: 1 };
  const { status, data } = await ask(server, "POST", "/v1/appointment-slots", { body });
  expect(status).toBe(201);
  return data["calendar_id"] as string;
}

describe("a faulty receiver", () => {
  const outcomes: [string, () => Response | Promise<Response>, object][] = [
    ["answers 500", () => new Response("broken", { status: 500 }), { status: 500, outcome: "refused" }],
    [
      "redirects",
      () => new Response(null, { status: 302, headers: { location: "https://elsewhere.example/" } }),
      { status: 302, outcome: "refused" },
    ],
    ["answers 410", () => new Response(null, { status: 410 }), { status: 410, outcome: "refused" }],
    ["hangs past 8 seconds", () => new Promise<Response>(() => {}), { status: null, outcome: "timeout" }],
  ];

  test.each(outcomes)(
    "that %s is written down, and the event waits for its next attempt",
    async (_, answer, expected) => {
      receiver.answer = answer;
      const window = await newWindow();
      const eventOf = () => receiver.received.find(({ json }) => json.data["calendar_id"] === window);
      await until(() => eventOf() !== undefined, { withinMs: 60_000 });
      const { event_id } = eventOf()!.json;
      type Row = { delivery_id: string; event_id: string; state: string; attempts: number };
      const find = async () =>
        (JSON.parse(await cli("deliveries", "list", "--json")) as Row[]).find((row) => row.event_id === event_id)!;
      await until(async () => (await find()).attempts === 1, { withinMs: 60_000, everyMs: 200 });
      receiver.answer = () => new Response(null, { status: 204 });
      const row = await find();
      expect(row.state).toBe("pending");
      const [attempt] = JSON.parse(await cli("deliveries", "attempts", row.delivery_id)) as object[];
      expect(attempt).toMatchObject(expected);
    },
    60_000,
  );

  test("a certificate of another CA is never trusted", async () => {
    const stranger = startReceiver();
    // The plan allows one endpoint, so the existing one is updated.
    await cli("endpoints", "update", endpointId, "--url", stranger.url);
    type Row = { delivery_id: string; attempts: number };
    const list = async () => JSON.parse(await cli("deliveries", "list", "--json")) as Row[];
    const known = new Set((await list()).map(({ delivery_id }) => delivery_id));
    await newWindow();
    // Among several new deliveries, those of a call wait for its first.
    const tried = async () => (await list()).find((row) => !known.has(row.delivery_id) && row.attempts > 0);
    await until(async () => (await tried()) !== undefined, { withinMs: 60_000, everyMs: 300 });
    const attempts = JSON.parse(await cli("deliveries", "attempts", (await tried())!.delivery_id)) as object[];
    expect(attempts[0]).toMatchObject({ status: null, outcome: "unreachable" });
    expect(stranger.received).toHaveLength(0);
    await cli("endpoints", "update", endpointId, "--url", receiver.url);
  }, 180_000);

  test("addresses that are not https, or private and not allowed, are rejected at registration or at sending", async () => {
    for (const url of ["http://receiver.example/", "https://user:secret@receiver.example/", "ftp://x/"]) {
      const { code } = await runBinary(["endpoints", "update", endpointId, "--url", url, "--data", server.dataDir]);
      expect({ url, code }).toEqual({ url, code: 1 });
    }
  });
});

// Must be the last test of this file: the endpoint has another secret afterwards.
test("a rotation breaks no documented receiver: the old secret still works, and so do both together", async () => {
  const { secret: fresh } = JSON.parse(await cli("endpoints", "rotate", endpointId, "--json")) as { secret: string };
  const told = await callEvents("1234");
  const vectors = told.flatMap(({ headers, body }, index) =>
    Object.entries({ old: secret, both: `${secret} ${fresh}`, wrong: secret.toUpperCase() }).map(
      ([name, configured]) => ({
        name: `${name} ${index}`,
        secret: configured,
        now: Number(headers["x-webhook-timestamp"]),
        headers,
        body: body.toString("utf8"),
      }),
    ),
  );
  const expected = Object.fromEntries(vectors.map(({ name }) => [name, !name.startsWith("wrong")]));
  const present = [TYPESCRIPT, PYTHON, GO, JAVA, PHP].filter(({ needs }) =>
    needs.every((command) => Bun.which(command)),
  );
  for (const language of present)
    expect({ [language.id]: verdictsOf(language, codeOf(language), vectors) }).toEqual({ [language.id]: expected });
  for (const { headers, body } of told)
    for (const each of [secret, fresh]) new Webhook(each).verify(body.toString("utf8"), headers);
}, 180_000);
