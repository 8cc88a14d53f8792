// Trunks from their making to their end: what is kept, what is shown, who is told.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { MINUTE_MS } from "../../src/core/clock.ts";
import type { AppError } from "../../src/core/errors.ts";
import { createAudit } from "../../src/accounts/audit.ts";
import { createSecretBox } from "../../src/core/secret-box.ts";
import { createTrunkService } from "../../src/trunks/trunk-service.ts";
import type { NewTrunk } from "../../src/trunks/checked-trunk.ts";
import { rejectionOf } from "../support/temp.ts";
import { applianceWithTrunks, SECRET, type ApplianceWithTrunks } from "./appliance-with-trunks.ts";
import type { TrunkState } from "../../src/trunks/trunk-settings.ts";

let it: ApplianceWithTrunks;
beforeEach(async () => {
  it = await applianceWithTrunks();
});
afterEach(() => it.close());

const create = (changes: Partial<NewTrunk> = {}, organisationId = it.ours) =>
  it.trunks.create(organisationId, { name: "Main", host: "pbx.example", ...changes }, CLI_ACTOR);
const refusal = async (promise: Promise<unknown>) => (await rejectionOf<AppError>(promise)).code;

describe("a trunk", () => {
  test("comes back as it was given, without its secret", async () => {
    const input = {
      name: "Provider",
      host: "sip.provider.example",
      port: 5080,
      transport: "tcp" as const,
      username: "ward",
      register: true,
      from_domain: "hospital.example",
      from_user: "number",
      identity_header: "remote_party_id",
      caller_id: "2001",
      number_format: "digits",
      dial_prefix: "9",
      extensions: ["2001=+912212345678"],
      concurrent_calls: 30,
      calls_per_second: 0.5,
      options_seconds: 60,
      allowed_prefixes: ["+91"],
      enabled: false,
      ca_pem: null,
    };
    const made = await create({ ...input, secret: SECRET });
    expect(made).toMatchObject({ ...input, has_secret: true, source: "dashboard", numbers: [], capture_until: null });
    expect(made.trunk_id).toStartWith("trk_");
    expect(await it.trunks.get(it.ours, made.trunk_id)).toEqual(made);
    expect(await it.trunks.list(it.ours)).toEqual([made]);
    expect(await it.trunks.byName(it.ours, "Provider")).toEqual(made);
  });

  test("has a name of its own in its organisation", async () => {
    await create();
    expect(await refusal(create())).toBe("CONFLICT");
    await create({}, it.theirs);
    const { trunk_id } = await create({ name: "Second" });
    expect(await refusal(it.trunks.update(it.ours, trunk_id, { name: "Main" }, CLI_ACTOR))).toBe("CONFLICT");
  });

  test("is changed field by field, and checked as a whole", async () => {
    const { trunk_id } = await create({ username: "ward", register: true });
    const changed = await it.trunks.update(it.ours, trunk_id, { port: 5070 }, CLI_ACTOR);
    expect(changed).toMatchObject({ port: 5070, username: "ward", register: true, name: "Main" });
    expect(await refusal(it.trunks.update(it.ours, trunk_id, { username: null }, CLI_ACTOR))).toBe("VALIDATION_ERROR");
  });

  test("keeps its secret when it is changed, until another is given or null removes it", async () => {
    const { trunk_id } = await create({ username: "ward", secret: SECRET });
    const secretNow = async () => (await it.trunks.settings())[0]!.secret;
    await it.trunks.update(it.ours, trunk_id, { port: 5070 }, CLI_ACTOR);
    expect(await secretNow()).toBe(SECRET);
    await it.trunks.update(it.ours, trunk_id, { secret: "another" }, CLI_ACTOR);
    expect(await secretNow()).toBe("another");
    const bare = await it.trunks.update(it.ours, trunk_id, { secret: null }, CLI_ACTOR);
    expect([bare.has_secret, await secretNow()]).toEqual([false, null]);
  });

  test("of another organisation does not exist here", async () => {
    const { trunk_id } = await create({}, it.theirs);
    const before = await it.trunks.list(it.theirs);
    expect(await it.trunks.list(it.ours)).toEqual([]);
    for (const attempt of [
      () => it.trunks.get(it.ours, trunk_id),
      () => it.trunks.byName(it.ours, "Main"),
      () => it.trunks.update(it.ours, trunk_id, { port: 1 }, CLI_ACTOR),
      () => it.trunks.remove(it.ours, trunk_id, CLI_ACTOR),
      () => it.trunks.setCapture(it.ours, trunk_id, 5, CLI_ACTOR),
    ]) {
      expect(await refusal(attempt())).toBe("NOT_FOUND");
    }
    expect(await it.trunks.list(it.theirs)).toEqual(before);
  });

  test("cannot be removed while a number uses it", async () => {
    const { trunk_id } = await create();
    await it.agents.addNumber(it.ours, { number: "+15555550100", trunkId: trunk_id }, CLI_ACTOR);
    expect((await it.trunks.get(it.ours, trunk_id)).numbers).toEqual(["+15555550100"]);
    expect(await refusal(it.trunks.remove(it.ours, trunk_id, CLI_ACTOR))).toBe("CONFLICT");
    await it.agents.setTrunk(it.ours, "+15555550100", null, CLI_ACTOR);
    await it.trunks.storeStates([stateOf(trunk_id)]);
    await it.trunks.remove(it.ours, trunk_id, CLI_ACTOR);
    expect(await it.trunks.list(it.ours)).toEqual([]);
  });
});

