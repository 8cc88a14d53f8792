// Trunks that follow the configuration: made, changed and taken away with it, and changed nowhere else.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { ENTRY_DEFAULTS, type TrunkEntry } from "../../src/config/trunk-entries.ts";
import type { AppError } from "../../src/core/errors.ts";
import { createPrivateCa } from "../support/private-ca.ts";
import { rejectionOf, tempFolder } from "../support/temp.ts";
import { applianceWithTrunks, SECRET, type ApplianceWithTrunks } from "./appliance-with-trunks.ts";

let it: ApplianceWithTrunks;
beforeEach(async () => {
  it = await applianceWithTrunks();
});
afterEach(() => it.close());

const entry = (changes: Partial<TrunkEntry> = {}): TrunkEntry => ({
  ...ENTRY_DEFAULTS,
  host: "pbx.example",
  ...changes,
});
const apply = (trunks: Record<string, TrunkEntry>) => it.trunks.applySettingsTrunks({ trunks });
const ours = () => it.trunks.list(it.ours);
const NUMBER = "+15555550100";

test("an entry becomes a trunk of the first organisation, with the secret of its file", async () => {
  const folder = tempFolder();
  const secret_file = join(folder, "secret");
  const ca_file = join(folder, "ca.pem");
  const { caPem } = createPrivateCa();
  writeFileSync(secret_file, `${SECRET}\n`);
  writeFileSync(ca_file, caPem);
  expect(await apply({ main: entry({ transport: "tls", username: "ward", secret_file, ca_file }) })).toEqual([]);
  expect(await ours()).toMatchObject([
    { name: "main", source: "settings", enabled: true, transport: "tls", username: "ward", has_secret: true },
  ]);
  expect(await it.trunks.settings()).toMatchObject([{ secret: SECRET, caPem: caPem.trimEnd() }]);
  expect(await it.trunks.list(it.theirs)).toEqual([]);
  expect(await it.audited("trunk.created")).toMatchObject([{ actor_kind: "system", detail: { source: "settings" } }]);
});

test.each(["id", "name"])("an entry may name its organisation by its %s", async (by) => {
  await apply({ main: entry({ organisation: by === "id" ? it.theirs : "Theirs" }) });
  expect((await it.trunks.list(it.theirs)).map(({ name }) => name)).toEqual(["main"]);
  expect(await ours()).toEqual([]);
});

test("an organisation that is not here is told, and the other trunks are made", async () => {
  const notes = await apply({ lost: entry({ organisation: "Nowhere" }), main: entry() });
  expect(notes).toEqual([{ trunk: "lost", problem: expect.stringContaining("not on this appliance") }]);
  expect((await ours()).map(({ name }) => name)).toEqual(["main"]);
});

describe("applied again", () => {
  test("without a change, nothing is written, recorded or told to the carrier", async () => {
    const trunks = { main: entry({ username: "ward", secret: SECRET }) };
    await apply(trunks);
    const before = await it.db.reader.selectFrom("trunks").selectAll().execute();
    await it.clock.advance(60_000);
    await apply(trunks);
    expect(await it.db.reader.selectFrom("trunks").selectAll().execute()).toEqual(before);
    expect(await it.audited("trunk.changed")).toEqual([]);
    expect(it.changes()).toBe(1);
  });

  test("with a change, the trunk follows and keeps its id", async () => {
    await apply({ main: entry({ username: "ward", secret: SECRET }) });
    const [before] = await it.trunks.settings();
    await apply({ main: entry({ username: "ward", secret: "another", port: 5070 }) });
    expect(await it.trunks.settings()).toEqual([{ ...before!, secret: "another", port: 5070 }]);
    expect(it.changes()).toBe(2);
    await apply({ main: entry({ port: 5070 }) });
    expect(await it.trunks.settings()).toMatchObject([{ secret: null, username: null }]);
  });

  test("a trunk of the same name that people made follows the configuration from then on", async () => {
    const made = await it.trunks.create(it.ours, { name: "main", host: "old.example" }, CLI_ACTOR);
    await apply({ main: entry() });
    expect(await ours()).toMatchObject([{ trunk_id: made.trunk_id, host: "pbx.example", source: "settings" }]);
  });

  test("without the entry, the trunk is removed; those of people stay", async () => {
    await it.trunks.create(it.ours, { name: "By hand", host: "pbx.example" }, CLI_ACTOR);
    await apply({ main: entry() });
    await apply({});
    expect((await ours()).map(({ name }) => name)).toEqual(["By hand"]);
    expect(await it.audited("trunk.deleted")).toMatchObject([{ actor_kind: "system" }]);
  });

  test("without the entry of a trunk in use, it is switched off until its numbers are moved or the entry is back", async () => {
    await it.agents.addNumber(it.ours, { number: NUMBER }, CLI_ACTOR);
    await apply({ main: entry({ numbers: [NUMBER] }) });
    await apply({});
    await apply({});
    expect(await ours()).toMatchObject([{ name: "main", enabled: false, numbers: [NUMBER] }]);
    const { trunk_id } = (await ours())[0]!;
    expect((await rejectionOf(it.trunks.update(it.ours, trunk_id, { port: 1 }, CLI_ACTOR))).message).toContain(
      "taken out of the configuration",
    );
    expect(await it.trunks.settings()).toEqual([]);
    expect(await it.audited("trunk.disabled")).toHaveLength(1);
    await apply({ main: entry() });
    expect(await ours()).toMatchObject([{ name: "main", enabled: true }]);
    await apply({});
    await it.agents.setTrunk(it.ours, NUMBER, null, CLI_ACTOR);
    await apply({});
    expect(await ours()).toEqual([]);
  });

  test("with a file that cannot be read, the trunk stays as it was, and it is told", async () => {
    await apply({ main: entry({ username: "ward", secret: SECRET }) });
    const broken = entry({ transport: "tls", ca_file: join(tempFolder(), "ca.pem") });
    writeFileSync(broken.ca_file, "no certificate");
    expect(await apply({ main: broken })).toMatchObject([{ trunk: "main" }]);
    expect(await it.trunks.settings()).toMatchObject([{ secret: SECRET, transport: "udp" }]);
  });
});

