// The plan of `ringward apply`: what it creates, changes, leaves and removes.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { applyPlan } from "../../../src/cli/apply/plan.ts";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { runsOf } from "../../support/engines.ts";
import { createApplyWorld, HOSPITAL, isInOrder, OWNER, wordsOf, type ApplyWorld } from "./world.ts";

let world: ApplyWorld;
beforeEach(async () => {
  world = await createApplyWorld();
});
afterEach(() => world.close());

const read = (name: string) => readFileSync(join(world.folder, name), "utf8");

test("an empty appliance gets everything, and the second plan is empty", async () => {
  const plan = await world.plan(HOSPITAL);
  expect(plan.faults).toEqual([]);
  expect(isInOrder(plan)).toBeTrue();
  expect(wordsOf(plan).every((line) => line.startsWith("create "))).toBeTrue();
  expect(await world.services.organisations.list()).toEqual([]);
  await world.apply(HOSPITAL);
  expect(await world.open(HOSPITAL)).toEqual([]);

  const org = await world.organisationId();
  const { services } = world;
  expect(await services.organisations.get(org)).toMatchObject({ plan: "professional", unlimited_credits: true });
  const [reminders] = (await services.agents.list(org)).filter(({ name }) => name === "Reminders");
  const branch = (await services.directory.branches(org)).find(({ name }) => name === "Main");
  expect(reminders).toMatchObject({ branch_id: branch!.id, prompt: "You remind people." });
  const [trunk] = await services.trunks.list(org);
  expect(trunk).toMatchObject({ name: "exchange", has_secret: true, numbers: ["+912212345678"] });
  expect(await services.windows.list(org, undefined)).toHaveLength(3);
  expect((await services.closures.list(org))[0]?.branch_ids).toHaveLength(2);
});

test("secrets go to files that only their owner can read, once", async () => {
  await world.apply(HOSPITAL);
  expect(read("key")).toMatch(/^rw_live_\S+\n$/);
  expect(read("hook")).toMatch(/^whsec_\S+\n$/);
  for (const name of ["key", "hook"]) expect(statSync(join(world.folder, name)).mode & 0o777).toBe(0o600);
  const before = [read("key"), read("hook")];
  await world.apply(HOSPITAL);
  expect([read("key"), read("hook")]).toEqual(before);
  expect(await world.services.keys.authenticate(before[0]!.trim())).toMatchObject({
    organisationId: await world.organisationId(),
  });
});

test("no value of a field is in the plan, nor a secret in a line", async () => {
  const secrets = ["opened-by-no-one", OWNER.password, OWNER.email, "+912212340001"];
  const plan = JSON.stringify((await world.plan(HOSPITAL)).steps);
  const lines = (await world.apply(HOSPITAL)).join("\n");
  for (const secret of secrets) expect(plan + lines).not.toContain(secret);
  expect((await world.plan(HOSPITAL)).warnings).toEqual([
    "trunks[0].secret is a secret in the file itself. Use secret_file or secret_env.",
  ]);
});

test("every change is in the audit trail as the command line's", async () => {
  await world.apply(HOSPITAL);
  const rows = await world.db.reader.selectFrom("audit_entries").select(["action", "actor_kind"]).execute();
  expect(new Set(rows.map(({ actor_kind }) => actor_kind))).toEqual(new Set(["cli"]));
  expect(rows.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["agent.created", "trunk.created", "api_key.created", "window.created", "rule.tightened"]),
  );
});

