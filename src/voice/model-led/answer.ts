// One answer of a language model, as it comes: checked clause by clause, filled from fields, and given to the voice one
// after the other. Who waits too long hears a filler once, and then gets no answer of the model at all.
import type { Clock } from "../../core/clock.ts";
import type { ChatClient, ChatMessage, ToolCall } from "../../speech/servers/port.ts";
import type { ModelSpeech } from "../../payloads/approved-answer.ts";
import type { Suggestion } from "../conversation/model.ts";
import type { Phrase } from "../conversation/phrases/phrase.ts";
import { wordsIn, type Budget } from "./budget.ts";
import { createClauseStream } from "./clause-stream.ts";
import { guarded, type Known, type Stop } from "./guard.ts";
import { toolResult, toolsFor, type ToolContext } from "./tools.ts";

/** A pause that people still take for thought. */
export const FILLER_MS = 900;
/**
 * After this the built-in conversation answers; with the pause that ended the turn it is less than three seconds of
 * silence.
 */
export const TAKEOVER_MS = 2_500;
/** Between two clauses of one answer. */
const GAP_MS = 1_500;
/** One more, once it has heard what became of a tool. */
const MOST_ROUNDS = 2;
/** In one answer; the first that is a suggestion counts. */
const MOST_TOOL_CALLS = 4;
/** Lines of one answer that it chose. */
const MOST_CHOSEN = 3;

export interface AnswerOptions {
  clock: Clock;
  client: ChatClient;
  messages: readonly ChatMessage[];
  tools: ToolContext;
  /** Whether what it writes itself is spoken. */
  speech: ModelSpeech;
  known: Known;
  guard?: typeof guarded | undefined;
  budget: Budget;
  filler: Phrase;
  on: {
    /** A clause that will be said: its sound can be made. */
    clause(phrase: Phrase): void;
    filler(): void;
    stopped(why: Stop): void;
    refused(tool: string): void;
    detail(name: string, value: string): void;
  };
}

export type AnswerEnd =
  | { kind: "led"; suggestion: Suggestion | null; ending: "question" | "whole" | "broken" }
  /** Nothing of it was said. `isFault`: the server's, and not a check's. */
  | { kind: "unled"; isFault: boolean };

export class ModelAnswer {
  readonly #options: AnswerOptions;
  readonly #abort = new AbortController();
  readonly #startedAtMs: number;
  readonly #ready: Phrase[] = [];
  readonly #said: Phrase[] = [];
  #words = 0;
  #chars = 0;
  #suggestion: Suggestion | null = null;
  #isDone = false;
  /** It was late, or failed. */
  #isFault = false;
  #wasStopped = false;
  #changed = Promise.withResolvers<void>();

  constructor(options: AnswerOptions) {
    this.#options = options;
    this.#startedAtMs = options.clock.elapsedMs();
  }

  /** Asks the model. Resolves once it has said everything, and never rejects. */
  async run(): Promise<void> {
    try {
      await this.#ask();
    } catch {
      // Whatever it was, the callee is answered by somebody else; the client counts it.
      this.#isFault ||= !this.#abort.signal.aborted;
    }
    this.#isDone = true;
    this.#change();
  }

  /** Nobody waits for it any more. */
  drop(): void {
    this.#abort.abort();
    this.#ready.length = 0;
    this.#isDone = true;
    this.#change();
  }

