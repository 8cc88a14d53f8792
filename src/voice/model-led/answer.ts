// One streamed answer of a language model: each clause is checked, filled from fields and passed to synthesis in order.
// A slow answer is covered by one filler; past the takeover limit the answer is discarded.
import type { Clock } from "../../core/clock.ts";
import type { ChatClient, ChatMessage, ToolCall } from "../../speech/servers/port.ts";
import type { ModelSpeech } from "../../payloads/approved-answer.ts";
import type { Suggestion } from "../conversation/model.ts";
import type { Phrase } from "../conversation/phrase.ts";
import type { Truthful } from "../conversation/truthful.ts";
import { wordsIn, type Budget } from "./budget.ts";
import { createClauseStream } from "./clause-stream.ts";
import { guarded, type Known, type Stop } from "./guard.ts";
import { toolResult, toolsFor, type ToolContext } from "./tools.ts";

/** A pause of this length still passes for thinking. */
export const FILLER_MS = 900;
/**
 * After this the built-in conversation answers. Together with the endpointing pause, silence stays below three seconds.
 */
export const TAKEOVER_MS = 2_500;
/** Limit between two clauses of one answer. */
const GAP_MS = 1_500;
/** The second round follows the result of a tool call. */
const MOST_ROUNDS = 2;
/** Per answer; the first suggestion counts. */
const MOST_TOOL_CALLS = 4;
/** Chosen phrases per answer. */
const MOST_CHOSEN = 3;

export interface AnswerOptions {
  clock: Clock;
  client: ChatClient;
  messages: readonly ChatMessage[];
  tools: ToolContext;
  /** Whether the model's own text is spoken. */
  speech: ModelSpeech;
  known: Known;
  /** A clause that it replaces ends the answer. */
  truthful: Truthful;
  guard?: typeof guarded | undefined;
  budget: Budget;
  filler: Phrase;
  on: {
    /** A clause will be spoken, so synthesis can start. */
    clause(phrase: Phrase): void;
    filler(): void;
    stopped(why: Stop): void;
    refused(tool: string): void;
    detail(name: string, value: string): void;
  };
}

export type AnswerEnd =
  | { kind: "led"; suggestion: Suggestion | null; ending: "question" | "whole" | "broken" }
  /** Nothing was spoken. `isFault`: caused by the server, not by a guard. */
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
  /** The server was late or failed. */
  #isFault = false;
  #wasStopped = false;
  #changed = Promise.withResolvers<void>();

  constructor(options: AnswerOptions) {
    this.#options = options;
    this.#startedAtMs = options.clock.elapsedMs();
  }

  /** Queries the model. Resolves when the answer is complete; never rejects. */
  async run(): Promise<void> {
    try {
      await this.#ask();
    } catch {
      // Any failure: the built-in conversation answers, and the client counts the fault.
      this.#isFault ||= !this.#abort.signal.aborted;
    }
    this.#isDone = true;
    this.#change();
  }

  /** Cancels the request. */
  drop(): void {
    this.#abort.abort();
    this.#ready.length = 0;
    this.#isDone = true;
    this.#change();
  }

  /** Phrases to speak, in order. The consumer pulls the next one after the previous one was played. */
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

  /** False: stop reading the stream. */
  #hear(clauses: readonly string[], chars: number): boolean {
    const { budget } = this.#options;
    this.#chars += chars;
    for (const clause of clauses) if (!this.#take(clause)) return false;
    return this.#chars <= budget.charsPerTurn || this.#giveUp();
  }

  #take(written: string): boolean {
    const { tools, known, truthful, guard = guarded, budget, speech } = this.#options;
    // Only chosen phrases are spoken, not the model's text.
    if (speech === "chosen") return true;
    const line = truthful(phraseOf(written));
    if (line.text !== written) {
      this.#add(line);
      return this.#stop("untrue");
    }
    // Our own question follows, so a question of the model is dropped.
    if (tools.standing.question !== "open" && /\?["')\]]*$/.test(written)) return true;
    const result = guard(written, known);
    if ("stop" in result) return this.#stop(result.stop);
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

  /** Adds a phrase or an approved answer: each once, and only as many as a listener can remember. */
  #choose(phrase: Phrase): void {
    const chosen = [...this.#said, ...this.#ready];
    if (chosen.length < MOST_CHOSEN && !chosen.some(({ text }) => text === phrase.text)) this.#add(phrase);
  }

  #stop(why: Stop): false {
    this.#wasStopped = true;
    this.#options.on.stopped(why);
    return this.#giveUp();
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

  /** Waits until there is a phrase, the stream ends, or the deadline passes. */
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

/** The model asked a question itself. Chosen phrases are followed by our own question. */
const isAsking = (phrase: Phrase | undefined): boolean => phrase?.name === "led" && phrase.text.endsWith("?");

const phraseOf = (text: string): Phrase => ({ name: "led", text, recorded: null });