describe("a secret", () => {
  test("is in no view, no audit entry, no log line and not readable in the database", async () => {
    const made = await create({ username: "ward", secret: SECRET });
    await it.trunks.update(it.ours, made.trunk_id, { secret: `${SECRET}!` }, CLI_ACTOR);
    await it.trunks.update(it.ours, made.trunk_id, { secret: `${SECRET}!`, port: 1 }, CLI_ACTOR);
    const tables = ["trunks", "audit_entries"] as const;
    const rows = await Promise.all(tables.map((table) => it.db.reader.selectFrom(table).selectAll().execute()));
    const told = JSON.stringify([rows, await it.trunks.list(it.ours), it.logLines]);
    expect(told).toContain("trunk.changed");
    expect(told).not.toContain(SECRET);
  });

  test("of one trunk does not open as another's", async () => {
    const first = await create({ username: "ward", secret: SECRET });
    const second = await create({ name: "Second", username: "ward", secret: "x" });
    const row = await it.db.reader
      .selectFrom("trunks")
      .selectAll()
      .where("id", "=", first.trunk_id)
      .executeTakeFirstOrThrow();
    await it.db.write((tx) =>
      tx.updateTable("trunks").set({ sealed_secret: row.sealed_secret }).where("id", "=", second.trunk_id).execute(),
    );
    const secretOf = Object.fromEntries((await it.trunks.settings()).map(({ id, secret }) => [id, secret]));
    expect(secretOf).toEqual({ [first.trunk_id]: SECRET, [second.trunk_id]: null });
  });

  test("that cannot be opened any more leaves the other trunks in use, and is told", async () => {
    await create({ username: "ward", secret: SECRET });
    await create({ name: "Trusted" });
    const lines: string[] = [];
    const log = (message: string) => void lines.push(message);
    const other = createTrunkService({
      db: it.db,
      clock: it.clock,
      ids: it.ids,
      audit: createAudit(it.clock, it.ids),
      secrets: createSecretBox(new Uint8Array(32).fill(8)),
      refusal: () => null,
      placeNumber: async () => ({ kind: "unknown" }),
      logger: { debug: log, info: log, warn: log, error: log },
    });
    expect((await other.settings()).map(({ secret }) => secret)).toEqual([null, null]);
    expect(lines).toEqual([expect.stringContaining("secret.key")]);
  });
});

describe("a trial", () => {
  test("gets its own organisation's trunk with the secret, switched off or not, and no other", async () => {
    const { trunk_id } = await create({ username: "ward", secret: SECRET, enabled: false });
    await create({ name: "Second" });
    const call = { overridden: [], reason: null };
    expect(await it.trunks.forTrial(it.ours, trunk_id, call, CLI_ACTOR)).toMatchObject({
      id: trunk_id,
      secret: SECRET,
    });
    expect(await refusal(it.trunks.forTrial(it.theirs, trunk_id, null, CLI_ACTOR))).toBe("NOT_FOUND");
    expect((await it.audited("trunk.tried")).map(({ detail }) => detail)).toEqual([{ with_call: true }]);
  });

  test("with a call that overrode a rule is audited with the reason", async () => {
    const { trunk_id } = await create();
    const call = { overridden: ["too_many_calls"], reason: "My own desk phone." };
    await it.trunks.forTrial(it.ours, trunk_id, call, CLI_ACTOR);
    expect((await it.audited("trunk.tried")).map(({ detail }) => detail)).toEqual([{ with_call: true, ...call }]);
  });
});

