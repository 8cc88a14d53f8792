// A language model's part in one call: when it is queried, its input, and when it is suspended. After a timeout or
// failure the built-in conversation continues; the model leads again once it answers a probe quickly.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import { within } from "../../core/within.ts";
import type { Utterance } from "../../payloads/conversation.ts";
import type { ChatClient, ChatRequest } from "../../speech/servers/port.ts";
import type { CallbackTime, TalkCall, TalkState } from "../conversation/model.ts";
import type { TalkContext } from "../conversation/moves.ts";
import type { Phrases } from "../conversation/phrases/phrases.ts";
import type { Phrase } from "../conversation/phrase.ts";
import type { Truthful } from "../conversation/truthful.ts";
import type { AgentBrief, LedCounts } from "../port.ts";
import { FILLER_MS, ModelAnswer, type AnswerEnd } from "./answer.ts";
import { BUDGET, isWithin, type Budget } from "./budget.ts";
import { answersFor } from "./approved.ts";
import { factsOf } from "./data.ts";
import type { guarded } from "./guard.ts";
import { phrasesFor } from "./phrases.ts";
import { promptFor } from "./prompt.ts";
import type { Standing } from "./standing.ts";
import type { ToolContext } from "./tools.ts";

/** Delays of the probes after a failure. */
const PROBES_MS = [3 * SECOND_MS, 8 * SECOND_MS, 15 * SECOND_MS];
const PROBE: ChatRequest = {
  messages: [{ role: "user", content: "Answer with one word: ready" }],
  tools: [],
  maxTokens: 4,
};
/** Bounds handbacks, because each further failure costs the callee a wait. */
const MOST_HANDBACKS = 2;
const MOST_DETAILS = 20;

/** Overrides of the guards, for tests. */
export interface LedOptions extends Pick<TalkContext, "rules"> {
  guard?: typeof guarded;
  budget?: Budget;
  isGrounded?: ToolContext["isGrounded"];
  hasTool?: ToolContext["hasTool"];
}

export interface LeadOptions {
  clock: Clock;
  logger: Logger;
  brief: AgentBrief;
  client: ChatClient;
  truthful: Truthful;
  /** Starts synthesis of phrases ahead of use. */
  prepare(phrases: readonly Phrase[]): void;
  start(work: () => Promise<void>): void;
  guard?: typeof guarded | undefined;
  budget?: Budget | undefined;
  isGrounded?: ToolContext["isGrounded"];
  hasTool?: ToolContext["hasTool"];
}

/** State of the call when the model is queried. */
export interface LeadMoment {
  state: TalkState;
  call: TalkCall;
  now: CallbackTime;
  said: readonly Utterance[];
  phrases: Phrases;
  /** The first words of the answer have arrived. */
  first(): void;
}

export class Lead {
  readonly #options: LeadOptions;
  readonly #budget: Budget;
  readonly #details = new Map<string, string>();
  readonly #counts: LedCounts = { turns: 0, fillers: 0, takeovers: 0, handbacks: 0, stopped: 0, refusedTools: 0 };
  #answer: ModelAnswer | null = null;
  #guess: Guess | null = null;
  #isResting = false;
  #isClosed = false;
  #cancelProbe = (): void => {};

  constructor(options: LeadOptions) {
    this.#options = options;
    this.#budget = options.budget ?? BUDGET;
    options.client.warm();
  }

  isReady(callMs: number): boolean {
    const { turns, stopped } = this.#counts;
    return !this.#isResting && !this.#isClosed && isWithin({ turns, stopped, callMs }, this.#budget);
  }

  /**
   * Speculative query before the end of turn is certain. Its effects are held back until `answer` asks for the same.
   */
  guess(moment: LeadMoment): void {
    const guess = this.#ask(moment);
    if (this.#guess?.asked === guess.asked) return;
    this.dropGuess();
    this.#guess = guess;
    this.#options.start(() => guess.answer.run());
  }

  dropGuess(): void {
    this.#guess?.answer.drop();
    this.#guess = null;
  }

  /** Queries the model, or reuses an identical speculative query. Cancels other queries. */
  answer(moment: LeadMoment): ModelAnswer {
    const now = this.#ask(moment);
    const guess = this.#guess?.asked === now.asked ? this.#guess : null;
    if (guess) this.#guess = null;
    this.drop();
    const { answer, effects } = guess ?? now;
    this.#counts.turns++;
    this.#answer = answer;
    effects.release();
    if (!guess) this.#options.start(() => answer.run());
    return answer;
  }

  drop(): void {
    this.#answer?.drop();
    this.#answer = null;
    this.dropGuess();
  }

  #ask(moment: LeadMoment): Guess {
    const effects = createHeldEffects();
    const options = this.#answerOptions(moment, effects);
    const asked = JSON.stringify([options.messages, options.tools.standing]);
    return { asked, effects, answer: new ModelAnswer(options) };
  }

