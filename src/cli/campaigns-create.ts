// ringward campaigns create FILE: creates calls from a CSV or XLSX list of people. With --dry-run it only checks the
// list.
import { writeFileSync } from "node:fs";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { checkList, type CheckedList, type ListQuestion } from "../lists/list-check.ts";
import {
  CreateCampaignSchema,
  DEFAULT_PER_MINUTE,
  type CampaignDryRun,
  type CampaignInput,
} from "../campaigns/model.ts";
import { callRow, isCallable } from "../lists/checked-rows.ts";
import { isError } from "../lists/row-faults.ts";
import type { Mapping } from "../lists/mapping.ts";
import { letterOf, MOST_LIST_BYTES } from "../lists/table.ts";
import { CLI_ACTOR } from "../core/actor.ts";
import { AppError, messageOf } from "../core/errors.ts";
import { lazily } from "../core/lazily.ts";
import { fieldFaults } from "../core/schema-words.ts";
import { faultyRowsCsv } from "../dashboard/campaign-list.ts";
import { UsageError, type Arguments, type Command } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { jsonValue, pairsOf, wholeNumber, yesOrNo } from "./option-values.ts";
import { print, printError, printJson } from "./output.ts";

const inputSchema = lazily(() => TypeCompiler.Compile(CreateCampaignSchema));
/** Limit of faults printed to the terminal. --faulty-to writes all of them. */
const MOST_TOLD = 20;

export const campaignsCreate: Command = {
  name: "campaigns create",
  summary: "Create a campaign from a CSV or XLSX file. Invalid rows are reported and skipped.",
  positionals: ["FILE"],
  options: {
    name: { type: "string", value: "NAME", help: "Name of the campaign.", required: true },
    agent: { type: "string", value: "ID", help: "The calling agent: outbound, with a number.", required: true },
    "dry-run": { type: "boolean", help: "Check the list and report invalid rows; create nothing." },
    "faulty-to": { type: "string", value: "FILE", help: "Write invalid rows to this CSV file, each with its reason." },
    columns: {
      type: "string",
      value: "LIST",
      help: 'number=B,name=Patient,identifier:mrn=C,doctor=D: letters or headings, "none" for none; the rest is guessed.',
    },
    headings: {
      type: "string",
      value: "YES_OR_NO",
      help: "Whether the first row contains headings; detected by default.",
    },
    country: {
      type: "string",
      value: "NAME",
      help: "Country of numbers without a country code: IN, US or none. Default: the organisation's.",
    },
    "start-at": { type: "string", value: "TIME", help: "ISO 8601 with offset. Default: now." },
    "calls-per-minute": { type: "string", value: "N", help: "The pace.", default: String(DEFAULT_PER_MINUTE) },
    "calling-hours": {
      type: "string",
      value: "JSON",
      help: '{"start":"09:00","end":"20:00","days":[1,2,3,4,5]} in the callee\'s time, within the agent\'s.',
    },
    retry: {
      type: "string",
      value: "JSON",
      help: '{"no_answer":{"attempts":2,"minutes":60}}, also busy, voicemail and failed. Without it, the agent\'s.',
    },
    ...ORG_OPTION,
    ...JSON_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const organisationId = await organisationOf(args, services);
      const { listCheck, campaigns } = services;
      const question = await questionOf(args);
      const read = (mapping?: Mapping) =>
        listCheck.check(organisationId, CLI_ACTOR, (world) => checkList({ ...question, mapping }, world));
      const guessed = await read();
      const columns = args.text("columns");
      const list = columns === undefined ? guessed : await read(mappingOf(columns, guessed));
      const input = inputOf(args, list);
      tellFaults(args, list);
      if (args.flag("dry-run")) {
        const tried = input.rows.length === 0 ? null : await campaigns.check(organisationId, input, CLI_ACTOR);
        tellDryRun(args, list, tried);
        return 0;
      }
      if (input.rows.length === 0) throw new AppError("VALIDATION_ERROR", "No one on this list can be called.");
      const made = await campaigns.create(organisationId, input, CLI_ACTOR, undefined, { isOnlyOnce: true });
      if (args.flag("json")) printJson({ ...made, refused: [...faultsOf(list), ...made.refused] });
      else
        print(
          `Created ${made.campaign_id}: ${made.accepted} people are called, ${leftOut(list, made.refused)} are not.`,
        );
      return 0;
    }),
};

async function questionOf(args: Arguments): Promise<ListQuestion> {
  const [file = ""] = args.positionals;
  const headings = args.text("headings");
  return {
    bytes: await bytesOf(file),
    isPasted: false,
    agentId: args.text("agent") ?? "",
    hasHeadings: headings === undefined ? undefined : yesOrNo("headings", headings),
    country: countryOf(args.text("country")),
  };
}