describe("the carrier", () => {
  test("is given every trunk in use of every organisation, and no other", async () => {
    const first = await create({
      transport: "udp",
      username: "ward",
      secret: SECRET,
      register: true,
      caller_id: "+912212345678",
      from_domain: "hospital.example",
      extensions: ["2001=+912212345678", "ward=+912212345678"],
    });
    const off = await create({ name: "Off", enabled: false });
    const second = await create({ host: "192.0.2.9", port: 5070, allowed_prefixes: [] }, it.theirs);
    expect(await it.trunks.settings()).toEqual([
      {
        id: first.trunk_id,
        host: "pbx.example",
        port: 0,
        transport: "udp",
        caPem: null,
        username: "ward",
        secret: SECRET,
        register: true,
        fromDomain: "hospital.example",
        fromUser: null,
        identityHeader: "auto",
        callerId: "+912212345678",
        numberFormat: "e164",
        dialPrefix: "",
        dialledNames: ["2001", "ward"],
        lines: 10,
        optionsEverySeconds: 30,
        callsPerSecond: 1,
        allowedPrefixes: ["+91", "+1"],
        numbers: [],
        symmetricRtp: false,
        srtp: "preferred",
        codecs: [],
      },
      expect.objectContaining({ id: second.trunk_id, host: "192.0.2.9", port: 5070, allowedPrefixes: [] }),
    ]);
    expect((await it.trunks.settings()).map(({ id }) => id)).not.toContain(off.trunk_id);
  });

  test("hears which numbers each trunk carries, and of one that moves", async () => {
    const [first, second] = [await create(), await create({ name: "Second" })];
    const numbers = async () => (await it.trunks.settings()).map((trunk) => trunk.numbers);
    await it.agents.addNumber(it.ours, { number: "+15555550101", trunkId: first.trunk_id }, CLI_ACTOR);
    await it.agents.addNumber(it.ours, { number: "+15555550100", trunkId: first.trunk_id }, CLI_ACTOR);
    await it.agents.addNumber(it.ours, { number: "+15555550102" }, CLI_ACTOR);
    expect(await numbers()).toEqual([["+15555550100", "+15555550101"], []]);
    const revision = await it.trunks.revision();
    await it.agents.setTrunk(it.ours, "+15555550101", second.trunk_id, CLI_ACTOR);
    expect(await it.trunks.revision()).not.toBe(revision);
    expect(await numbers()).toEqual([["+15555550100"], ["+15555550101"]]);
  });

  test("is told of each change, and of nothing that was refused", async () => {
    const { trunk_id } = await create();
    await it.trunks.update(it.ours, trunk_id, { port: 1 }, CLI_ACTOR);
    expect(it.changes()).toBe(2);
    await rejectionOf(create());
    await rejectionOf(it.trunks.update(it.ours, trunk_id, { port: -1 }, CLI_ACTOR));
    await it.trunks.setCapture(it.ours, trunk_id, 5, CLI_ACTOR);
    expect(it.changes()).toBe(2);
    await it.trunks.remove(it.ours, trunk_id, CLI_ACTOR);
    expect(it.changes()).toBe(3);
  });

  test("finds out by the revision what another process changed, at whatever time the clock shows", async () => {
    const seen = [await it.trunks.revision()];
    const note = async () => void seen.push(await it.trunks.revision());
    const { trunk_id } = await create();
    await note();
    for (const port of [1, 2, 3]) {
      await it.trunks.update(it.ours, trunk_id, { port }, CLI_ACTOR);
      await note();
    }
    const second = await create({ name: "Second" });
    await note();
    await it.trunks.remove(it.ours, second.trunk_id, CLI_ACTOR);
    await note();
    expect(new Set(seen.slice(0, -1)).size).toBe(seen.length - 1);
    expect(seen.at(-1)).toBe(seen.at(-3));
    await it.trunks.storeStates([stateOf(trunk_id)]);
    expect(seen.at(-1)).toBe(await it.trunks.revision());
  });
});

