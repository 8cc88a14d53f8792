// Converts rows of a list into calls: completes numbers, takes values from their columns, and collects errors per row.
import type { KnownAgent } from "../agents/store.ts";
import { LONGEST_RENDERED, PLACEHOLDER } from "../agents/template.ts";
import { checkedInfo } from "../calls/additional-info.ts";
import { knownFacts } from "../calls/call/template-values.ts";
import { AppError } from "../core/errors.ts";
import { isLanguageTag, isSafeText } from "../core/names.ts";
import { assertMayBeCalled } from "../core/phone.ts";
import { US_STATES } from "../core/area-codes.ts";
import { isTimeZone } from "../core/zones.ts";
import { LONGEST_IDENTIFIER, type Identifier } from "../payloads/identifiers.ts";
import { languageNamed } from "../speech/languages.ts";
import { completeNumber, type HomeCountry } from "./complete-number.ts";
import type { Mapping } from "./mapping.ts";
import { fault, isError, type RowFault } from "./row-faults.ts";
import { LONGEST_CELL, type Table, type TableRow } from "./table.ts";

export interface CheckedRow {
  at: number;
  cells: readonly string[];
  /** Null if there is no dialable number. */
  number: string | null;
  name: string | null;
  email: string | null;
  language: string | null;
  timeZone: string | null;
  region: string | null;
  identifiers: readonly Identifier[];
  info: Readonly<Record<string, string>>;
  faults: readonly RowFault[];
}

export interface CheckQuestion {
  rows: Table;
  mapping: Mapping;
  home: HomeCountry | null;
  allowedRanges: readonly string[];
  agent: Pick<KnownAgent, "name" | "greeting" | "prompt" | "known">;
}

const LONGEST_NAME = 200;
const LONGEST_EMAIL = 254;
const LONGEST_LANGUAGE = 50;
const NAMES_OF_CONTACT = ["user_name", "contact_name"];

export function checkRows(question: CheckQuestion): CheckedRow[] {
  const texts = [question.agent.greeting, question.agent.prompt].map(neededBy);
  return withDoubles(question.rows.map((row) => checkedRow(row, question, texts)));
}

/** Facts about the numbers that only the appliance has. */
export interface KnownNumbers {
  doNotDisturb: readonly string[];
  calledToday: readonly string[];
}

export function withKnown(rows: readonly CheckedRow[], known: KnownNumbers): CheckedRow[] {
  const [doNotDisturb, calledToday] = [new Set(known.doNotDisturb), new Set(known.calledToday)];
  return rows.map((row) => {
    if (row.number === null) return row;
    const more = [
      ...(doNotDisturb.has(row.number) ? [fault.doNotDisturb()] : []),
      ...(calledToday.has(row.number) ? [fault.calledToday()] : []),
    ];
    return more.length === 0 ? row : { ...row, faults: [...row.faults, ...more] };
  });
}

export const isCallable = (row: CheckedRow): row is CheckedRow & { number: string } =>
  row.number !== null && !row.faults.some(isError);

/** The row as input for a campaign. */
export const callRow = ({ at, number, name, email, info, identifiers, ...row }: CheckedRow & { number: string }) => ({
  row: at,
  user_number: number,
  ...(name === null ? {} : { user_name: name }),
  ...(email === null ? {} : { user_email: email }),
  ...(row.language === null ? {} : { user_preferred_language: row.language }),
  ...(row.timeZone === null ? {} : { user_time_zone: row.timeZone }),
  ...(row.region === null ? {} : { user_region: row.region }),
  ...(identifiers.length === 0 ? {} : { user_identifiers: identifiers }),
  ...(Object.keys(info).length === 0 ? {} : { additional_info: info }),
});

function checkedRow(row: TableRow, question: CheckQuestion, texts: readonly NeededText[]): CheckedRow {
  const { mapping, agent } = question;
  const cell = (column: number | null) => (column === null ? "" : (row.cells[column] ?? "").trim()) || null;
  const [name, email] = [cell(mapping.name), cell(mapping.email)];
  const language = languageIn(cell(mapping.language));
  const [timeZone, region] = [cell(mapping.time_zone), cell(mapping.region)?.toUpperCase() ?? null];
  const info = Object.fromEntries(
    Object.entries(mapping.info).flatMap(([key, column]) => {
      const value = cell(column);
      return value === null ? [] : [[key, value] as const];
    }),
  );
  const identifiers = Object.entries(mapping.identifiers ?? {}).flatMap(([system, column]) => {
    const value = cell(column);
    return value === null ? [] : [{ system, value }];
  });
  const { number, faults } = numberOf(cell(mapping.number), question);
  const values = {
    agent_name: agent.name,
    ...nameValues(name),
    ...info,
    ...knownFacts({ additionalInfo: info, known: agent.known }),
  };
  return {
    at: row.at,
    cells: row.cells,
    number,
    name,
    email,
    language,
    timeZone,
    region,
    identifiers,
    info,
    faults: [
      ...faults,
      ...lengthFaults({ name, email, language, info }),
      ...textFaults({ name, email, language }),
      ...identifierFaults(identifiers),
      ...placeFaults({ number, timeZone, region }),
      ...wordFaults(texts, values),
    ],
  };
}

const nameValues = (name: string | null) =>
  name === null ? {} : Object.fromEntries(NAMES_OF_CONTACT.map((key) => [key, name]));