async function bytesOf(file: string): Promise<Uint8Array> {
  try {
    // One byte above the limit is enough to detect a file that is too large.
    return await Bun.file(file)
      .slice(0, MOST_LIST_BYTES + 1)
      .bytes();
  } catch (error) {
    throw new AppError("VALIDATION_ERROR", `${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function countryOf(text: string | undefined): ListQuestion["country"] {
  if (text === undefined || text === "IN" || text === "US") return text;
  if (text === "none") return null;
  throw new UsageError("--country must be IN, US or none.");
}

const FIELDS = ["number", "name", "email", "language", "time_zone", "region"] as const satisfies (keyof Mapping)[];
const isField = (name: string): name is (typeof FIELDS)[number] => FIELDS.some((field) => field === name);

/** `identifier:mrn=C` */
const IDENTIFIER = "identifier:";

function setColumn(columns: Record<string, number>, name: string, column: number | null): void {
  if (column === null) delete columns[name];
  else columns[name] = column;
}

/** The guessed mapping, overridden by --columns. */
function mappingOf(text: string, { mapping, headings, width }: CheckedList): Mapping {
  const columnOf = (named: string): number | null => {
    if (named === "none") return null;
    const byHeading = headings.findIndex((heading) => heading.trim().toLowerCase() === named.toLowerCase());
    if (byHeading >= 0) return byHeading;
    const letters = Array.from({ length: width }, (_, index) => letterOf(index));
    const byLetter = letters.indexOf(named.toUpperCase());
    if (byLetter >= 0) return byLetter;
    throw new UsageError(`--columns: the list has no column ${named}.`);
  };
  const info: Record<string, number> = { ...mapping.info };
  const identifiers: Record<string, number> = { ...mapping.identifiers };
  const changed = { ...mapping, info, identifiers };
  for (const [field, named] of pairsOf("columns", text)) {
    const column = columnOf(named);
    const system = field.startsWith(IDENTIFIER) ? field.slice(IDENTIFIER.length) : null;
    if (isField(field)) changed[field] = column;
    else setColumn(system === null ? info : identifiers, system ?? field, column);
  }
  return changed;
}

function inputOf(args: Arguments, list: CheckedList): CampaignInput {
  const startAt = args.text("start-at");
  const hours = args.text("calling-hours");
  const retry = args.text("retry");
  const input: unknown = {
    name: args.text("name"),
    agent_id: args.text("agent"),
    rows: list.rows.filter(isCallable).map(callRow),
    calls_per_minute: wholeNumber("calls-per-minute", args.text("calls-per-minute") ?? ""),
    ...(startAt === undefined ? {} : { start_at: startAt }),
    ...(hours === undefined ? {} : { calling_hours: jsonValue("calling-hours", hours) }),
    ...(retry === undefined ? {} : { retry: jsonValue("retry", retry) }),
  };
  const [fault] = inputSchema().Check(input) ? [] : fieldFaults(inputSchema().Errors(input));
  // An empty list has its own error message.
  if (fault && fault.field !== "rows") throw new AppError("VALIDATION_ERROR", fault.message);
  return input as CampaignInput;
}

const faultsOf = ({ rows }: CheckedList) =>
  rows
    .filter((row) => !isCallable(row))
    .flatMap(({ at, faults }) =>
      faults.filter(isError).map(({ kind, message }) => ({ row: at, field: kind, message })),
    );

const warningsOf = ({ rows }: CheckedList) =>
  rows.filter(isCallable).flatMap(({ at, faults }) => faults.map(({ message }) => ({ row: at, message })));

const leftOut = (list: CheckedList, refused: readonly unknown[]) =>
  list.rows.filter((row) => !isCallable(row)).length + refused.length;

/** Prints to stderr, so that the output of --json stays valid JSON. */
function tellFaults(args: Arguments, list: CheckedList): void {
  const file = args.text("faulty-to");
  const faults = faultsOf(list);
  if (file !== undefined) {
    try {
      writeFileSync(file, faultyRowsCsv(list), { mode: 0o600 });
    } catch (error) {
      throw new AppError("VALIDATION_ERROR", `${file} cannot be written: ${messageOf(error)}`, { cause: error });
    }
  }
  if (args.flag("json")) return;
  for (const { row, message } of faults.slice(0, MOST_TOLD)) printError(`Row ${row}: ${message}`);
  if (faults.length > MOST_TOLD)
    printError(`… and ${faults.length - MOST_TOLD} more. ${file === undefined ? "--faulty-to writes them all." : ""}`);
}

function tellDryRun(args: Arguments, list: CheckedList, tried: CampaignDryRun | null): void {
  const columns = columnsRead(list);
  const warnings = warningsOf(list);
  if (args.flag("json")) {
    printJson({
      dry_run: true,
      accepted: tried?.accepted ?? 0,
      refused: [...faultsOf(list), ...(tried?.refused ?? [])],
      warnings,
      columns,
      greeting: tried?.greeting ?? list.greeting,
      starts_at: tried?.starts_at ?? null,
      ends_at: tried?.ends_at ?? null,
    });
    return;
  }
  for (const { row, message } of warnings.slice(0, MOST_TOLD))
    printError(`Row ${row}, called all the same: ${message}`);
  print(
    `Columns    ${Object.entries(columns)
      .map(([field, column]) => `${field}=${column}`)
      .join(", ")}`,
  );
  print(`Called     ${tried?.accepted ?? 0} of ${list.rows.length}`);
  print(`Left out   ${leftOut(list, tried?.refused ?? [])}`);
  if (tried) print(`When       ${tried.starts_at} to about ${tried.ends_at}`);
  if (tried?.greeting) print(`First says ${tried.greeting}`);
  print("Nothing was created.");
}

/** The column used for each field, by heading or letter. */
function columnsRead({ mapping, headings }: CheckedList): Record<string, string> {
  const { info, identifiers = {}, ...fields } = mapping;
  const systems = Object.fromEntries(Object.entries(identifiers).map(([system, at]) => [IDENTIFIER + system, at]));
  const named = Object.entries({ ...fields, ...systems, ...info }).filter(
    (pair): pair is [string, number] => pair[1] !== null,
  );
  const headingOf = (column: number) => headings[column]?.trim() ?? "";
  return Object.fromEntries(
    named.map(([field, column]) => [field, headingOf(column) === "" ? letterOf(column) : headingOf(column)]),
  );
}
