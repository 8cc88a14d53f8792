// Campaigns and reminder rules on the command line, as an administrator types them.
import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CampaignView, CreatedCampaign } from "../../src/campaigns/model.ts";
import type { RuleView } from "../../src/reminders/model.ts";
import { appliance, jsonOf, on } from "../support/appliance.ts";
import { leaveNothingBehind } from "../support/binary.ts";
import { sheetOf, workbookOf } from "../support/workbook.ts";

leaveNothingBehind();

const BRANCH = "11111111-1111-4111-8111-111111111111";
const ROWS = [
  ["Patient", "Mobile", "Doctor"],
  ["Asha", "98100 11111", "Rao"],
  ["Bala", "12", "Rao"],
  ["Chitra", "9810022222", "Sen"],
];

let dataDir: string;
let agent: string;
beforeAll(async () => {
  dataDir = await appliance();
  const words = ["--greeting", "Namaste {{user_name}}, {{doctor}} waits.", "--prompt", "Remind."];
  const made = await jsonOf(dataDir, "agents", "create", "--name", "Asha", "--type", "outbound", ...words);
  agent = (made as { agent_id: string }).agent_id;
  await on(dataDir, "numbers", "add", "--number", "+912212345678", "--agent", agent);
  await on(dataDir, "branches", "set", BRANCH, "--name", "City");
});

const path = (name: string) => join(dataDir, "..", name);
const csv = (name: string, rows: readonly (readonly string[])[] = ROWS) => {
  writeFileSync(path(name), rows.map((cells) => cells.join(",")).join("\n"));
  return path(name);
};
const create = (list: string, ...more: string[]) =>
  ["campaigns", "create", list, "--name", "Check-ups", "--agent", agent].concat(more);
const campaigns = async () => (await jsonOf(dataDir, "campaigns", "list")) as CampaignView[];

describe("campaigns", () => {
  test("a dry run lists who would be called, who would not and why, and creates nothing", async () => {
    const faulty = path("faulty.csv");
    const said = await on(dataDir, ...create(csv("people.csv")), "--dry-run", "--faulty-to", faulty);
    expect(said).toMatchObject({ code: 0, stderr: expect.stringContaining("Row 3: The number has too few") });
    expect(said.stdout).toContain("Columns    number=Mobile, name=Patient, doctor=Doctor");
    expect(said.stdout).toContain("Called     2 of 3");
    expect(said.stdout).toContain("Namaste Asha, Rao waits.");
    expect(readFileSync(faulty, "utf8")).toContain("Bala,12,Rao,3,The number has too few");
    expect(statSync(faulty).mode & 0o777).toBe(0o600);
    expect(await jsonOf(dataDir, ...create(csv("people.csv")), "--dry-run")).toMatchObject({
      dry_run: true,
      accepted: 2,
      refused: [{ row: 3, field: "incomplete" }],
      columns: { number: "Mobile", name: "Patient", doctor: "Doctor" },
    });
    expect(await campaigns()).toEqual([]);
  });

  test("two concurrent imports of the same file create one campaign", async () => {
    const answers = await Promise.all([1, 2].map(() => on(dataDir, ...create(csv("same.csv")))));
    expect(answers.map(({ code }) => code === 0).filter(Boolean)).toEqual([true]);
    expect(answers.find(({ code }) => code === 1)?.stderr).toContain("This very list is being called already");
    expect(await campaigns()).toMatchObject([{ name: "Check-ups", state: "ready", rows: 2 }]);
  });

  test("is shown, paused, resumed and stopped, and its results are exported to a file", async () => {
    const [{ campaign_id: id } = { campaign_id: "" }] = await campaigns();
    const shown = await on(dataDir, "campaigns", "show", id);
    expect(shown.stdout).toContain("State      ready");
    expect(shown.stdout).toContain("Waiting    2");
    expect((await on(dataDir, "campaigns", "pause", id)).stdout).toContain("is paused; 2 wait");
    expect(await jsonOf(dataDir, "campaigns", "resume", id)).toMatchObject({ state: "ready" });
    expect(await on(dataDir, "campaigns", "retry", id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Nobody on the list has to be called again."),
    });
    expect((await on(dataDir, "campaigns", "retry", id, "--outcomes", "luck")).stderr).toContain("outcomes must be");
    expect((await on(dataDir, "campaigns", "stop", id)).stdout).toContain("is stopped; 0 wait");
    expect(await on(dataDir, "campaigns", "resume", id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("stopped"),
    });
    const results = await on(dataDir, "campaigns", "results", id);
    expect(results.stdout.split("\r\n").slice(0, 3)).toEqual([
      "row,number,name,state,outcome,calls,call_id,completed_at,seconds,disposition,summary,details,identifiers",
      "2,+919810011111,Asha,cancelled,cancelled,0,,,,,,,",
      "4,+919810022222,Chitra,cancelled,cancelled,0,,,,,,,",
    ]);
    expect(await on(dataDir, "campaigns", "results", id, "--to", path("results.csv"))).toMatchObject({ code: 0 });
    expect(readFileSync(path("results.csv"), "utf8")).toBe(results.stdout);
  });

  test("columns can be mapped, and a workbook is read like a CSV; the list of a stopped campaign can be imported again", async () => {
    writeFileSync(path("people.xlsx"), workbookOf(sheetOf(ROWS)));
    const made = (await jsonOf(
      dataDir,
      ...create(path("people.xlsx"), "--columns", "name=none,doctor=Patient,number=B", "--calls-per-minute", "5"),
      "--retry",
      '{"busy":{"attempts":1,"minutes":5}}',
    )) as CreatedCampaign;
    expect(made).toMatchObject({ accepted: 2, refused: [{ row: 3 }] });
    expect(await jsonOf(dataDir, "campaigns", "show", made.campaign_id)).toMatchObject({
      calls_per_minute: 5,
      retry: { busy: { attempts: 1, minutes: 5 } },
    });
    expect((await on(dataDir, "campaigns", "results", made.campaign_id)).stdout).toContain("+919810011111,,waiting");
    expect(await on(dataDir, ...create(csv("same.csv")))).toMatchObject({ code: 0 });
  });

  test("errors are reported before anything is created", async () => {
    const before = (await campaigns()).length;
    const refused = async (...words: string[]) => (await on(dataDir, ...words)).stderr;
    expect(await refused(...create(path("nowhere.csv")))).toContain("cannot be read");
    expect(await refused(...create(csv("none.csv", [["Mobile"], ["12"]])))).toContain("No one on this list");
    expect(await refused(...create(csv("people.csv"), "--columns", "number=Z"))).toContain("no column Z");
    expect(await refused(...create(csv("people.csv"), "--retry", '{"busy":1}'))).toContain("retry.busy");
    expect((await campaigns()).length).toBe(before);
  });
});

