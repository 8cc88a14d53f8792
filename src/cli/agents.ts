// ringward agents create | list | update, and the phone numbers of agents.
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { AnalysisFieldSchema, FIELD_TYPES, type AnalysisField } from "../payloads/analysis-field.ts";
import { ApprovedAnswerSchema, type ApprovedAnswer } from "../payloads/approved-answer.ts";
import { libraryLanguage, startingPoint } from "../agents/library/library.ts";
import { CLI_ACTOR } from "../core/actor.ts";
import { RETRY_OUTCOMES, type AgentInput } from "../agents/checked-agent.ts";
import { UsageError, type Arguments, type Command, type Option } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { jsonValue, wholeNumber, yesOrNo } from "./option-values.ts";
import { print, printJson, printTable } from "./output.ts";

const FieldsFile = Type.Array(AnalysisFieldSchema);
const AnswersFile = Type.Array(ApprovedAnswerSchema);

const AGENT_OPTIONS: Readonly<Record<string, Option>> = {
  type: { type: "string", value: "TYPE", help: "outbound or inbound." },
  name: { type: "string", value: "NAME", help: "Name of the agent." },
  language: { type: "string", value: "TAG", help: "Language tag, e.g. en-IN or hi." },
  voice: {
    type: "string",
    value: "NAME",
    help: "heart, michael, emma or alpha; in Hindi alpha, beta, omega or psi. Others mean the first.",
  },
  prompt: { type: "string", value: "TEXT", help: "Instructions; {{key}} inserts a value of additional_info." },
  "prompt-file": { type: "string", value: "FILE", help: "Read the prompt from a file." },
  greeting: { type: "string", value: "TEXT", help: "What it says first." },
  "retry-attempts": { type: "string", value: "N", help: "Number of retries after a failed call." },
  "retry-minutes": { type: "string", value: "N", help: "Minutes between retries." },
  "retry-outcomes": { type: "string", value: "LIST", help: `Comma-separated: ${RETRY_OUTCOMES.join(", ")}.` },
  "calling-hours": {
    type: "string",
    value: "JSON",
    help: '{"start":"09:00","end":"20:00","days":[1,2,3,4,5]} in the callee\'s time, or "off". New: 9:00 to 20:00, every day.',
  },
  branch: { type: "string", value: "UUID", help: "The branch it books appointments for." },
  service: { type: "string", value: "UUID", help: "The service (appointment type) it books." },
  "transfer-to": {
    type: "string",
    value: "TARGET",
    help: 'Where callers who want a person are sent on to: an extension, +91… or sip:100@pbx.example, or "none".',
  },
  "fields-file": {
    type: "string",
    value: "FILE",
    help: 'What to find out in each call, as JSON: [{"name":"pain_score","type":"number","description":"From 0 to 10."}].',
  },
  "model-speech": {
    type: "string",
    value: "HOW",
    help: "chosen: a language model says our phrases and your answers only. free: its own words too (in the dashboard only an owner may say so).",
  },
  "open-announcements": {
    type: "string",
    value: "YES|NO",
    help: "yes: the agent says what the call is about without asking who answered. no: it asks for the contact first.",
  },
  recording: {
    type: "string",
    value: "MODE",
    help: 'How its calls are recorded: announce, ask or off; "none": as the organisation. The strictest applies.',
  },
  purpose: {
    type: "string",
    value: "PURPOSE",
    help: "Purpose of its calls: transactional, service (default) or promotional. Promotional calls need consent.",
  },
  "asks-consent": {
    type: "string",
    value: "PURPOSE",
    help: 'Before the goodbye it asks whether calls of this purpose are welcome; "none": it does not ask.',
  },
  "dlt-entity": { type: "string", value: "ID", help: 'DLT entity id of the hospital (India), or "none".' },
  "dlt-template": { type: "string", value: "ID", help: 'DLT template id of what it says (India), or "none".' },
  "answers-file": {
    type: "string",
    value: "FILE",
    help: 'Answers that are spoken as written, as JSON: [{"question":"Where do I park?","answer":"Behind the house."}].',
  },
  ...ORG_OPTION,
  ...JSON_OPTION,
};