describe("a change of the file", () => {
  const changed = {
    ...HOSPITAL,
    organisation: { ...HOSPITAL.organisation, callback_number: "none", recording_mode: "ask" },
    rules: [{ rule_id: "in-per-day", value: 3 }],
    do_not_disturb: { numbers: ["+912212340003"] },
    trunks: [{ ...HOSPITAL.trunks[0]!, secret: "another", concurrent_calls: 20 }],
    agents: [
      { name: "Reminders", greeting: "Namaste.", service: "none", calling_hours: "none" },
      { name: "Desk", branch: "New wing" },
    ],
    branches: [...HOSPITAL.branches, { name: "New wing" }],
    phone_numbers: [{ number: "+912212345678", trunk: "none", agent: "Desk", lines: 5 }],
    windows: [{ ...HOSPITAL.windows[0]!, start_time: "09:30", ai_slots: 5 }],
    reminder_rules: [{ agent: "Reminders", branch: "Main", hours_before: 3 }],
    sources: [
      { name: "Scheduler", kind: "hl7", enabled: false, settings: { application: "HIS", default_branch: "New wing" } },
    ],
    webhook_endpoints: [{ ...HOSPITAL.webhook_endpoints[0]!, event_types: "all" }],
  };

  test("changes the fields that differ and nothing else", async () => {
    await world.apply(HOSPITAL);
    expect(await world.open(changed)).toEqual([
      "change organisation St. Mary: callback_number, recording_mode",
      "change rules in-per-day: value",
      "create do_not_disturb 1 numbers",
      "create branches New wing",
      "change trunks exchange: concurrent_calls, secret",
      "change agents Reminders: greeting, calling_hours, appointment_type_id",
      "change agents Desk: branch_id",
      "change phone_numbers +912212345678: agent, trunk, lines",
      "change windows Main, monday Morning 09:30: start_time, ai_slots",
      "change windows Main, friday Morning 09:30: start_time, ai_slots",
      "change reminder_rules Reminders, 3 hours before: timing, hours_before",
      "create closures Christmas",
      "change sources Scheduler: settings, enabled",
      "change webhook_endpoints https://his.hospital.example/a: event_types",
    ]);
    await world.apply(changed);
    expect(await world.open(changed)).toEqual([]);
    const org = await world.organisationId();
    expect(await world.services.reminderRules.list(org)).toHaveLength(1);
    expect(await world.services.agents.listNumbers(org)).toHaveLength(2);
    expect((await world.services.ruleChanges.changesOf(org)).values.size).toBe(0);
    const [settings] = await world.services.trunks.settings(() => true);
    expect(settings).toMatchObject({ secret: "another" });
  });

  test("is told apart from objects that the file does not name", async () => {
    await world.apply(HOSPITAL);
    const { left } = await world.plan({ organisation: { name: "St. Mary" }, agents: [{ name: "Desk" }] });
    expect([...left]).toEqual([["agents", 1]]);
  });
});

test("a promotional agent gets another purpose only with a reason", async () => {
  const file = (agent: object) => ({
    organisation: { name: "St. Mary" },
    owner: OWNER,
    agents: [{ name: "Offers", ...agent }],
  });
  await world.apply(file({ purpose: "promotional" }));
  expect(await world.faults(file({ purpose: "service" }))).toEqual([
    expect.stringContaining("purpose_reason of 10 to 500 characters"),
  ]);
  const told = file({ purpose: "service", purpose_reason: "It only reminds of visits now." });
  await world.apply(told);
  expect(await world.open(told)).toEqual([]);
  const [agent] = await world.services.agents.list(await world.organisationId());
  expect(agent?.purpose).toBe("service");
});

describe("pruning", () => {
  const KINDS = "agents,phone_numbers,windows,reminder_rules,closures,sources,do_not_disturb,trunks,branches,rules";
  const bare = {
    organisation: { name: "St. Mary" },
    rules: [],
    do_not_disturb: {},
    branches: [],
    trunks: [],
    agents: [],
    phone_numbers: [],
    windows: [],
    reminder_rules: [],
    closures: [],
    sources: [],
    webhook_endpoints: [],
    api_keys: [],
  };

  test("removes the named kinds, dependants first, and nothing twice", async () => {
    await world.apply(HOSPITAL);
    const prune = `${KINDS},api_keys,webhook_endpoints`;
    const words = await world.open(bare, { prune });
    expect(words).toHaveLength(17);
    expect(words.every((line) => line.startsWith("remove "))).toBeTrue();
    await world.apply(bare, { prune });
    expect(await world.open(bare, { prune })).toEqual([]);
    const org = await world.organisationId();
    expect(await world.services.agents.list(org)).toEqual([]);
    expect(await world.services.trunks.list(org)).toEqual([]);
    expect(await world.services.directory.services(org)).toHaveLength(1);
  });

  test("without it nothing is removed", async () => {
    await world.apply(HOSPITAL);
    expect(await world.open(bare)).toEqual([]);
  });

  test("of a kind that the file does not hold is refused", () => {
    const file = { organisation: { name: "St. Mary" } };
    expect(() => world.open(file, { prune: "agents" })).toThrow("the file does not hold agents");
    expect(() => world.open(file, { prune: "agent" })).toThrow("agent is none of");
    expect(() => world.open(file, { prune: "services" })).toThrow("services is none of");
  });
});

