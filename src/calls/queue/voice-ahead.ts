// Words that must be made before a call can say them: which these are, of calls and of agents, and whether they are there.
// English needs none of it; the voice of Hindi takes longer to make a sentence than to say it.
import { agentsOfAll } from "../../agents/store.ts";
import { DAY_MS, MINUTE_MS, type Clock } from "../../core/clock.ts";
import type { Database } from "../../db/database.ts";
import type { AgentRow, CallRow } from "../../db/tables.ts";
import { languageNamed } from "../../speech/languages.ts";
import { serversFor, type ServerChoices } from "../../speech/servers/choices.ts";
import { hindiClauses } from "../../speech/tts/hindi/clauses.ts";
import { createMark, type Pronunciation } from "../../speech/tts/pronunciation.ts";
import { likelyLines, stockLines, type StockTimes } from "../../voice/keypad/ahead.ts";
import type { RecordedWords } from "../../voice/port.ts";
import { talkStockLines } from "../../voice/talking/ahead.ts";
import { additionalInfoOf } from "../new-call.ts";
import { agentWords } from "./agent-words.ts";
import { soonestScheduled } from "./queue-store.ts";

/** A voice that is told what will be said. */
export interface AheadVoice {
  /** Whether these clauses can be said now. Those that cannot are made from now on. */
  isReady(clauses: readonly string[], voice: string): boolean;
  /** Made when there is nothing else to do, and kept. */
  stock(clauses: readonly string[], voice: string): void;
}

export interface CallToSay {
  call: CallRow;
  agent: AgentRow;
  recorded: readonly RecordedWords[];
  pronunciations: readonly Pronunciation[];
  servers: ServerChoices;
}

export interface VoiceAhead {
  isReady(toSay: CallToSay): boolean;
  /** What agents always say, and the calls that are due soon. */
  prepare(): Promise<void>;
}

export interface VoiceAheadDeps {
  db: Database;
  clock: Clock;
  voice: () => AheadVoice;
  wordsOf: (agent: AgentRow) => Promise<Pick<CallToSay, "recorded" | "pronunciations" | "servers">>;
}

/** Offers lie within the next two weeks; yesterday and the last one are for other time zones. */
const STOCK_DAYS = 16;
const FIRST_HOUR = 8;
const LAST_HOUR = 19;
const QUARTERS = ["00", "15", "30", "45"];
/** As many as a call every ten seconds would need. */
const DUE_WITHIN_MS = 3 * MINUTE_MS;
const MOST_DUE = 20;

/** The call's own language counts first, as when it is dialled. */
const languageOf = (agent: AgentRow, call?: CallRow): string => call?.preferred_language ?? agent.language;
const isHindi = (agent: AgentRow, call?: CallRow): boolean => languageNamed(languageOf(agent, call)) === "hi";

export function createVoiceAhead({ db, clock, voice, wordsOf }: VoiceAheadDeps): VoiceAhead {
  function isReady({ call, agent, recorded, pronunciations, servers }: CallToSay): boolean {
    // A voice of the hospital's own speaks for itself.
    if (!isHindi(agent, call) || serversFor(servers, languageOf(agent, call)).voice !== null) return true;
    const said = agentWords(agent, { additionalInfo: additionalInfoOf(call), contactName: call.contact_name });
    if (!said) return true;
    const kinds = new Set(recorded.map(({ kind }) => kind));
    const brief = { language: "hi", greeting: said.greeting, agentName: agent.name, transferTo: agent.transfer_to };
    const mark = createMark(pronunciations);
    const clauses = likelyLines(brief, (kind) => kinds.has(kind)).flatMap(({ text }) => hindiClauses(text));
    return voice().isReady(
      clauses.map((clause) => mark(clause)),
      agent.voice,
    );
  }

  async function stock(agents: readonly AgentRow[]): Promise<void> {
    const times = stockTimes(clock.now());
    for (const agent of agents) {
      const hindi = { ...agent, language: "hi" };
      // An agent talks where the hospital has a voice for it, and that may fail.
      const isTalking = serversFor((await wordsOf(agent)).servers, agent.language).voice !== null;
      const lines = [...(isTalking ? talkStockLines(hindi) : []), ...stockLines(hindi, times)];
      const clauses = lines.flatMap(({ text }) => hindiClauses(text));
      // What is filled in for a call may name somebody.
      const fixed = clauses.filter((clause) => !/\{\{|\}\}/.test(clause));
      voice().stock([...new Set(fixed)], agent.voice);
    }
  }

  return {
    isReady,
    async prepare() {
      const agents = (await agentsOfAll(db.reader)).filter((agent) => isHindi(agent));
      const byId = new Map(agents.map((agent) => [agent.id, agent]));
      if (agents.length === 0) return;
      for (const call of await soonestScheduled(db.reader, clock.now() + DUE_WITHIN_MS, MOST_DUE)) {
        const agent = byId.get(call.agent_id);
        if (agent) isReady({ call, agent, ...(await wordsOf(agent)) });
      }
      await stock(agents);
    },
  };
}

export function stockTimes(now: number): StockTimes {
  const days = Array.from({ length: STOCK_DAYS }, (_, i) => new Date(now + i * DAY_MS).toISOString().slice(0, 10));
  const hours = Array.from({ length: LAST_HOUR - FIRST_HOUR + 1 }, (_, i) => String(FIRST_HOUR + i).padStart(2, "0"));
  return { days, times: hours.flatMap((hour) => QUARTERS.map((minute) => `${hour}:${minute}`)) };
}