export const agentsCreate: Command = {
  name: "agents create",
  summary: "Make an agent.",
  options: {
    ...AGENT_OPTIONS,
    name: { type: "string", value: "NAME", help: "Name of the agent.", required: true },
    from: {
      type: "string",
      value: "ID",
      help: 'Begin with a starting point, in Hindi with "--language hi"; see "ringward agents library".',
    },
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const from = args.text("from");
      const begun = from === undefined ? {} : startingPoint(from, libraryLanguage(args.text("language") ?? "")).agent;
      const agent = await services.agents.create(
        await organisationOf(args, services),
        { ...begun, ...(await agentInput(args)) },
        CLI_ACTOR,
      );
      if (args.flag("json")) printJson(agent);
      else
        print(
          `Created ${agent.agent_id} (${agent.type}). It needs a number: ringward numbers add --number +91… --agent ${agent.agent_id}`,
        );
      return 0;
    }),
};

export const agentsUpdate: Command = {
  name: "agents update",
  summary: "Change the given fields of an agent.",
  positionals: ["AGENT_ID"],
  options: {
    ...AGENT_OPTIONS,
    "purpose-reason": {
      type: "string",
      value: "TEXT",
      help: "Why a promotional agent gets another purpose: 10 to 500 characters, recorded.",
    },
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [id = ""] = args.positionals;
      const reason = args.text("purpose-reason");
      const agent = await services.agents.update(
        await organisationOf(args, services),
        id,
        { ...(await agentInput(args)), ...(reason !== undefined && { purpose_reason: reason }) },
        CLI_ACTOR,
      );
      if (args.flag("json")) printJson(agent);
      else print(`Changed ${agent.agent_id}.`);
      return 0;
    }),
};

export const agentsList: Command = {
  name: "agents list",
  summary: "List the agents of an organisation.",
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const agents = await services.agents.list(await organisationOf(args, services));
      if (args.flag("json")) printJson(agents);
      else
        printTable(
          ["id", "type", "purpose", "name", "language"],
          agents.map((agent) => [agent.agent_id, agent.type, agent.purpose, agent.name, agent.language]),
        );
      return 0;
    }),
};

export const numbersAdd: Command = {
  name: "numbers add",
  summary: "Register a phone number and assign it to an agent.",
  options: {
    number: { type: "string", value: "E164", help: "+91… or +1….", required: true },
    agent: { type: "string", value: "ID", help: "The agent that uses it." },
    lines: { type: "string", value: "N", help: "Concurrent calls on this number.", default: "10" },
    trunk: { type: "string", value: "NAME", help: 'What carries it; see "ringward trunks list".' },
    ...ORG_OPTION,
    ...JSON_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const trunk = args.text("trunk");
      const number = await services.agents.addNumber(
        organisationId,
        {
          number: args.text("number") ?? "",
          agentId: args.text("agent") ?? null,
          concurrentCalls: wholeNumber("lines", args.text("lines") ?? ""),
          trunkId: trunk === undefined ? null : (await services.trunks.byName(organisationId, trunk)).trunk_id,
        },
        CLI_ACTOR,
      );
      if (args.flag("json")) printJson(number);
      else print(`Registered ${number.phone_number_id}.`);
      return 0;
    }),
};

export const numbersAssign: Command = {
  name: "numbers assign",
  summary: 'Give a number to an agent; "none" takes it away.',
  positionals: ["NUMBER", "AGENT_ID"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [number = "", agent = ""] = args.positionals;
      await services.agents.assignNumber(
        await organisationOf(args, services),
        number,
        agent === "none" ? null : agent,
        CLI_ACTOR,
      );
      print("Assigned.");
      return 0;
    }),
};

export const numbersTrunk: Command = {
  name: "numbers trunk",
  summary: 'Put a number on a trunk, or on none with "none". Trunks: "ringward trunks list".',
  positionals: ["NUMBER", "TRUNK_NAME"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [number = "", trunk = ""] = args.positionals;
      const organisationId = await organisationOf(args, services);
      const trunkId = trunk === "none" ? null : (await services.trunks.byName(organisationId, trunk)).trunk_id;
      await services.agents.setTrunk(organisationId, number, trunkId, CLI_ACTOR);
      print(trunkId === null ? `${number} is on no trunk.` : `${number} is on ${trunk}.`);
      return 0;
    }),
};

