// An empty appliance without a server, the folder of a file, and what `ringward apply` plans and does there.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { KINDS, type Kind } from "../../../src/cli/apply/file-schema.ts";
import { Ground } from "../../../src/cli/apply/ground.ts";
import { applyPlan, makePlan, openSteps, pruneOf, type Plan } from "../../../src/cli/apply/plan.ts";
import { readApplyFile } from "../../../src/cli/apply/read-file.ts";
import { createServices } from "../../../src/compose/services.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { openTempDatabase } from "../../support/temp.ts";

export async function createApplyWorld() {
  const { db, dataDir } = await openTempDatabase();
  const clock = createManualClock();
  const config = loadConfig({ environment: { RINGWARD_DATA__DIR: dataDir, RINGWARD_HL7__ALLOW: "10.20.0.5" } });
  const rootKey = new Uint8Array(32).fill(7);
  const services = createServices({ config, db, clock, logger: silentLogger, rootKey });
  const folder = join(dataDir, "file");
  mkdirSync(folder);

  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

  /** Objects and texts become a file; a text is TOML. */
  function groundOf(content: unknown, prune?: string): Ground {
    const name = typeof content === "string" ? "hospital.toml" : "hospital.json";
    write(name, typeof content === "string" ? content : JSON.stringify(content));
    const file = readApplyFile(join(folder, name));
    const kinds = pruneOf(prune, (kind) => file[kind] !== undefined);
    return new Ground({ services, db, config, clock, file, folder, prune: kinds });
  }

  const plan = (content: unknown, options: { prune?: string; org?: string } = {}): Promise<Plan> =>
    makePlan(groundOf(content, options.prune), options.org);

  async function apply(content: unknown, options: { prune?: string; org?: string } = {}): Promise<string[]> {
    const made = await plan(content, options);
    if (made.faults.length > 0) throw new Error(made.faults.join("\n"));
    const lines: string[] = [];
    await applyPlan(made, (line) => void lines.push(line));
    return lines;
  }

  return {
    db,
    clock,
    config,
    services,
    folder,
    write,
    plan,
    apply,
    /** `change agents Reminders: greeting`, of the steps that change something. */
    open: async (content: unknown, options: { prune?: string; org?: string } = {}) =>
      wordsOf(await plan(content, options)),
    faults: async (content: unknown) => (await plan(content)).faults,
    organisationId: async () => (await services.organisations.list())[0]?.id ?? "",
    close: () => db.close(),
  };
}

export type ApplyWorld = Awaited<ReturnType<typeof createApplyWorld>>;

export const wordsOf = (plan: Plan): string[] =>
  openSteps(plan).map(
    ({ action, kind, name, fields }) => `${action} ${kind} ${name}${fields.length > 0 ? `: ${fields.join(", ")}` : ""}`,
  );

const order = (kind: Kind) => KINDS.indexOf(kind);
export const isInOrder = ({ steps }: Plan): boolean =>
  steps.every(({ kind }, i) => order(kind) >= order(steps[i - 1]?.kind ?? "organisation"));

export const OWNER = { email: "owner@hospital.example", name: "Asha Rao", password: "correct horse battery" };

export const HOSPITAL = {
  organisation: { name: "St. Mary", time_zone: "Asia/Kolkata", callback_number: "+912212345678", plan: "professional" },
  owner: OWNER,
  rules: [{ rule_id: "in-per-day", value: 1 }],
  do_not_disturb: { numbers: ["+912212340001", "+912212340002"] },
  branches: [{ name: "Main" }, { name: "North", time_zone: "Asia/Kolkata" }],
  services: [{ name: "Cardiology" }],
  trunks: [{ name: "exchange", host: "192.0.2.10", username: "ringward", secret: "opened-by-no-one" }],
  agents: [
    {
      name: "Reminders",
      greeting: "Your visit is on {{visit}}.",
      prompt: "You remind people.",
      branch: "Main",
      service: "Cardiology",
      calling_hours: { start: "09:00", end: "19:00", days: [1, 2, 3] },
      analysis_fields: [{ name: "pain_score", type: "number" }],
      approved_answers: [{ question: "Where do I park?", answer: "Behind the house." }],
    },
    { name: "Desk", type: "inbound", transfer_to: "201" },
  ],
  phone_numbers: [
    { number: "+912212345678", agent: "Reminders", trunk: "exchange", lines: 4 },
    { number: "+912212345679", agent: "Desk" },
  ],
  windows: [
    {
      branch: "Main",
      service: "Cardiology",
      days: ["monday", "friday"],
      session: "Morning",
      ai_slots: 4,
      max_slots: 9,
    },
    { branch: "North", days: ["monday"], session: "Evening", ai_slots: 2 },
  ],
  reminder_rules: [{ agent: "Reminders", branch: "Main", days_before: 2 }],
  closures: [{ name: "Christmas", from: "2026-12-25" }],
  sources: [
    {
      name: "Scheduler",
      kind: "hl7",
      settings: {
        application: "HIS",
        branches: [{ code: "CARD", branch: "Main" }],
        services: [{ code: "ECHO", service: "Cardiology" }],
        default_branch: "North",
        tell: { as: "srm", address: "mllp://10.20.0.5:2576" },
      },
    },
  ],
  webhook_endpoints: [{ url: "https://his.hospital.example/a", event_types: ["call.completed"], secret_file: "hook" }],
  api_keys: [{ name: "scheduler", scopes: ["calls:create", "calls:read"], key_file: "key" }],
};
