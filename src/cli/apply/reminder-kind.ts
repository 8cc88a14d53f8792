// Rules for reminders. A rule has no name: it is known by agent, branch and service, and by its timing where several
// rules share these.
import { RULE_DEFAULTS, type RuleInput, type RuleView } from "../../reminders/model.ts";
import { assertSoundTimes } from "../../reminders/rule-service.ts";
import { CLI_ACTOR } from "../../core/actor.ts";
import { orNull, type Row } from "./file-schema.ts";
import { actionFor, differing, givenOf, picked, type Ground, type Step } from "./ground.ts";
import { paired } from "./pairs.ts";

interface GivenRule {
  row: Row<"reminder_rules">;
  wanted: RuleInput;
  path: string;
}

export async function planReminders(ground: Ground): Promise<Step[]> {
  const given = ground.file.reminder_rules;
  if (!given) return [];
  const { reminderRules } = ground.services;
  const all = await ground.stored((id) => reminderRules.list(id));
  const callers = await ground.stored(async (id) =>
    (await ground.services.agents.list(id)).filter(({ type }) => type === "outbound").map(({ name }) => name),
  );
  for (const agent of ground.file.agents ?? []) if (agent.type !== "inbound") callers.push(agent.name.trim());
  const rules = given.map((row, i): GivenRule => {
    const path = `reminder_rules[${i}]`;
    ground.refer("agents", row.agent, `${path}.agent`);
    if (ground.knowsOf("agents", row.agent) && !callers.includes(row.agent))
      ground.fault(`${path}.agent`, "must be an agent that calls people (outbound).");
    ground.refer("branches", row.branch, `${path}.branch`);
    ground.refer("services", row.service, `${path}.service`);
    return { row, path, wanted: wantedOf(row) };
  });
  const pairs = paired(rules, all, {
    group: [(rule) => groupOf(ground, rule), groupOfStored],
    exact: [({ wanted }) => timingOf({ ...RULE_DEFAULTS, ...wanted }), timingOf],
  });
  ground.assertDistinct(
    "reminder_rules",
    rules.map((rule) => `${groupOf(ground, rule)} ${timingOf({ ...RULE_DEFAULTS, ...rule.wanted })}`),
  );
  const steps = pairs.matched.map(([rule, stored]) => stepOf(ground, rule, stored));
  ground.later(
    ground.rest("reminder_rules", pairs.others, ({ rule_id, agent_name }) => ({
      name: agent_name,
      run: () => reminderRules.remove(ground.org, rule_id, CLI_ACTOR),
    })),
  );
  return steps;
}

function wantedOf({ agent: _agent, branch: _branch, service: _service, ...fields }: Row<"reminder_rules">): RuleInput {
  const isByHours = fields.hours_before !== undefined && fields.days_before === undefined;
  return givenOf({ ...(isByHours && { timing: "hours_before" as const }), ...fields });
}

const timingOf = ({ timing, days_before, hours_before }: Pick<RuleView, "timing" | "days_before" | "hours_before">) =>
  timing === "day_before" ? counted(days_before, "day") : counted(hours_before, "hour");

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;

const groupOf = (ground: Ground, { row }: GivenRule) =>
  JSON.stringify(
    (
      [
        ["agents", row.agent],
        ["branches", row.branch],
        ["services", row.service],
      ] as const
    ).map(([kind, name]) => (orNull(name ?? null) === null ? null : (ground.idOf(kind, name) ?? `new ${name ?? ""}`))),
  );

const groupOfStored = ({ agent_id, branch_id, appointment_type_id }: RuleView) =>
  JSON.stringify([agent_id, branch_id, appointment_type_id]);

function stepOf(ground: Ground, { row, wanted, path }: GivenRule, stored: RuleView | undefined): Step {
  const { reminderRules } = ground.services;
  const fields = stored ? differing(wanted, stored) : [];
  ground.checked(path, () => assertSoundTimes({ placeholders: [], ...RULE_DEFAULTS, ...stored, ...wanted }));
  return {
    kind: "reminder_rules",
    name: `${row.agent}, ${timingOf({ ...RULE_DEFAULTS, ...stored, ...wanted })} before`,
    action: actionFor(stored !== undefined, fields),
    fields,
    run: async () => {
      if (stored) {
        await reminderRules.update(ground.org, stored.rule_id, picked(wanted, fields), CLI_ACTOR);
        return;
      }
      const ids = {
        agent_id: ground.idOf("agents", row.agent) ?? "",
        branch_id: ground.idOf("branches", row.branch),
        appointment_type_id: ground.idOf("services", row.service),
      };
      await reminderRules.create(ground.org, { ...wanted, ...ids }, CLI_ACTOR);
    },
  };
}
