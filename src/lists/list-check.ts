// Checks a list before a campaign is created: reads it, guesses its columns or uses the chosen ones, checks each row.
// Stores nothing. Reading uses no database: it can run in another process and requests the appliance's facts.
import type { ReadNotes } from "../accounts/read-notes.ts";
import { agentById, type KnownAgent } from "../agents/store.ts";
import { PLACEHOLDER } from "../agents/template.ts";
import { agentWords } from "../calls/call/agent-words.ts";
import type { Config } from "../config/schema.ts";
import type { Actor } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import { invalidField } from "../core/errors.ts";
import { isOfReach } from "../core/reach.ts";
import { instantOf, wallTime } from "../core/zones.ts";
import type { Database } from "../db/database.ts";
import { organisationById } from "../accounts/organisation-store.ts";
import { numbersCalledSince, numbersOnDoNotDisturb } from "./known-numbers-store.ts";
import { checkRows, isCallable, withKnown, type CheckedRow, type KnownNumbers } from "./checked-rows.ts";
import { homeCountryOf, type HomeCountry } from "./complete-number.ts";
import { hasHeadings } from "./headings.ts";
import { guessMapping, wantedOf, widthOf, type Mapping } from "./mapping.ts";
import { readList } from "./read-list.ts";
import { listFault, MOST_COLUMNS, MOST_ROWS, type Table } from "./table.ts";

export interface ListQuestion {
  bytes: Uint8Array;
  isPasted: boolean;
  agentId: string;
  /** Undefined: guessed. */
  hasHeadings?: boolean | undefined;
  country?: HomeCountry | null | undefined;
  mapping?: Mapping | undefined;
}

type TableQuestion = Omit<ListQuestion, "bytes" | "isPasted">;

export interface CheckedList {
  headings: readonly string[];
  hasHeadings: boolean;
  width: number;
  country: HomeCountry | null;
  /** Placeholders of the agent's texts, except the name. */
  placeholders: readonly string[];
  mapping: Mapping;
  rows: readonly CheckedRow[];
  /** Greeting for the first callable row. */
  greeting: string | null;
}

type ListAgent = Pick<KnownAgent, "name" | "greeting" | "prompt" | "known">;

/** Agent and country for the list. */
export interface ListGround {
  agent: ListAgent;
  home: HomeCountry | null;
  allowedRanges: readonly string[];
}

/** Facts that only the appliance has, requested in this order. */
export interface ListWorld {
  ground(agentId: string): Promise<ListGround>;
  known(numbers: readonly string[]): Promise<KnownNumbers>;
}

/** The limit of additional_info. */
const MOST_VALUES = 25;

export async function checkList(question: ListQuestion, world: ListWorld): Promise<CheckedList> {
  const ground = await world.ground(question.agentId);
  const table = await readList(question.bytes, question.isPasted);
  return checkTable(table, question, ground, world);
}

/** The same of a list that is read already. */
export async function checkTable(
  table: Table,
  question: TableQuestion,
  { agent, home, allowedRanges }: ListGround,
  world: Pick<ListWorld, "known">,
): Promise<CheckedList> {
  const list = columnsOf(table, question, placeholdersOf(agent), home);
  const checked = checkRows({ ...list, home: list.country, allowedRanges, agent });
  const numbers = [...new Set(checked.flatMap(({ number }) => (number === null ? [] : [number])))];
  const rows = withKnown(checked, await world.known(numbers));
  return { ...list, rows, greeting: greetingOf(agent, rows.find(isCallable)) };
}

export interface ListCheckDeps {
  db: Database;
  clock: Clock;
  config: Config;
  readNotes: ReadNotes;
}

export function createListCheck({ db, clock, config, readNotes }: ListCheckDeps) {
  /** Facts for one list of one organisation. */
  function worldOf(organisationId: string, { reach }: Actor): ListWorld {
    let since = 0;
    let agentId = "";
    return {
      async ground(asked) {
        const agent = await agentById(db.reader, organisationId, asked);
        if (!agent || agent.type !== "outbound" || !isOfReach(reach, agent.branch_id))
          throw invalidField("agent_id", "Choose an agent that makes calls.");
        const organisation = await organisationById(db.reader, organisationId);
        const zone = organisation?.time_zone ?? "UTC";
        // The day starts at midnight in the organisation's time zone.
        since = instantOf(wallTime(clock.now(), zone).date, 0, zone);
        agentId = agent.id;
        const { name, greeting, prompt, known } = agent;
        const texts = { name, greeting, prompt, ...(known && { known }) };
        return { agent: texts, home: homeCountryOf(zone), allowedRanges: config.calls.allowed_ranges };
      },
      async known(numbers) {
        const doNotDisturb = await numbersOnDoNotDisturb(db.reader, organisationId, numbers);
        const calledToday = await numbersCalledSince(db.reader, { organisationId, agentId, since }, numbers);
        return { doNotDisturb: [...doNotDisturb], calledToday: [...calledToday] };
      },
    };
  }

  return {
    /** `read` runs here or in another process; the check is recorded as a read. */
    async check<Result extends { rows: number | readonly unknown[] }>(
      organisationId: string,
      actor: Actor,
      read: (world: ListWorld) => Promise<Result>,
    ): Promise<Result> {
      const result = await read(worldOf(organisationId, actor));
      const rows = typeof result.rows === "number" ? result.rows : result.rows.length;
      await readNotes.note({ organisationId, actor, action: "campaign.list_checked", detail: { rows } });
      return result;
    },
  };
}

export type ListCheck = ReturnType<typeof createListCheck>;

function placeholdersOf({ greeting, prompt }: ListAgent): string[] {
  const names = [greeting, prompt].flatMap((text) => Array.from(text.matchAll(PLACEHOLDER), ([, name = ""]) => name));
  return wantedOf([...new Set(names)]).slice(0, MOST_VALUES);
}

function columnsOf(table: Table, question: TableQuestion, placeholders: readonly string[], home: HomeCountry | null) {
  const isHeaded = question.hasHeadings ?? hasHeadings(table);
  const headings = isHeaded ? (table[0]?.cells ?? []) : [];
  const rows = isHeaded ? table.slice(1) : table;
  if (rows.length === 0) throw listFault("The list has headings and no rows.");
  if (rows.length > MOST_ROWS)
    throw listFault(`The list has more than ${MOST_ROWS.toLocaleString("en")} rows. Split it.`);
  return {
    headings,
    hasHeadings: isHeaded,
    width: Math.min(MOST_COLUMNS, widthOf(headings, rows)),
    country: question.country === undefined ? home : question.country,
    placeholders,
    mapping: question.mapping ?? guessMapping(headings, rows, placeholders),
    rows,
  };
}

function greetingOf(agent: ListAgent, row: CheckedRow | undefined): string | null {
  if (!row) return null;
  return agentWords(agent, { additionalInfo: row.info, contactName: row.name })?.greeting ?? null;
}
