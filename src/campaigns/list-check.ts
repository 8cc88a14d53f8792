// A list before anything is made of it: read, its columns guessed or as chosen, each row checked. Nothing of it is kept.
import type { ReadNotes } from "../accounts/read-notes.ts";
import { agentById, type KnownAgent } from "../agents/store.ts";
import { PLACEHOLDER } from "../agents/template.ts";
import { agentWords } from "../calls/queue/agent-words.ts";
import type { Config } from "../config/schema.ts";
import type { Actor } from "../core/actor.ts";
import { othersFirst, type Clock } from "../core/clock.ts";
import { invalidField } from "../core/errors.ts";
import { instantOf, wallTime } from "../core/zones.ts";
import type { Database } from "../db/database.ts";
import type { AgentRow } from "../db/tables.ts";
import { organisationById } from "../accounts/organisation-store.ts";
import { numbersCalledSince, numbersOnDoNotDisturb } from "./known-numbers-store.ts";
import { checkRows, isCallable, withKnown, type CheckedRow } from "./rows/checked-rows.ts";
import { homeCountryOf, type HomeCountry } from "./rows/complete-number.ts";
import { hasHeadings } from "./rows/headings.ts";
import { guessMapping, wantedOf, widthOf, type Mapping } from "./rows/mapping.ts";
import { inTurns, readList } from "./rows/read-list.ts";
import { listFault, MOST_COLUMNS, MOST_ROWS, type Table } from "./rows/table.ts";
import { createTurns } from "./rows/turns.ts";

export interface ListQuestion {
  bytes: Uint8Array;
  isPasted: boolean;
  agentId: string;
  /** Undefined: as it is guessed. */
  hasHeadings?: boolean | undefined;
  country?: HomeCountry | null | undefined;
  mapping?: Mapping | undefined;
}

export interface CheckedList {
  headings: readonly string[];
  hasHeadings: boolean;
  width: number;
  country: HomeCountry | null;
  /** What the agent's words ask for, beside the name. */
  placeholders: readonly string[];
  mapping: Mapping;
  rows: readonly CheckedRow[];
  /** Of the first row that can be called. */
  greeting: string | null;
}

/** additional_info has room for so many. */
const MOST_VALUES = 25;

export interface ListCheckDeps {
  db: Database;
  clock: Clock;
  config: Config;
  readNotes: ReadNotes;
}

export function createListCheck({ db, clock, config, readNotes }: ListCheckDeps) {
  const inTurn = createTurns();

  /** The day begins at the organisation's midnight. */
  async function knownNumbers(agent: AgentRow, zone: string, rows: readonly CheckedRow[]) {
    const numbers = [...new Set(rows.flatMap(({ number }) => (number === null ? [] : [number])))];
    const organisationId = agent.organisation_id;
    const since = instantOf(wallTime(clock.now(), zone).date, 0, zone);
    return {
      doNotDisturb: await numbersOnDoNotDisturb(db.reader, organisationId, numbers),
      calledToday: await numbersCalledSince(db.reader, { organisationId, agentId: agent.id, since }, numbers),
    };
  }

  return {
    async check(organisationId: string, question: ListQuestion, actor: Actor): Promise<CheckedList> {
      const agent = await agentById(db.reader, organisationId, question.agentId);
      if (!agent || agent.type !== "outbound") throw invalidField("agent_id", "Choose an agent that makes calls.");
      const organisation = await organisationById(db.reader, organisationId);
      const zone = organisation?.time_zone ?? "UTC";
      const table = await inTurn(() => readList({ ...question, pause: othersFirst }));
      const list = columnsOf(table, question, placeholdersOf(agent), homeCountryOf(zone));
      const { allowed_ranges } = config.calls;
      const work = checkRows({ ...list, home: list.country, allowedRanges: allowed_ranges, agent });
      const checked = await inTurns(work, othersFirst);
      const rows = withKnown(checked, await knownNumbers(agent, zone, checked));
      await readNotes.note({ organisationId, actor, action: "campaign.list_checked", detail: { rows: rows.length } });
      return { ...list, rows, greeting: greetingOf(agent, rows.find(isCallable)) };
    },
  };
}

export type ListCheck = ReturnType<typeof createListCheck>;

function placeholdersOf({ greeting, prompt }: AgentRow): string[] {
  const names = [greeting, prompt].flatMap((text) => Array.from(text.matchAll(PLACEHOLDER), ([, name = ""]) => name));
  return wantedOf([...new Set(names)]).slice(0, MOST_VALUES);
}

function columnsOf(table: Table, question: ListQuestion, placeholders: readonly string[], home: HomeCountry | null) {
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

function greetingOf(agent: KnownAgent, row: CheckedRow | undefined): string | null {
  if (!row) return null;
  return agentWords(agent, { additionalInfo: row.info, contactName: row.name })?.greeting ?? null;
}