export const numbersList: Command = {
  name: "numbers list",
  summary: "List the phone numbers of an organisation.",
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const numbers = await services.agents.listNumbers(organisationId);
      const trunks = await services.trunks.list(organisationId);
      const trunkName = (id: string | null) => trunks.find(({ trunk_id }) => trunk_id === id)?.name ?? "none";
      if (args.flag("json")) printJson(numbers);
      else
        printTable(
          ["number", "agent", "lines", "trunk"],
          numbers.map((row) => [
            row.number,
            row.agent_id ?? "none",
            String(row.concurrent_calls),
            trunkName(row.trunk_id),
          ]),
        );
      return 0;
    }),
};

async function agentInput(args: Arguments): Promise<Partial<AgentInput>> {
  const input: Record<string, unknown> = {};
  for (const field of ["type", "name", "language", "voice", "prompt", "greeting", "purpose"]) {
    if (args.text(field) !== undefined) input[field] = args.text(field);
  }
  const file = args.text("prompt-file");
  if (file !== undefined) input["prompt"] = await Bun.file(file).text();
  const fields = args.text("fields-file");
  if (fields !== undefined)
    input["analysis_fields"] = fieldsOf(jsonValue("fields-file", await Bun.file(fields).text()));
  if (args.text("model-speech") !== undefined) input["model_speech"] = args.text("model-speech");
  const isOpen = args.text("open-announcements");
  if (isOpen !== undefined) input["open_announcements"] = yesOrNo("open-announcements", isOpen);
  const recording = args.text("recording");
  if (recording !== undefined) input["recording_mode"] = recording === "none" ? null : recording;
  const asked = args.text("asks-consent");
  if (asked !== undefined) input["asks_consent_for"] = asked === "none" ? null : asked;
  for (const which of ["entity", "template"]) {
    const id = args.text(`dlt-${which}`);
    if (id !== undefined) input[`dlt_${which}_id`] = id === "none" ? null : id;
  }
  const answers = args.text("answers-file");
  if (answers !== undefined)
    input["approved_answers"] = answersOf(jsonValue("answers-file", await Bun.file(answers).text()));
  for (const field of ["retry-attempts", "retry-minutes"]) {
    const text = args.text(field);
    if (text !== undefined) input[field.replace("-", "_")] = wholeNumber(field, text);
  }
  const outcomes = args.text("retry-outcomes");
  if (outcomes !== undefined) input["retry_outcomes"] = outcomes === "" ? [] : outcomes.split(",");
  if (args.text("branch") !== undefined) input["branch_id"] = args.text("branch");
  if (args.text("service") !== undefined) input["appointment_type_id"] = args.text("service");
  const transferTo = args.text("transfer-to");
  if (transferTo !== undefined) input["transfer_to"] = transferTo === "none" ? null : transferTo;
  const hours = args.text("calling-hours");
  if (hours !== undefined) input["calling_hours"] = hours === "off" ? null : jsonValue("calling-hours", hours);
  return input;
}

/** The language is optional and defaults to the agent's language. */
function answersOf(list: unknown): ApprovedAnswer[] {
  const whole = Array.isArray(list) ? list.map((one: unknown) => ({ language: "", ...(one as object) })) : null;
  if (Value.Check(AnswersFile, whole)) return whole;
  throw new UsageError("--answers-file must be a list of answers, each with a question and an answer.");
}

/** Description and choices are optional. */
function fieldsOf(list: unknown): AnalysisField[] {
  const whole = Array.isArray(list)
    ? list.map((field: unknown) => ({ description: "", choices: [], ...(field as object) }))
    : null;
  if (Value.Check(FieldsFile, whole)) return whole;
  throw new UsageError(
    `--fields-file must be a list of fields with a name and one of the types ${FIELD_TYPES.join(", ")}.`,
  );
}
