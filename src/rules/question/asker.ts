// Asks the organisations' own systems before calls, outside any transaction. Answers stay in memory: they are valid for
// seconds, and after a crash the calls are asked about again.
import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import type { Executor } from "../../db/tables.ts";
import { ANSWER_VALID_MS, dialAnswerOf, type DialAnswer } from "./answer.ts";
import { askOnce, type Asked, type AskingDeps, type QuestionData } from "./asking.ts";
import { questionSettingsOf } from "./question-store.ts";

/** A call that could be dialled now, and is asked about first. */
export interface AskedCall {
  organisationId: string;
  /** The line that is kept free for it. */
  phoneNumberId: string;
  /** Its place in the queue, restored with the answer. */
  dueAt: number;
  data: QuestionData;
}

export interface AskerDeps extends AskingDeps {
  logger: Logger;
  reader: Executor;
  /** Puts calls back to their place in the queue and wakes the dispatcher. */
  answered: (calls: readonly AskedCall[]) => Promise<void>;
}

/** Per organisation. With 2 s for each answer at worst, this still allows ten calls a second. */
export const MOST_QUESTIONS_AT_ONCE = 20;

export class Asker {
  readonly #underWay = new Map<string, AskedCall>();
  readonly #countByOrganisation = new Map<string, number>();
  /** In the order of their time. */
  readonly #answers = new Map<string, DialAnswer>();
  readonly #work = new Set<Promise<void>>();
  #toRelease: AskedCall[] = [];
  #isReleasing = false;
  #isStopped = false;

  constructor(private readonly deps: AskerDeps) {}

  /** A valid answer about the call; null if it must be asked about. */
  answerTo(callId: string, now: number): DialAnswer | null {
    const answer = this.#answers.get(callId);
    return answer && isValid(answer, now) ? answer : null;
  }

  /** Calls whose questions are under way; each keeps a line. */
  underWay(): AskedCall[] {
    return [...this.#underWay.values()];
  }

  /** How many more questions of the organisation may be under way. */
  places(organisationId: string): number {
    return MOST_QUESTIONS_AT_ONCE - (this.#countByOrganisation.get(organisationId) ?? 0);
  }

  /** Does not wait for the answers. */
  ask(calls: readonly AskedCall[]): void {
    for (const call of calls) {
      const { organisationId, data } = call;
      if (this.#isStopped || this.#underWay.has(data.call_id) || this.places(organisationId) <= 0) continue;
      this.#underWay.set(data.call_id, call);
      this.#count(organisationId, 1);
      this.#keep(this.#askAbout(call));
    }
  }

  /** A call was dialled: its answer is not used again. */
  used(callId: string): void {
    this.#answers.delete(callId);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#work);
  }

  async #askAbout(call: AskedCall): Promise<void> {
    const { data, organisationId } = call;
    try {
      const answer = await this.#answerAbout(call);
      if (answer) this.#store(data.call_id, answer);
    } catch (error) {
      // The settings could not be read, so it is unknown whether calls go out without an answer: they wait.
      this.deps.logger.error("question before a call failed", { call: data.call_id, error: messageOf(error) });
      this.#store(data.call_id, { kind: "unanswered", at: this.deps.clock.now() });
    } finally {
      this.#underWay.delete(data.call_id);
      this.#count(organisationId, -1);
    }
    this.#toRelease.push(call);
    if (!this.#isReleasing) await this.#release();
  }

  /** Null if the organisation no longer asks. */
  async #answerAbout({ organisationId, data }: AskedCall): Promise<DialAnswer | null> {
    const { reader, clock, logger } = this.deps;
    const settings = await questionSettingsOf(reader, organisationId);
    if (!settings) return null;
    const { answer } = await askOnce(this.deps, settings, data).catch(failedAsking);
    if (answer.kind === "failed")
      logger.warn("question before a call not answered", { call: data.call_id, detail: answer.detail });
    return dialAnswerOf(answer, settings.fails, clock.now());
  }

  #store(callId: string, answer: DialAnswer): void {
    for (const [id, known] of this.#answers) {
      if (isValid(known, answer.at)) break;
      this.#answers.delete(id);
    }
    // Deleted first, so that the map stays in the order of time.
    this.#answers.delete(callId);
    this.#answers.set(callId, answer);
  }

  /** One write for all answers that came in during the last one. */
  async #release(): Promise<void> {
    this.#isReleasing = true;
    try {
      while (this.#toRelease.length > 0) {
        const calls = this.#toRelease;
        this.#toRelease = [];
        await this.deps.answered(calls);
      }
    } catch (error) {
      this.deps.logger.error("answered calls not released; their hold ends within seconds", {
        error: messageOf(error),
      });
    } finally {
      this.#isReleasing = false;
    }
  }

  #count(organisationId: string, by: number): void {
    const count = (this.#countByOrganisation.get(organisationId) ?? 0) + by;
    if (count === 0) this.#countByOrganisation.delete(organisationId);
    else this.#countByOrganisation.set(organisationId, count);
  }

  #keep(work: Promise<void>): void {
    this.#work.add(work);
    void work.finally(() => this.#work.delete(work));
  }
}

/** The question could not be sent, for example because its secret cannot be opened with this key. */
const failedAsking = (error: unknown): Pick<Asked, "answer"> => ({
  answer: { kind: "failed", detail: messageOf(error) },
});

/** Not valid either after the clock was set back. */
const isValid = ({ at }: DialAnswer, now: number): boolean => at <= now && now - at < ANSWER_VALID_MS;