describe("a run that was interrupted", () => {
  test("after any step is finished by the next run", async () => {
    const { steps } = await world.plan(HOSPITAL);
    const each = Math.ceil(steps.length / runsOf(steps.length));
    for (let stop = 1; stop <= steps.length; stop += each) {
      const fresh = await createApplyWorld();
      const plan = await fresh.plan(HOSPITAL);
      for (const step of plan.steps.slice(0, stop)) await step.run();
      await fresh.apply(HOSPITAL);
      expect(await fresh.open(HOSPITAL)).toEqual([]);
      const org = await fresh.organisationId();
      const counts = [
        fresh.services.agents.list(org),
        fresh.services.keys.list(org),
        fresh.services.closures.list(org),
      ];
      expect((await Promise.all(counts)).map(({ length }) => length)).toEqual([2, 1, 1]);
      await fresh.close();
    }
  }, 180_000);

  test("before the secret was written replaces it", async () => {
    await world.apply(HOSPITAL);
    const old = read("key").trim();
    // As the run leaves them between the database and the file.
    const reserved = "Reserved by ringward apply. The secret follows; if it does not, run the same command again.\n";
    world.write("key", reserved);
    world.write("hook", reserved);
    expect(await world.open(HOSPITAL)).toEqual([
      "change webhook_endpoints https://his.hospital.example/a: secret",
      "change api_keys scheduler: key",
    ]);
    await world.apply(HOSPITAL);
    expect(await world.open(HOSPITAL)).toEqual([]);
    expect(await world.services.keys.authenticate(old)).toBeNull();
    expect(await world.services.keys.authenticate(read("key").trim())).not.toBeNull();
    expect(read("hook")).toMatch(/^whsec_/);
  });

  test("by a failure names the object and how far it came", async () => {
    const plan = await world.plan(HOSPITAL);
    await world.services.setup.createFirst({ ...OWNER, organisation: "Someone else", timeZone: "UTC" }, CLI_ACTOR);
    await expect(applyPlan(plan, () => {})).rejects.toThrow(
      /^organisation "St. Mary": .* 0 of \d+ steps are done; run/,
    );
  });
});

describe("a key or secret", () => {
  test("that the operator took away stays as it is", async () => {
    await world.apply(HOSPITAL);
    unlinkSync(join(world.folder, "key"));
    unlinkSync(join(world.folder, "hook"));
    expect(await world.open(HOSPITAL)).toEqual([]);
    expect(existsSync(join(world.folder, "key"))).toBeFalse();
  });

  test("that was revoked does not come back", async () => {
    await world.apply(HOSPITAL);
    const org = await world.organisationId();
    const [key] = await world.services.keys.list(org);
    await world.services.keys.revoke(org, key!.key_id, CLI_ACTOR);
    expect(await world.open(HOSPITAL)).toEqual([]);
  });

  test("never replaces a file that is there", async () => {
    world.write("key", "somebody's notes");
    expect(await world.faults(HOSPITAL)).toEqual([
      "api_keys[0].key_file: exists already. Name another file, or move this one away.",
    ]);
  });
});

test("a second organisation has its own objects", async () => {
  await world.apply(HOSPITAL);
  const other = { organisation: { name: "St. Elsewhere" }, agents: [{ name: "Reminders" }] };
  expect(await world.open(other)).toEqual(["create organisation St. Elsewhere", "create agents Reminders"]);
  expect(await world.faults({ ...other, phone_numbers: [{ number: "+912212345678" }] })).toEqual([
    "phone_numbers[0].number: another organisation of this appliance has registered this number.",
  ]);
  await world.apply(other);
  expect(await world.open(other)).toEqual([]);
  expect(await world.open(HOSPITAL)).toEqual([]);
});

test("--org renames", async () => {
  await world.apply(HOSPITAL);
  const renamed = { ...HOSPITAL, organisation: { ...HOSPITAL.organisation, name: "St. Mary's" } };
  const org = await world.organisationId();
  expect(await world.open(renamed, { org })).toEqual(["change organisation St. Mary's: name"]);
});