describe("reminder rules", () => {
  const rules = async () => (await jsonOf(dataDir, "reminders", "list")) as RuleView[];

  test("are tried, added, changed, listed and removed", async () => {
    const add = ["reminders", "add", "--agent", agent, "--branch", BRANCH, "--at", "11:00"];
    expect((await on(dataDir, ...add, "--dry-run")).stdout).toContain("Tomorrow 0 would be called");
    expect(await rules()).toEqual([]);
    const made = (await jsonOf(dataDir, ...add, "--placeholders", "doctor=service,fee=text:200 rupees")) as RuleView;
    expect(made).toMatchObject({
      branch_id: BRANCH,
      timing: "day_before",
      at: "11:00",
      tries: 3,
      skip_confirmed: true,
      placeholders: [
        { placeholder: "doctor", source: "service" },
        { placeholder: "fee", source: "text", text: "200 rupees" },
      ],
    });
    const change = ["reminders", "change", made.rule_id, "--branch", "all", "--hours-before", "5", "--enabled", "no"];
    expect(await on(dataDir, ...change, "--confirmed-too", "yes")).toMatchObject({ code: 0 });
    expect(await rules()).toMatchObject([
      { branch_id: null, timing: "hours_before", hours_before: 5, enabled: false, skip_confirmed: false, tries: 3 },
    ]);
    expect((await on(dataDir, "reminders", "list")).stdout).toContain("5 hours before");
    expect(await on(dataDir, "reminders", "remove", made.rule_id)).toMatchObject({ code: 0 });
    expect(await on(dataDir, "reminders", "remove", made.rule_id)).toMatchObject({ code: 1 });
    expect((await on(dataDir, "reminders", "list")).stdout).toBe("None.\n");
  });

  test("errors in a rule are reported", async () => {
    const refused = (...words: string[]) => on(dataDir, "reminders", "add", "--agent", agent, ...words);
    expect(await refused("--at", "7:00")).toMatchObject({ code: 1, stderr: expect.stringContaining("HH:MM") });
    expect(await refused("--at", "11:00", "--hours-before", "2")).toMatchObject({ code: 2 });
    expect(await refused("--placeholders", "doctor=stars")).toMatchObject({ code: 2 });
    expect(await on(dataDir, "reminders", "change", "rmr_none")).toMatchObject({ code: 2 });
  });
});
