// Agents, with the branch and service that they book by name.
import { AGENT_DEFAULTS } from "../../agents/agent-defaults.ts";
import { checkedAgent, type AgentInput } from "../../agents/checked-agent.ts";
import { checkedPurposeReason, leavesPromotional } from "../../agents/purpose-change.ts";
import { assertMayTransferTo } from "../../agents/transfer-target.ts";
import type { AgentView } from "../../agents/views.ts";
import { CLI_ACTOR } from "../../core/actor.ts";
import { orNull, type Row } from "./file-schema.ts";
import { actionFor, differing, givenOf, picked, type Ground, type Step } from "./ground.ts";
import { textOf } from "./secret-files.ts";

export async function planAgents(ground: Ground): Promise<Step[]> {
  const { agents } = ground.services;
  const all = await ground.stored((id) => agents.list(id));
  for (const { name, agent_id } of all) ground.knows("agents", name, agent_id);
  const given = ground.file.agents;
  if (!given) return [];
  ground.assertDistinct(
    "agents",
    given.map(({ name }) => name.trim()),
  );
  const matched = new Set<AgentView>();
  const steps = given.map((row, i) => {
    const stored = ground.only(
      `agents[${i}]`,
      all.filter(({ name }) => name === row.name.trim()),
    );
    if (stored) matched.add(stored);
    return stepOf(ground, `agents[${i}]`, row, stored);
  });
  ground.later(
    ground.rest(
      "agents",
      all.filter((each) => !matched.has(each)),
      ({ name, agent_id }) => ({ name, run: async () => void (await agents.archive(ground.org, agent_id, CLI_ACTOR)) }),
    ),
  );
  return steps;
}

function stepOf(ground: Ground, path: string, row: Row<"agents">, stored: AgentView | undefined): Step {
  const { agents } = ground.services;
  const name = row.name.trim();
  const present = stored ?? { ...AGENT_DEFAULTS, name };
  const wanted = inputOf(ground, path, row);
  const checked = ground.checked(path, () => {
    const all = checkedAgent({ ...present, ...wanted });
    assertMayTransferTo(all.transfer_to, ground.config.calls.allowed_ranges);
    return all;
  });
  if (stored && checked && leavesPromotional(stored.purpose, checked.purpose))
    ground.checked(path, () => checkedPurposeReason(row.purpose_reason));
  const fields = checked === null ? [] : differing(picked(checked, Object.keys(wanted)), present);
  for (const [kind, key, field] of REFERENCES) {
    ground.refer(kind, row[key], `${path}.${key}`);
    if (stored && isNew(ground, kind, row[key]) && !fields.includes(field)) fields.push(field);
  }
  ground.knows("agents", name, stored?.agent_id ?? null);
  return {
    kind: "agents",
    name,
    action: actionFor(stored !== undefined, fields),
    fields: stored ? fields : [],
    run: async () => {
      // References may be to objects of this run, which exist only now.
      const input = { ...wanted, ...referencesOf(ground, row) };
      const made = stored
        ? await agents.update(ground.org, stored.agent_id, { ...picked(input, fields), ...reasonOf(row) }, CLI_ACTOR)
        : await agents.create(ground.org, input, CLI_ACTOR);
      ground.knows("agents", name, made.agent_id);
    },
  };
}

const reasonOf = ({ purpose_reason }: Row<"agents">) => givenOf({ purpose_reason });

const REFERENCES = [
  ["branches", "branch", "branch_id"],
  ["services", "service", "appointment_type_id"],
] as const;

const isNew = (ground: Ground, kind: "branches" | "services", name: string | null | undefined) =>
  name !== undefined && orNull(name) !== null && ground.idOf(kind, name) === null;

const referencesOf = (ground: Ground, { branch, service }: Row<"agents">) =>
  givenOf({
    branch_id: branch === undefined ? undefined : ground.idOf("branches", branch),
    appointment_type_id: service === undefined ? undefined : ground.idOf("services", service),
  });

const NULLABLE = [
  "calling_hours",
  "transfer_to",
  "recording_mode",
  "asks_consent_for",
  "dlt_entity_id",
  "dlt_template_id",
  "latest_minutes",
] as const;

function inputOf(ground: Ground, path: string, row: Row<"agents">): Partial<AgentInput> {
  const {
    branch: _branch,
    service: _service,
    purpose_reason: _reason,
    prompt_file,
    analysis_fields,
    approved_answers,
    ...plain
  } = row;
  const nullable = NULLABLE.map((key) => [key, row[key] === undefined ? undefined : orNull(row[key])] as const);
  if (prompt_file !== undefined && row.prompt !== undefined)
    ground.fault(path, "give prompt or prompt_file, not both.");
  const prompt =
    prompt_file === undefined
      ? row.prompt
      : (ground.checked(`${path}.prompt_file`, () => textOf(ground, prompt_file)) ?? undefined);
  return givenOf({
    ...plain,
    ...Object.fromEntries(nullable),
    name: row.name.trim(),
    prompt,
    analysis_fields: analysis_fields?.map((field) => ({ description: "", choices: [], ...field })),
    approved_answers: approved_answers?.map((answer) => ({ language: "", ...answer })),
    ...referencesOf(ground, row),
  }) as Partial<AgentInput>;
}
