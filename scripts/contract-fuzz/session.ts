// A run of the fuzzer: checks, counts and learns from every exchange; minimises and deduplicates faults.
import { CHECKS, type CheckDeps } from "./checks.ts";
import { faultOfBody, type Case } from "./cases.ts";
import { curlLine } from "./curl.ts";
import { send, type Answer, type Exchange } from "./exchange.ts";
import { learn, type Pool } from "./pool.ts";
import type { FuzzRequest } from "./request.ts";
import { Schemas } from "./schemas.ts";
import { shrunk } from "./shrink.ts";
import { Tally } from "./tally.ts";
import type { Organisation, World } from "./world.ts";

export interface Fault {
  check: string;
  operation: string;
  words: string;
  /** How the request was broken, or that it is valid. */
  kind: string;
  times: number;
  curl: string;
}

/** More faults have one common cause. */
const MOST_FAULTS = 60;

export class Session {
  readonly schemas = new Schemas();
  readonly tally = new Tally();
  readonly #faults = new Map<string, Fault>();
  readonly #owners = new Map<string, string>();
  /** Rejections of requests meant to be valid, by message. */
  readonly refusals = new Map<string, number>();

  readonly #deps: CheckDeps;

  constructor(readonly world: World) {
    this.#deps = { world, schemas: this.schemas, ownerOf: (id) => this.#owners.get(id) };
    for (const { name, exhibits, agentIds, seeds } of world.organisations) {
      for (const id of [...agentIds, ...exhibits.map((exhibit) => exhibit.id), ...[...seeds.values()].flat()]) {
        for (const part of id.split(/[| ]+/)) this.#owners.set(part, name);
      }
    }
  }

  get faults(): readonly Fault[] {
    return [...this.#faults.values()];
  }

  /** Sends a case, checks the response, and learns created ids. `ask` replaces the way to send it. */
  async run(
    sent: Case,
    organisation: Organisation,
    pool: Pool | null,
    ask: () => Promise<Answer> = () => send(this.world.url, sent.request),
  ): Promise<Answer | null> {
    const exchange = await this.#exchange(sent, organisation, ask);
    if (!exchange) return null;
    const { answer } = exchange;
    this.tally.count(sent.request.operation, answer.status);
    if (answer.status < 300) {
      if (pool) this.#own(learn(pool, sent.request, answer.json), organisation);
    } else if (sent.kind === "valid") this.#noteRefusal(sent, answer);
    for (const { name, finds } of CHECKS) {
      const words = finds(exchange, this.#deps);
      if (words !== null) await this.#note(name, words, exchange);
    }
    return answer;
  }

  /** For findings that are not about a single response. */
  tell(check: string, operation: string, words: string): void {
    this.#faults.set(`${check} ${operation} ${words}`, { check, operation, words, kind: "", times: 1, curl: "" });
  }

  #own(id: string | null, { name }: Organisation): void {
    if (id !== null) this.#owners.set(id, name);
  }

  async #exchange(sent: Case, organisation: Organisation, ask: () => Promise<Answer>): Promise<Exchange | null> {
    try {
      const answer = await ask();
      return { sent, organisation, answer, twin: sent.twin ? await send(this.world.url, sent.twin) : null };
    } catch (error) {
      this.tally.count(sent.request.operation, 0);
      const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      this.#keep("no answer", sent, words, sent.request);
      return null;
    }
  }

  #noteRefusal({ request }: Case, { status, json }: Answer): void {
    const { error } = (json ?? {}) as { error?: { code?: string; message?: string } };
    const words = `${request.operation.id} ${status} ${error?.message ?? ""}`;
    this.refusals.set(words, (this.refusals.get(words) ?? 0) + 1);
  }

  async #note(check: string, words: string, exchange: Exchange): Promise<void> {
    const { sent, organisation } = exchange;
    if (this.#isKnown(check, sent, words)) return;
    this.#keep(check, sent, words, sent.request);
    const shows = CHECKS.find(({ name }) => name === check);
    // A twin is about the ids of both requests, so neither can be minimised alone.
    if (sent.twin || !shows) return;
    const smallest = await shrunk(sent.request, async (request) => {
      const smaller = this.#stillMeant({ ...sent, request });
      const again = smaller === null ? null : await this.#quietly(smaller, organisation);
      const found = again === null ? null : shows.finds(again, this.#deps);
      // The document's message changes with the remaining body.
      return found === words || (found !== null && sent.forbidden !== undefined);
    });
    this.#keep(check, sent, words, smallest);
  }

  /** Minimising may have removed the forbidden part; then it is a different case. */
  #stillMeant(sent: Case): Case | null {
    const { forbidden, request } = sent;
    if (forbidden === undefined) return sent;
    const { body, operation } = request;
    const now = body?.kind === "json" ? faultOfBody(operation, body.value, this.schemas) : null;
    return now === null ? null : { ...sent, forbidden: now };
  }

  async #quietly(sent: Case, organisation: Organisation): Promise<Exchange | null> {
    const answer = await send(this.world.url, sent.request).catch(() => null);
    return answer === null ? null : { sent, organisation, answer, twin: null };
  }

  /** Faults with the same text apart from numbers are the same. */
  #nameOf(check: string, { request }: Case, words: string): string {
    return `${check} ${request.operation.id} ${words.replaceAll(/\/\d+/g, "/#")}`;
  }

  #isKnown(check: string, sent: Case, words: string): boolean {
    const known = this.#faults.get(this.#nameOf(check, sent, words));
    if (known) known.times += 1;
    return known !== undefined || this.#faults.size >= MOST_FAULTS;
  }

  #keep(check: string, sent: Case, words: string, request: FuzzRequest): void {
    const name = this.#nameOf(check, sent, words);
    const times = this.#faults.get(name)?.times ?? 1;
    const curl = curlLine(request, this.world.secrets);
    this.#faults.set(name, { check, operation: request.operation.id, words, kind: sent.kind, times, curl });
  }
}