  /** How a fully played answer ended. */
  ended(answer: ModelAnswer): AnswerEnd {
    const end = answer.end();
    if (end.kind === "unled" && end.isFault) this.#counts.takeovers++;
    if (answer.isFault) this.#rest();
    this.drop();
    return end;
  }

  details(): Record<string, string> {
    return Object.fromEntries(this.#details);
  }

  counts(): LedCounts {
    return { ...this.#counts };
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelProbe();
    this.drop();
    this.#options.client.close();
  }

  #answerOptions({ state, call, now, said, phrases, first }: LeadMoment, effects: HeldEffects) {
    const { clock, brief, client, truthful, prepare, guard } = this.#options;
    const { modelSpeech = "chosen", details = [] } = brief;
    const answers = answersFor(brief);
    const standing: Standing = { ...standingOf(state, call), answers, details };
    const counts = this.#counts;
    return {
      clock,
      client,
      messages: promptFor(brief, { now: { date: now.date, time: now.startTime }, said, standing }),
      tools: {
        standing,
        said,
        phrases: phrasesFor(phrases, call, standing),
        now,
        language: brief.language,
        isGrounded: this.#options.isGrounded,
        hasTool: this.#options.hasTool,
      },
      speech: modelSpeech,
      known: {
        isContact: state.isContact === true,
        ownText: brief.promptTemplate ?? brief.prompt,
        answers: answers.map(({ answer }) => answer),
        facts: factsOf(brief.additionalInfo),
        names: brief.contactName === null ? [] : [brief.contactName],
        appointment: state.appointment,
        offers: state.offers,
        today: now.date,
        language: brief.language,
        settled: standing.settled,
      },
      truthful,
      guard,
      budget: this.#budget,
      filler: phrases.filler,
      on: {
        clause: (phrase: Phrase) => {
          effects.add(first);
          prepare([phrase]);
        },
        filler: () => void counts.fillers++,
        stopped: () => effects.add(() => counts.stopped++),
        refused: () => effects.add(() => counts.refusedTools++),
        detail: (name: string, value: string) =>
          effects.add(() => {
            if (this.#details.size < MOST_DETAILS || this.#details.has(name)) this.#details.set(name, value);
          }),
      },
    };
  }

  #rest(): void {
    if (this.#isResting || this.#isClosed) return;
    this.#isResting = true;
    this.#options.logger.warn("language model timed out; the built-in conversation continues");
    this.#probe(0);
  }

  #probe(tries: number): void {
    const afterMs = PROBES_MS[tries];
    if (afterMs === undefined || this.#isClosed || this.#counts.handbacks >= MOST_HANDBACKS) return;
    this.#cancelProbe = this.#options.clock.after(afterMs, () =>
      this.#options.start(async () => {
        const isAwake = await this.#isAwake();
        if (!isAwake) this.#probe(tries + 1);
        if (!isAwake || this.#isClosed) return;
        this.#isResting = false;
        this.#counts.handbacks++;
      }),
    );
  }

  /** Whether the server starts to answer within the filler time. */
  async #isAwake(): Promise<boolean> {
    const { clock, client } = this.#options;
    const abort = new AbortController();
    const firstPart = async () => {
      for await (const part of client.stream(PROBE, abort.signal)) return part.type === "text";
      return false;
    };
    const isAwake = await within(clock, FILLER_MS, firstPart, false);
    abort.abort();
    return isAwake;
  }
}

/** Side effects of an answer, held back until the answer is used. */
interface HeldEffects {
  add(effect: () => void): void;
  release(): void;
}

interface Guess {
  /** The complete input of the model. */
  asked: string;
  answer: ModelAnswer;
  effects: HeldEffects;
}

function createHeldEffects(): HeldEffects {
  let held: (() => void)[] | null = [];
  return {
    add(effect) {
      if (held) held.push(effect);
      else effect();
    },
    release() {
      const all = held ?? [];
      held = null;
      for (const effect of all) effect();
    },
  };
}

function standingOf({ question, appointment, offers, outcome }: TalkState, call: TalkCall): Standing {
  const { canBook, canWait = false, hasPlace = false, canTransfer, isOutbound } = call;
  // Labels are valid only while the offers are on the table.
  const onTable = question === "offers" || question === "slot" ? offers : [];
  return {
    question,
    appointment,
    offers: onTable,
    canBook,
    canWait,
    hasPlace,
    canTransfer,
    isOutbound,
    settled: outcome === "none" ? null : outcome,
  };
}