  /** What is to be said, as soon as it may be said. Each is asked for once the one before was heard. */
  async *phrases(): AsyncGenerator<Phrase> {
    const { clock, filler, on } = this.#options;
    const fillerAtMs = clock.elapsedMs() + FILLER_MS;
    const lateAtMs = Math.max(this.#startedAtMs + TAKEOVER_MS, fillerAtMs);
    await this.#until(fillerAtMs);
    if (this.#isWaiting() && lateAtMs > fillerAtMs) {
      on.filler();
      yield filler;
      await this.#until(lateAtMs);
    }
    for (let phrase = this.#ready.shift(); phrase !== undefined; phrase = this.#ready.shift()) {
      this.#said.push(phrase);
      yield phrase;
      await this.#until(clock.elapsedMs() + GAP_MS);
    }
    if (this.#isDone) return;
    this.#isFault = true;
    this.#abort.abort();
  }

  end(): AnswerEnd {
    const suggestion = this.#isFault || this.#wasStopped ? null : this.#suggestion;
    const last = this.#said.at(-1);
    if (last === undefined && !suggestion) return { kind: "unled", isFault: this.#isFault };
    const isBroken = this.#isFault || this.#wasStopped;
    return { kind: "led", suggestion, ending: isBroken ? "broken" : isAsking(last) ? "question" : "whole" };
  }

  get isFault(): boolean {
    return this.#isFault;
  }

  async #ask(): Promise<void> {
    const { client, tools, budget } = this.#options;
    let messages = this.#options.messages;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const request = { messages, tools: toolsFor(tools.standing, tools.hasTool), maxTokens: budget.tokensPerTurn };
      const calls: ToolCall[] = [];
      const clauses = createClauseStream();
      for await (const part of client.stream(request, this.#abort.signal)) {
        if (part.type === "text" && !this.#hear(clauses.add(part.text), part.text.length)) return;
        if (part.type === "toolCall" && calls.length < MOST_TOOL_CALLS) calls.push(part.call);
        if (part.type === "end") break;
      }
      if (this.#abort.signal.aborted || !this.#hear(clauses.end(), 0)) return;
      const results = this.#obey(calls);
      if (this.#suggestion || calls.length === 0 || this.#hasWords()) return;
      messages = [...messages, { role: "assistant", content: "", toolCalls: calls }, ...results];
    }
  }

  /** False: nothing more is read. */
  #hear(clauses: readonly string[], chars: number): boolean {
    const { budget } = this.#options;
    this.#chars += chars;
    for (const clause of clauses) if (!this.#take(clause)) return false;
    return this.#chars <= budget.charsPerTurn || this.#giveUp();
  }

  #take(written: string): boolean {
    const { tools, known, guard = guarded, budget, on, speech } = this.#options;
    // What it chooses is spoken, and nothing that it writes.
    if (speech === "chosen") return true;
    // The question on the table is ours to ask, and asked right after this.
    if (tools.standing.question !== "open" && /\?["')\]]*$/.test(written)) return true;
    const result = guard(written, known);
    if ("stop" in result) {
      this.#wasStopped = true;
      on.stopped(result.stop);
      return this.#giveUp();
    }
    if (result.text === "") return true;
    this.#words += wordsIn(result.text);
    if (this.#words > budget.wordsPerTurn) return this.#giveUp();
    this.#add(phraseOf(result.text));
    return true;
  }

  #add(phrase: Phrase): void {
    this.#ready.push(phrase);
    this.#options.on.clause(phrase);
    this.#change();
  }

  /** Words of ours or of the owner's: each once, and no more than somebody keeps in mind. */
  #choose(phrase: Phrase): void {
    const chosen = [...this.#said, ...this.#ready];
    if (chosen.length < MOST_CHOSEN && !chosen.some(({ text }) => text === phrase.text)) this.#add(phrase);
  }

  #giveUp(): false {
    this.#abort.abort();
    return false;
  }

  #obey(calls: readonly ToolCall[]): ChatMessage[] {
    const { tools, on } = this.#options;
    return calls.map((call) => {
      const result = toolResult(call, tools);
      if (result.kind === "refused") on.refused(call.name);
      if (result.kind === "detail") on.detail(result.name, result.value);
      if (result.kind === "phrase") this.#choose(result.phrase);
      if (result.kind === "suggestion") this.#suggestion ??= result.suggestion;
      const content = result.kind === "refused" ? `Refused. ${result.why}` : "Done.";
      return { role: "tool", content, toolCallId: call.id };
    });
  }

  #hasWords(): boolean {
    return this.#said.length > 0 || this.#ready.length > 0;
  }

  #isWaiting(): boolean {
    return this.#ready.length === 0 && !this.#isDone;
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Until there is something to say, nothing more will come, or it is this late. */
  async #until(atMs: number): Promise<void> {
    const { clock } = this.#options;
    const limit = { isOver: false };
    const cancel = clock.after(Math.max(0, atMs - clock.elapsedMs()), () => {
      limit.isOver = true;
      this.#change();
    });
    while (this.#isWaiting() && !limit.isOver) await this.#changed.promise;
    cancel();
  }
}

/** A question of its own; what it chose is followed by ours. */
const isAsking = (phrase: Phrase | undefined): boolean => phrase?.name === "led" && phrase.text.endsWith("?");

const phraseOf = (text: string): Phrase => ({ name: "led", text, recorded: null });
