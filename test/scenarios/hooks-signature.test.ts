// Signed requests on the inbound webhook, built by hand as a sender would.
import { beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { ask, expectError, type ApiAnswer } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { command, commandJson, startQuick } from "../support/calls.ts";

leaveNothingBehind();

let server: Running;
beforeAll(async () => {
  server = await startQuick();
  await command(server, "hook", "signature", "on");
});

const nowSeconds = () => Math.floor(Date.now() / 1_000);

/** Spaces and an umlaut: bytes that parsing and serialising again would change. */
const rawBody = () =>
  `{ "action":"call.create",  "data": {"agent_id":"${server.demo["agent_id"]!}","contact_number":"+912255550123",` +
  `"contact_name":"Jörg","scheduled_time":"${new Date(Date.now() + 3_600_000).toISOString()}"} }\n`;

const signatureOf = (secret: string, timestamp: number | string, body: string) =>
  createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");

function send(body: string, headers: Record<string, string>, url = server.demo["hook_url"]!): Promise<ApiAnswer> {
  return ask(server, "POST", new URL(url).pathname, { key: null, body, headers });
}

function signed(body: string, timestamp: number | string = nowSeconds(), secret = server.demo["hook_signing_secret"]!) {
  return { "x-inbound-timestamp": String(timestamp), "x-inbound-signature": signatureOf(secret, timestamp, body) };
}

describe("where signatures are required", () => {
  test("lowercase hex over timestamp, dot and raw bytes is accepted", async () => {
    const body = rawBody();
    expect((await send(body, signed(body))).status).toBe(201);
  });

  test("a timestamp within five minutes either way is accepted, one beyond is 401", async () => {
    const body = rawBody();
    for (const seconds of [-290, 290])
      expect((await send(body, signed(body, nowSeconds() + seconds))).status).toBe(201);
    for (const seconds of [-310, 310]) {
      expectError(await send(body, signed(body, nowSeconds() + seconds)), 401, "UNAUTHORIZED");
    }
  });

  test("a missing, altered, upper-case, prefixed or base64 signature is 401", async () => {
    const body = rawBody();
    const good = signed(body);
    const hex = good["x-inbound-signature"];
    const timestamp = { "x-inbound-timestamp": good["x-inbound-timestamp"] };
    const wrong: Record<string, string>[] = [
      {},
      timestamp,
      { "x-inbound-signature": hex },
      { ...timestamp, "x-inbound-signature": (hex.startsWith("0") ? "1" : "0") + hex.slice(1) },
      { ...timestamp, "x-inbound-signature": hex.toUpperCase() },
      { ...timestamp, "x-inbound-signature": `v1=${hex}` },
      { ...timestamp, "x-inbound-signature": Buffer.from(hex, "hex").toString("base64") },
      { ...timestamp, "x-inbound-signature": hex.slice(0, 63) },
      { ...good, "x-inbound-timestamp": String(Number(good["x-inbound-timestamp"]) - 1) },
      signed(body, "now"),
      signed(body, `${nowSeconds()}.0`),
      signed(body, nowSeconds(), "whin_wrong"),
    ];
    for (const headers of wrong) expectError(await send(body, headers), 401, "UNAUTHORIZED");
  });

  test("another body under a good signature is 401", async () => {
    const body = rawBody();
    expectError(await send(body.trimEnd(), signed(body)), 401, "UNAUTHORIZED");
  });

  test("a signature failure does not use the quota", async () => {
    const used = async () => (JSON.parse(await command(server, "hook", "status")) as { quota_used: number }).quota_used;
    const before = await used();
    expectError(await send(rawBody(), {}), 401, "UNAUTHORIZED");
    expect(await used()).toBe(before);
  });

  test("a new token comes with a new secret and still requires signatures, until they are switched off", async () => {
    const hook = await commandJson<{ url: string; signing_secret: string }>(server, "hook", "regenerate");
    const body = rawBody();
    expectError(await send(body, signed(body), hook.url), 401, "UNAUTHORIZED");
    expect((await send(body, signed(body, nowSeconds(), hook.signing_secret), hook.url)).status).toBe(201);
    await command(server, "hook", "signature", "off");
    expect((await send(body, {}, hook.url)).status).toBe(201);
  });
});
