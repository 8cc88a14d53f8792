// Everything in the file of `ringward apply` is checked before the first change, and each fault names its place.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readApplyFile } from "../../../src/cli/apply/read-file.ts";
import { createApplyWorld, HOSPITAL, OWNER, type ApplyWorld } from "./world.ts";

let world: ApplyWorld;
beforeAll(async () => {
  world = await createApplyWorld();
});
afterAll(() => world.close());

const organisation = { name: "St. Mary" };

function messageOf(name: string, text: string): string {
  world.write(name, text);
  try {
    readApplyFile(join(world.folder, name));
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
}

describe("the form of the file", () => {
  test.each<[what: string, text: string, message: string]>([
    [
      "an unknown key",
      '[organisation]\nname = "A"\ncalback_number = "1"',
      "organisation.calback_number: no such key. Did",
    ],
    [
      "an unknown kind",
      '[organisation]\nname = "A"\n[[agent]]\nname = "B"',
      "agent: no such key. Did you mean agents?",
    ],
    ["a key far from all", '[organisation]\nname = "A"\ncolour = 1', "organisation.colour: no such key. Known: name, "],
    [
      "a key in a table of a list",
      '[organisation]\nname="A"\n[[agents]]\nname="B"\npromt="x"',
      "agents[0].promt: no such",
    ],
    ["a key of a prototype", '[organisation]\nname = "A"\n__proto__ = 1', "organisation.__proto__: no such key"],
    ["a missing name", "[organisation]\n", "organisation.name: is required."],
    ["no organisation", "agents = []", "organisation: is required."],
    ["another type", '[organisation]\nname = "A"\nplan = 5', "organisation.plan: must be one of base, professional"],
    [
      "a number out of range",
      '[organisation]\nname="A"\n[[agents]]\nname="B"\nretry_attempts=99',
      "agents[0].retry_attempts",
    ],
    ["no table at all", '"text"', "cannot be read as TOML"],
  ])("%s", (_, text, message) => {
    expect(messageOf("a.toml", text)).toContain(message);
  });

  test("all faults are reported at once", () => {
    const text = '[organisation]\nname = 1\n[[agents]]\nname = "A"\nbranch = 2\n[[branches]]\nid = "x"';
    const message = messageOf("a.toml", text);
    expect(message).toContain("a.toml has 4 faults. Nothing was changed:");
    for (const path of ["organisation.name", "agents[0].branch", "branches[0].id", "branches[0].name"])
      expect(message).toContain(`  - ${path}: `);
  });

  test("JSON is read by its ending", () => {
    expect(messageOf("a.json", JSON.stringify({ organisation }))).toBe("");
    expect(messageOf("a.json", "[]")).toContain("the file: must be a table.");
    expect(messageOf("a.json", '{"organisation": hunter2}')).toContain("cannot be read as JSON");
  });

  test("a secret that breaks the form is not quoted", () => {
    for (const [name, text] of [
      ["a.toml", "secret = hunter2"],
      ["a.json", '{"secret": hunter2}'],
      ["a.toml", '[organisation]\nname="A"\n[owner]\nemail="a@b.example"\npassword=["hunter2"]'],
    ] as const) {
      expect(messageOf(name, text)).not.toBe("");
      expect(messageOf(name, text)).not.toContain("hunter2");
    }
  });

  test("more than 1 MB and other things than files are refused", () => {
    expect(messageOf("a.toml", `# ${"x".repeat(1_000_000)}`)).toContain("it is larger than 1 MB.");
    expect(() => readApplyFile(world.folder)).toThrow("it is not a plain file.");
    expect(() => readApplyFile(join(world.folder, "nothing.toml"))).toThrow("cannot be read");
  });
});

describe("the objects", () => {
  const agents = [{ name: "Reminders" }, { name: "Desk", type: "inbound" }];
  const branches = [{ name: "Main" }];
  test.each<[what: string, content: object, fault: string]>([
    ["no owner", { owner: undefined }, "owner: is required on an empty appliance"],
    ["a short password", { owner: { ...OWNER, password: "short" } }, "owner: password must have 10 to 200 characters."],
    ["no password", { owner: { email: "a@b.example" } }, "owner: needs password_file or password_env"],
    ["two passwords", { owner: { ...OWNER, password_file: "p" } }, "owner: give only one of password, password_file"],
    ["a lost file", { owner: { email: "a@b.example", password_file: "p" } }, "owner.password_file: "],
    [
      "an unset variable",
      { owner: { email: "a@b.example", password_env: "NOT_THERE" } },
      "the variable NOT_THERE is not set",
    ],
    ["a time zone", { organisation: { ...organisation, time_zone: "Mars/Base" } }, "organisation.time_zone: "],
    [
      "a callback number",
      { organisation: { ...organisation, callback_number: "12" } },
      "organisation.callback_number: ",
    ],
    ["two of a name", { agents: [agents[0], agents[0]] }, "agents[1]: is the same object as agents[0]."],
    ["an unknown branch", { agents: [{ name: "A", branch: "Mian" }] }, "agents[0].branch: nothing under branches"],
    ["an agent's own rule", { agents: [{ name: "A", voice: "" }] }, "agents[0]: voice must have 1"],
    [
      "two prompts",
      { agents: [{ name: "A", prompt: "a", prompt_file: "b" }] },
      "agents[0]: give prompt or prompt_file",
    ],
    ["a lost prompt", { agents: [{ name: "A", prompt_file: "lost" }] }, "agents[0].prompt_file: "],
    ["a trunk's own rule", { trunks: [{ name: "A", host: "192.0.2.1", register: true }] }, "trunks[0]: register needs"],
    ["a refused host", { trunks: [{ name: "A", host: "127.0.0.1" }] }, "trunks[0]: this host is not allowed"],
    ["a number", { phone_numbers: [{ number: "+4912345678" }] }, "phone_numbers[0].number: "],
    ["a number's trunk", { phone_numbers: [{ number: "+912212345678", trunk: "x" }] }, "phone_numbers[0].trunk: "],
    [
      "a window's slots",
      { branches, windows: [{ branch: "Main", days: ["monday"], session: "Morning", ai_slots: 3, max_slots: 2 }] },
      "windows[0].ai_slots: must not exceed max_slots.",
    ],
    [
      "a rule's agent",
      { agents, reminder_rules: [{ agent: "Desk" }] },
      "reminder_rules[0].agent: must be an agent that",
    ],
    [
      "a rule's hours",
      { agents, reminder_rules: [{ agent: "Reminders", call_from: "10:00", call_to: "10:30" }] },
      "reminder_rules[0]: ",
    ],
    ["a closure without branches", { closures: [{ from: "2026-12-25" }] }, "closures[0]: there is no branch"],
    ["a date", { branches, closures: [{ from: "2026-02-30" }] }, "closures[0]: from must be a date"],
    [
      "a source's settings",
      { sources: [{ name: "S", kind: "hl7" }] },
      "sources[0].settings: settings.application must",
    ],
    [
      "a source's branch",
      { sources: [{ name: "S", kind: "hl7", settings: { application: "A", default_branch: "Mian" } }] },
      "sources[0].settings.default_branch: nothing under branches",
    ],
    ["a number of a person", { do_not_disturb: { numbers: ["+4912345678"] } }, "do_not_disturb.numbers[0]: "],
    [
      "an address",
      { webhook_endpoints: [{ url: "http://a.example", secret_file: "s" }] },
      "webhook_endpoints[0].url: ",
    ],
    ["no file", { webhook_endpoints: [{ url: "https://a.example" }] }, "webhook_endpoints[0].secret_file: is required"],
    [
      "one file for two",
      { api_keys: ["a", "b"].map((name) => ({ name, scopes: "all", key_file: "k" })) },
      "api_keys[1].key_file: another entry names this file.",
    ],
    [
      "a scope",
      { api_keys: [{ name: "a", scopes: ["calls"], key_file: "k" }] },
      "api_keys[0].scopes: calls is no scope.",
    ],
    ["a lost folder", { api_keys: [{ name: "a", scopes: "all", key_file: "x/k" }] }, "api_keys[0].key_file: cannot be"],
    [
      "more than the plan allows",
      { api_keys: [1, 2, 3, 4, 5, 6].map((i) => ({ name: `k${i}`, scopes: "all", key_file: `k${i}` })) },
      "api_keys: the base plan allows 5, and there would be 6.",
    ],
    ["an unknown rule", { rules: [{ rule_id: "no", value: 1 }] }, "rules[0].rule_id: There is no such rule."],
    ["a looser rule", { rules: [{ rule_id: "in-per-day", value: 9 }] }, "rules[0].reason: is required, because"],
    ["a rule's value", { rules: [{ rule_id: "in-hours", value: "9 to 5" }] }, "rules[0].value: Hours are written as"],
  ])("%s", async (_, content, fault) => {
    const faults = await world.faults({ organisation, owner: OWNER, ...content });
    expect(faults).toContainEqual(expect.stringContaining(fault));
  });

  test("of a whole hospital have no fault", async () => {
    expect(await world.faults(HOSPITAL)).toEqual([]);
  });

  test("a password that cannot be read is one fault", async () => {
    const owner = { email: "a@b.example", password_env: "NOT_THERE" };
    expect(await world.faults({ organisation, owner })).toHaveLength(1);
  });

  test("numbers of people are never quoted", async () => {
    world.write("numbers", "# a comment\n+912212340001\n+49 bad 777\n");
    const faults = await world.faults({ organisation, owner: OWNER, do_not_disturb: { file: "numbers" } });
    expect(faults).toEqual([expect.stringContaining("do_not_disturb.file: line 3: ")]);
    expect(faults.join("")).not.toContain("777");
  });
});