function numberOf(
  text: string | null,
  { home, allowedRanges }: CheckQuestion,
): { number: string | null; faults: RowFault[] } {
  const completed = completeNumber(text ?? "", home);
  if ("fault" in completed) return { number: null, faults: [numberFault(completed.fault, home)] };
  const { number } = completed;
  try {
    assertMayBeCalled(number, "The number", allowedRanges);
  } catch (error) {
    if (error instanceof AppError) return { number: null, faults: [fault.notAllowed(error.message)] };
    throw error;
  }
  const isUnusual = number.startsWith("+91") && number.length !== "+91".length + 10;
  return { number, faults: isUnusual ? [fault.unusualLength()] : [] };
}

function numberFault(
  kind: "missing" | "not_a_number" | "shortened" | "incomplete",
  home: HomeCountry | null,
): RowFault {
  if (kind === "missing") return fault.numberMissing();
  if (kind === "not_a_number") return fault.notANumber();
  return kind === "shortened" ? fault.shortened() : fault.incomplete(home);
}

/** Converts a language name such as "Hindi" or "हिन्दी" to its tag. */
const languageIn = (text: string | null): string | null =>
  text === null || isLanguageTag(text) ? text : (languageNamed(text) ?? text);

function textFaults(row: Pick<CheckedRow, "name" | "email" | "language">): RowFault[] {
  return [
    ...(isSafeText(row.name ?? "") ? [] : [fault.unsafe("name")]),
    ...(isSafeText(row.email ?? "") ? [] : [fault.unsafe("e-mail address")]),
    ...(isLanguageTag(row.language ?? "") ? [] : [fault.notALanguage()]),
  ];
}

function identifierFaults(identifiers: readonly Identifier[]): RowFault[] {
  const isTooLong = identifiers.some(({ value }) => value.length > LONGEST_IDENTIFIER);
  return [
    ...(isTooLong ? [fault.tooLong(`An identifier is longer than ${LONGEST_IDENTIFIER} characters.`)] : []),
    ...(identifiers.every(({ value }) => isSafeText(value)) ? [] : [fault.unsafe("identifier")]),
  ];
}

function placeFaults({ number, timeZone, region }: Pick<CheckedRow, "number" | "timeZone" | "region">): RowFault[] {
  const isWrongRegion = region !== null && (!US_STATES.includes(region) || number?.startsWith("+91") === true);
  return [
    ...(timeZone === null || isTimeZone(timeZone) ? [] : [fault.notAZone()]),
    ...(isWrongRegion ? [fault.notAState()] : []),
  ];
}

function lengthFaults(row: Pick<CheckedRow, "name" | "email" | "language" | "info">): RowFault[] {
  const tooLong = (text: string | null, most: number, what: string) =>
    (text?.length ?? 0) > most ? [fault.tooLong(`The ${what} is longer than ${most} characters.`)] : [];
  return [
    ...tooLong(row.name, LONGEST_NAME, "name"),
    ...tooLong(row.email, LONGEST_EMAIL, "e-mail address"),
    ...tooLong(row.language, LONGEST_LANGUAGE, "language"),
    ...infoFaults(row.info),
  ];
}

function infoFaults(info: Readonly<Record<string, string>>): RowFault[] {
  if (Object.values(info).some((value) => value.length > LONGEST_CELL))
    return [fault.tooLong(`A value is longer than ${LONGEST_CELL.toLocaleString("en")} characters.`)];
  try {
    checkedInfo(info);
    return [];
  } catch (error) {
    if (error instanceof AppError) return [fault.tooLong("The values of this row are longer than 16 KiB together.")];
    throw error;
  }
}

interface NeededText {
  /** Length without placeholders. */
  ownLength: number;
  /**
   * Occurrences of each placeholder. Counted once, because rendering a long prompt for ten thousand rows takes seconds.
   */
  times: ReadonlyMap<string, number>;
}

function neededBy(template: string): NeededText {
  const times = new Map<string, number>();
  let ownLength = template.length;
  for (const [whole, name = ""] of template.matchAll(PLACEHOLDER)) {
    ownLength -= whole.length;
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  return { ownLength, times };
}

function wordFaults(texts: readonly NeededText[], values: Readonly<Record<string, string>>): RowFault[] {
  const valueOf = (name: string) => (Object.hasOwn(values, name) ? values[name] : undefined);
  const names = new Set(texts.flatMap(({ times }) => [...times.keys()]));
  const missing = [...names].filter((name) => valueOf(name) === undefined);
  const isTooLong = texts.some(({ ownLength, times }) => {
    const filled = [...times].reduce((sum, [name, count]) => sum + count * (valueOf(name)?.length ?? 0), 0);
    return ownLength + filled > LONGEST_RENDERED;
  });
  return [
    ...(missing.length > 0 ? [fault.missingValue(missing)] : []),
    ...(isTooLong ? [fault.tooLong("With these values the agent's words would be too long.")] : []),
  ];
}

/** A shared number is a warning, because two children may have their mother's number. An identical call is an error. */
function withDoubles(rows: readonly CheckedRow[]): CheckedRow[] {
  const firstOf = new Map<string, number>();
  const firstWith = new Map<string, number>();
  return rows.map((row) => {
    if (row.number === null || row.faults.some(isError)) return row;
    const call = JSON.stringify([row.number, row.name?.toLowerCase() ?? null, row.info, row.identifiers]);
    const same = firstOf.get(call);
    const sharing = firstWith.get(row.number);
    if (same === undefined) firstOf.set(call, row.at);
    if (sharing === undefined) firstWith.set(row.number, row.at);
    const double = same ?? sharing;
    if (double === undefined) return row;
    return { ...row, faults: [...row.faults, same === undefined ? fault.sameNumber(double) : fault.duplicate(double)] };
  });
}
