// The daily quota: counted in the organisation's own time zone, and only for authenticated requests.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/core/clock.ts";
import { outcome } from "../support/hospital.ts";
import { createInbound, signed, type Inbound } from "./inbound.ts";

let inbound: Inbound;
beforeEach(async () => {
  inbound = await createInbound({ settings: { RINGWARD_PLANS__BASE__INBOUND_DAILY_QUOTA: "3" } });
});
afterEach(() => inbound.hospital.close());

const used = async () =>
  (await inbound.hospital.app.services.hooks.status(inbound.hospital.organisationId))?.quota_used;
const spend = async (count: number) => {
  for (let i = 0; i < count; i++) expect((await inbound.create()).status).toBe(201);
};

describe("the daily quota", () => {
  test("accepts its number of requests and rejects the next, until local midnight", async () => {
    // It is 11:30 in Kolkata: midnight is twelve and a half hours away.
    await spend(3);
    const refused = await inbound.create();
    expect(outcome(refused)).toBe("429 QUOTA_EXCEEDED");
    expect(refused.headers.get("retry-after")).toBe(String(12.5 * 3_600));
    await inbound.hospital.clock.advance(12.5 * HOUR_MS - 1);
    const lastMoment = await inbound.create();
    expect([outcome(lastMoment), lastMoment.headers.get("retry-after")]).toEqual(["429 QUOTA_EXCEEDED", "1"]);
    await inbound.hospital.clock.advance(1);
    await spend(3);
    expect(outcome(await inbound.create())).toBe("429 QUOTA_EXCEEDED");
  });

  test("of a clinic elsewhere resets at its own midnight", async () => {
    const clinic = await inbound.hospital.neighbour();
    const { token } = await inbound.hospital.app.services.hooks.regenerate(clinic.organisationId, CLI_ACTOR);
    const ask = () => inbound.send({ action: "call.cancel", data: { call_id: "call_unknown" } }, {}, token);
    for (let i = 0; i < 3; i++) expect(outcome(await ask())).toBe("404 NOT_FOUND");
    // It is 01:00 in New York.
    const refused = await ask();
    expect([outcome(refused), refused.headers.get("retry-after")]).toEqual(["429 QUOTA_EXCEEDED", String(23 * 3_600)]);
  });

  test("on the day the clocks go back ends an hour later", async () => {
    const clinic = await inbound.hospital.neighbour();
    const { token } = await inbound.hospital.app.services.hooks.regenerate(clinic.organisationId, CLI_ACTOR);
    const ask = () => inbound.send({ action: "?" }, {}, token);
    await inbound.hospital.clock.advance(Date.parse("2027-11-07T04:30:00Z") - inbound.hospital.clock.now());
    for (let i = 0; i < 3; i++) await ask();
    expect((await ask()).headers.get("retry-after")).toBe(String(24.5 * 3_600));
  });

  test("counts valid and invalid requests", async () => {
    await inbound.create();
    await inbound.send("{");
    await inbound.send({ action: "call.cancel", data: { call_id: "call_unknown" } });
    expect(outcome(await inbound.create())).toBe("429 QUOTA_EXCEEDED");
  });

  test("is not used by a 401: neither by a wrong token nor by a wrong signature", async () => {
    const { hospital } = inbound;
    await hospital.app.services.hooks.requireSignature(hospital.organisationId, true, CLI_ACTOR);
    for (let i = 0; i < 5; i++) {
      expect(outcome(await inbound.create())).toBe("401 UNAUTHORIZED");
      expect(outcome(await inbound.send({}, {}, "wrong"))).toBe("401 UNAUTHORIZED");
    }
    expect(await used()).toBe(0);
    const body = '{"action":"?"}';
    await inbound.send(body, signed(inbound.secret, hospital.clock.now(), body));
    expect(await used()).toBe(1);
  });

  test("is checked before the signature", async () => {
    await spend(3);
    await inbound.hospital.app.services.hooks.requireSignature(inbound.hospital.organisationId, true, CLI_ACTOR);
    expect(outcome(await inbound.create())).toBe("429 QUOTA_EXCEEDED");
  });

  test("is not reset by a new token", async () => {
    await spend(3);
    const { token } = await inbound.hospital.app.services.hooks.regenerate(inbound.hospital.organisationId, CLI_ACTOR);
    expect(outcome(await inbound.send({}, {}, token))).toBe("429 QUOTA_EXCEEDED");
  });

  test("holds under concurrent requests", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => inbound.create()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(17);
  });

  test("does not exist on an unlimited plan", async () => {
    await inbound.hospital.app.services.organisations.setPlan(inbound.hospital.organisationId, "enterprise", CLI_ACTOR);
    await spend(10);
  });

  test("rejected requests do nothing and cost nothing more", async () => {
    await spend(3);
    await inbound.hospital.clock.advance(MINUTE_MS);
    for (let i = 0; i < 5; i++) await inbound.create();
    expect(await used()).toBe(3);
    expect(await inbound.hospital.db.reader.selectFrom("calls").selectAll().execute()).toHaveLength(3);
  });
});
