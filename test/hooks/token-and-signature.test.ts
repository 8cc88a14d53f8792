import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { rejectionOf } from "../support/temp.ts";
import { outcome } from "../support/hospital.ts";
import { createInbound, signed, type Inbound } from "./inbound.ts";

let inbound: Inbound;
beforeEach(async () => {
  inbound = await createInbound();
});
afterEach(() => inbound.hospital.close());

const hooks = () => inbound.hospital.app.services.hooks;

describe("the token", () => {
  test.each([["unknown"], ["x".repeat(43)], ["%00"]])("%s is 401, whatever the body", async (token) => {
    expect(outcome(await inbound.send("{", {}, token))).toBe("401 UNAUTHORIZED");
    expect(outcome(await inbound.send({ action: "nonsense" }, {}, token))).toBe("401 UNAUTHORIZED");
  });

  test("is invalid as soon as it is regenerated, and the new one works", async () => {
    expect((await inbound.create()).status).toBe(201);
    const { token } = await hooks().regenerate(inbound.hospital.organisationId, CLI_ACTOR);
    expect(outcome(await inbound.create())).toBe("401 UNAUTHORIZED");
    expect(outcome(await inbound.send({ action: "?" }, {}, token))).toBe("400 VALIDATION_ERROR");
  });

  test("has 32 random bytes, and is stored in no file", async () => {
    expect(Buffer.from(inbound.token, "base64url")).toHaveLength(32);
    const { dataDir } = inbound.hospital;
    const files = readdirSync(dataDir, { recursive: true, encoding: "utf8" }).filter((file) =>
      statSync(join(dataDir, file)).isFile(),
    );
    for (const file of files) {
      const bytes = readFileSync(join(dataDir, file));
      expect(bytes.includes(inbound.token)).toBeFalse();
      expect(bytes.includes(inbound.secret)).toBeFalse();
    }
  });

  test("of one organisation acts for that organisation", async () => {
    const other = await inbound.hospital.neighbour();
    const { token } = await hooks().regenerate(other.organisationId, CLI_ACTOR);
    const body = {
      action: "call.create",
      data: { agent_id: inbound.hospital.agentId, contact_number: "+15555550100" },
    };
    expect(outcome(await inbound.send(body, {}, token))).toBe("400 VALIDATION_ERROR");
  });
});

describe("the signature, where it is required", () => {
  const body = () =>
    JSON.stringify({
      action: "call.create",
      data: { agent_id: inbound.hospital.agentId, contact_number: "+15555550100" },
    });
  const now = () => inbound.hospital.clock.now();
  beforeEach(() => hooks().requireSignature(inbound.hospital.organisationId, true, CLI_ACTOR));

  test("is accepted when it is correct", async () => {
    expect((await inbound.send(body(), signed(inbound.secret, now(), body()))).status).toBe(201);
  });

  test("covers the bytes as they were sent, unusual spaces and letters included", async () => {
    const odd = ` {\n\t"data" : {"contact_number":"+1555555\\u0030100", "contact_name":"Zoë ☎", "agent_id":"${inbound.hospital.agentId}"},\r\n "action":"call.create" } \n`;
    expect((await inbound.send(odd, signed(inbound.secret, now(), odd))).status).toBe(201);
    const rewritten = JSON.stringify(JSON.parse(odd));
    expect(outcome(await inbound.send(odd, signed(inbound.secret, now(), rewritten)))).toBe("401 UNAUTHORIZED");
  });

  test.each([
    ["exactly five minutes old", -300, "201 ok"],
    ["five minutes ahead", 300, "201 ok"],
    ["a second too old", -301, "401 UNAUTHORIZED"],
    ["a second too far ahead", 301, "401 UNAUTHORIZED"],
    ["a day old", -86_400, "401 UNAUTHORIZED"],
  ])("%s", async (_, seconds, expected) => {
    expect(outcome(await inbound.send(body(), signed(inbound.secret, now() + seconds * 1000, body())))).toBe(expected);
  });

  const forged: [what: string, change: (good: Record<string, string>) => Record<string, string>][] = [
    ["none at all", () => ({})],
    ["no signature", ({ "x-inbound-timestamp": timestamp }) => ({ "x-inbound-timestamp": timestamp! })],
    ["no timestamp", ({ "x-inbound-signature": signature }) => ({ "x-inbound-signature": signature! })],
    ["upper-case hex", (good) => ({ ...good, "x-inbound-signature": good["x-inbound-signature"]!.toUpperCase() })],
    [
      "base64",
      (good) => ({
        ...good,
        "x-inbound-signature": Buffer.from(good["x-inbound-signature"]!, "hex").toString("base64"),
      }),
    ],
    [
      "one letter other",
      (good) => ({
        ...good,
        "x-inbound-signature": good["x-inbound-signature"]!.replace(/.$/, (c) => (c === "0" ? "1" : "0")),
      }),
    ],
    ["a prefix", (good) => ({ ...good, "x-inbound-signature": `sha256=${good["x-inbound-signature"]!}` })],
    [
      "another timestamp",
      (good) => ({ ...good, "x-inbound-timestamp": String(Number(good["x-inbound-timestamp"]) + 1) }),
    ],
    ["milliseconds", (good) => ({ ...good, "x-inbound-timestamp": `${good["x-inbound-timestamp"]!}000` })],
    ["a timestamp that is none", (good) => ({ ...good, "x-inbound-timestamp": "now" })],
  ];
  test.each(forged)("%s is 401", async (_, change) => {
    expect(outcome(await inbound.send(body(), change(signed(inbound.secret, now(), body()))))).toBe("401 UNAUTHORIZED");
  });

  test("does not match an altered body, nor another secret", async () => {
    const good = signed(inbound.secret, now(), body());
    expect(outcome(await inbound.send(body().replace("0100", "0101"), good))).toBe("401 UNAUTHORIZED");
    expect(outcome(await inbound.send(body(), signed("whin_other", now(), body())))).toBe("401 UNAUTHORIZED");
  });

  test("uses the new secret after a regeneration, and is still required", async () => {
    const fresh = await hooks().regenerate(inbound.hospital.organisationId, CLI_ACTOR);
    const send = (secret: string) => inbound.send(body(), signed(secret, now(), body()), fresh.token);
    expect(outcome(await send(inbound.secret))).toBe("401 UNAUTHORIZED");
    expect(outcome(await send(fresh.signingSecret))).toBe("201 ok");
  });

  test("is checked before the body", async () => {
    expect(outcome(await inbound.send("{"))).toBe("401 UNAUTHORIZED");
    expect(outcome(await inbound.send("{", signed(inbound.secret, now(), "{")))).toBe("400 VALIDATION_ERROR");
  });

  test("is no longer checked once it is switched off", async () => {
    await hooks().requireSignature(inbound.hospital.organisationId, false, CLI_ACTOR);
    expect((await inbound.send(body())).status).toBe(201);
  });
});

test("a signature cannot be required without a hook", async () => {
  const other = await inbound.hospital.neighbour();
  expect(await rejectionOf(hooks().requireSignature(other.organisationId, true, CLI_ACTOR))).toMatchObject({
    code: "NOT_FOUND",
  });
});