describe("how a trunk is", () => {
  test("is kept for commands beside the server, per organisation", async () => {
    const mine = await create();
    const other = await create({}, it.theirs);
    await it.trunks.storeStates([stateOf(mine.trunk_id), stateOf(other.trunk_id, { state: "down" })]);
    await it.clock.advance(1_000);
    await it.trunks.storeStates([
      stateOf(mine.trunk_id, { roundTripMs: 12.5, isRegistered: true, restingUntilMs: it.clock.now() }),
    ]);
    expect(await it.trunks.statesOf(it.ours)).toEqual({
      [mine.trunk_id]: {
        state: "up",
        is_registered: true,
        round_trip_ms: 12.5,
        last_error: null,
        resting_until: new Date(it.clock.now()).toISOString(),
        active_calls: 2,
        lines: 10,
        address: "192.0.2.1:5060",
        at: new Date(it.clock.now()).toISOString(),
      },
    });
    expect(Object.keys(await it.trunks.statesOf(it.theirs))).toEqual([other.trunk_id]);
  });

  test("of a trunk that was removed meanwhile is not kept, and the others are", async () => {
    const { trunk_id } = await create();
    await it.trunks.storeStates([stateOf("trk_gone"), stateOf(trunk_id)]);
    expect(Object.keys(await it.trunks.statesOf(it.ours))).toEqual([trunk_id]);
  });
});

describe("the capture of packets", () => {
  test("lasts as long as asked for, at most an hour, and is on record", async () => {
    const { trunk_id } = await create();
    const captured = () => it.trunks.isCaptured(it.db.reader, trunk_id);
    expect(await captured()).toBe(false);
    const { capture_until } = await it.trunks.setCapture(it.ours, trunk_id, 10, CLI_ACTOR);
    expect(capture_until).toBe(new Date(it.clock.now() + 10 * MINUTE_MS).toISOString());
    expect(await captured()).toBe(true);
    await it.clock.advance(10 * MINUTE_MS);
    expect(await captured()).toBe(false);
    expect((await it.trunks.get(it.ours, trunk_id)).capture_until).toBeNull();
    await it.trunks.setCapture(it.ours, trunk_id, 60, CLI_ACTOR);
    expect((await it.trunks.setCapture(it.ours, trunk_id, 0, CLI_ACTOR)).capture_until).toBeNull();
    expect(await captured()).toBe(false);
    for (const minutes of [-1, 61, 1.5]) {
      expect(await refusal(it.trunks.setCapture(it.ours, trunk_id, minutes, CLI_ACTOR))).toBe("VALIDATION_ERROR");
    }
    expect((await it.audited("trunk.capture_set")).map(({ detail }) => detail)).toEqual([
      { minutes: 10 },
      { minutes: 60 },
      { minutes: 0 },
    ]);
  });
});

test("what was done is on record, by field name and never by value", async () => {
  const { trunk_id } = await create({ username: "ward", secret: SECRET });
  await it.trunks.update(it.ours, trunk_id, { secret: null, host: "other.example" }, CLI_ACTOR);
  await it.trunks.remove(it.ours, trunk_id, CLI_ACTOR);
  const entry = { subject_id: trunk_id, actor_kind: "cli" };
  expect(await it.audited("trunk.created")).toEqual([{ ...entry, detail: { name: "Main", transport: "udp" } }]);
  expect(await it.audited("trunk.changed")).toEqual([{ ...entry, detail: { fields: ["secret", "host"] } }]);
  expect(await it.audited("trunk.deleted")).toEqual([{ ...entry, detail: { name: "Main" } }]);
});

function stateOf(id: string, changes: Partial<TrunkState> = {}): TrunkState {
  return {
    id,
    state: "up",
    isRegistered: null,
    roundTripMs: null,
    lastError: null,
    restingUntilMs: null,
    activeCalls: 2,
    lines: 10,
    address: "192.0.2.1:5060",
    ...changes,
  };
}