describe("a trunk of the configuration", () => {
  test("cannot be changed or removed elsewhere, but packets can be captured", async () => {
    await apply({ main: entry() });
    const { trunk_id } = (await ours())[0]!;
    for (const attempt of [
      () => it.trunks.update(it.ours, trunk_id, { port: 1 }, CLI_ACTOR),
      () => it.trunks.remove(it.ours, trunk_id, CLI_ACTOR),
    ]) {
      const refusal = await rejectionOf<AppError>(attempt());
      expect([refusal.code, refusal.message]).toEqual(["CONFLICT", expect.stringContaining("trunks.main")]);
    }
    expect((await it.trunks.setCapture(it.ours, trunk_id, 5, CLI_ACTOR)).capture_until).not.toBeNull();
  });
});

describe("the numbers of an entry", () => {
  test("are put on the trunk once they are registered, and are not made", async () => {
    const trunks = { main: entry({ numbers: [NUMBER] }) };
    expect(await apply(trunks)).toEqual([
      { trunk: "main", problem: expect.stringContaining(`numbers add --number ${NUMBER}`) },
    ]);
    expect(await it.agents.listNumbers(it.ours)).toEqual([]);
    await it.agents.addNumber(it.ours, { number: NUMBER }, CLI_ACTOR);
    expect(await apply(trunks)).toEqual([]);
    const { trunk_id } = (await ours())[0]!;
    expect(await it.agents.listNumbers(it.ours)).toMatchObject([{ number: NUMBER, trunk_id }]);
    await apply(trunks);
    expect(await it.audited("phone_number.trunk_changed")).toHaveLength(1);
  });

  test("of another organisation are left alone", async () => {
    await it.agents.addNumber(it.theirs, { number: NUMBER }, CLI_ACTOR);
    expect(await apply({ main: entry({ numbers: [NUMBER] }) })).toHaveLength(1);
    expect(await it.agents.listNumbers(it.theirs)).toMatchObject([{ trunk_id: null }]);
  });

  test("cannot be moved away while the configuration keeps them there", async () => {
    const environment = { RINGWARD_TRUNKS__MAIN__HOST: "pbx.example", RINGWARD_TRUNKS__MAIN__NUMBERS: NUMBER };
    const other = await applianceWithTrunks({ environment });
    await other.agents.addNumber(other.ours, { number: NUMBER }, CLI_ACTOR);
    await other.trunks.applySettingsTrunks(other.config);
    const refusal = await rejectionOf<AppError>(other.agents.setTrunk(other.ours, NUMBER, null, CLI_ACTOR));
    expect([refusal.code, refusal.message]).toEqual(["CONFLICT", expect.stringContaining("trunks.main.numbers")]);
    await other.trunks.applySettingsTrunks({ trunks: {} });
    await other.close();
  });
});
