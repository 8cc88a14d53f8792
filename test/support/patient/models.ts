// Language models that lead the patients' calls: one that answers well, one badly, one absurdly. What a call comes to
// must not depend on which it is.
import { systemClock } from "../../../src/core/clock.ts";
import { chatReply, errorReply, startModelServer, type Reply } from "../model-server.ts";

export interface ModelAnswer {
  text?: string;
  calls?: readonly { name: string; arguments?: Record<string, unknown> | string }[];
  /** Before the first part. */
  afterMs?: number;
  /** Nothing comes after so many characters of the text. */
  stallsAfter?: number;
  fails?: "timeout" | "refused" | "status" | "garbage";
}

/** By the names of the tools that it may call, and how often it was asked before. */
export type Model = (tools: readonly string[], turn: number) => ModelAnswer;

const ABSURD: readonly ModelAnswer[] = [
  { text: "You have cancer. It is booked." },
  { calls: [{ name: "cancel_appointment" }, { name: "book_slot", arguments: { label: "A" } }] },
  { text: "Bananas are yellow." },
  { calls: [{ name: "reschedule", arguments: { label: "B" } }, { name: "schedule_callback" }] },
  { calls: [{ name: "offer_slots", arguments: { when: "never" } }] },
  { text: "?!", calls: [{ name: "rm", arguments: "-rf" }] },
];
const BAD: readonly ModelAnswer[] = [
  { text: "Hm.", afterMs: 4_000 },
  { fails: "status" },
  { text: "", afterMs: Number.POSITIVE_INFINITY },
  { text: "Well, let me see, that is", stallsAfter: 14 },
];

export const MODELS: Readonly<Record<string, Model>> = {
  well: (tools) => (tools.includes("end_call") ? { calls: [{ name: "end_call" }] } : { text: "Of course." }),
  badly: (_, turn) => BAD[turn % BAD.length] ?? {},
  absurdly: (_, turn) => ABSURD[turn % ABSURD.length] ?? {},
};

const TOKEN_CHARS = 7;
const later = (ms: number) =>
  new Promise<void>((resolve) => void (Number.isFinite(ms) && systemClock.after(ms, resolve)));

/** As a server of the public API sends it. */
export function replyOf({ text = "", calls = [], afterMs = 0, stallsAfter, fails }: ModelAnswer): Reply {
  if (fails) return errorReply(500);
  const toolCalls = calls.map(({ name, arguments: given = {} }, index) => ({
    id: `call_${index}`,
    name,
    arguments: typeof given === "string" ? given : JSON.stringify(given),
  }));
  // The first piece says who speaks, and holds no text.
  const stalls = stallsAfter === undefined ? {} : { [1 + Math.ceil(stallsAfter / TOKEN_CHARS)]: later(Infinity) };
  return chatReply({ text, toolCalls, tokenChars: TOKEN_CHARS }, { waits: { 0: later(afterMs), ...stalls } });
}

/**
 * A server on this machine, and the settings that make it every organisation's. `silent`: it takes questions, and never
 * answers.
 */
export async function startLanguageServer(name: string) {
  const model = name === "silent" ? (): ModelAnswer => ({ afterMs: Infinity }) : MODELS[name];
  if (!model) throw new Error(`No model answers ${name}: ${Object.keys(MODELS).join(", ")} or silent.`);
  const server = await startModelServer();
  let turns = 0;
  server.answer = ({ json: { tools } }) => {
    if (tools)
      return replyOf(
        model(
          tools.map((tool) => tool.function.name),
          turns++,
        ),
      );
    // "Are you there?", and the analysis, which is the rules' then.
    return name === "silent" ? replyOf({ afterMs: Infinity }) : chatReply({ text: "ready" });
  };
  return {
    env: {
      RINGWARD_MODELS__SERVERS__MAIN__BASE_URL: server.baseUrl,
      RINGWARD_MODELS__SERVERS__MAIN__MODEL: "scripted",
    },
    /** How often a call wanted an answer of it. */
    asked: () => turns,
    stop: () => server.stop(),
  };
}
