// Connections to systems that we send to: one for each address, kept open, with one message at a time on it.
import type { SecureContext } from "node:tls";
import { SECOND_MS } from "../../../core/clock.ts";
import { formatIp, type IpBytes } from "../../../net/addresses.ts";
import { beforeDeadline, startDeadline, type Deadline } from "../../../net/deadline.ts";
import { connectFailure, localFaultTowards, NetFailure, type FailureKind } from "../../../net/failure.ts";
import { openNativeWire } from "../../../net/http/native-wire.ts";
import type { Wire } from "../../../net/http/wire.ts";
import type { HttpUrl } from "../../../net/http-url.ts";
import { readAcknowledgement, type ReadAnswer } from "../message/acknowledgement.ts";
import { parseMessage } from "../message/message.ts";
import { createFraming, framed } from "../mllp.ts";

export interface LinkDeps {
  /** Authorities of receivers, with our certificate. */
  trust: () => SecureContext;
  addressesOf: (target: HttpUrl, deadline: Deadline) => Promise<IpBytes[]>;
}

/** An acknowledgement is short. */
const LONGEST_ANSWER_BYTES = 64 * 1024;
const MOST_LINKS = 64;
const LONGEST_REST_MS = 60 * SECOND_MS;
const MOST_ADDRESSES_TRIED = 4;

export class MllpLinks {
  readonly #waiting = new Map<string, Wire>();
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(private readonly deps: LinkDeps) {}

  /** Waits for its turn, sends, and waits for the answer. Throws a NetFailure. */
  exchange(target: HttpUrl, message: Buffer, controlId: string, timeoutMs: number): Promise<ReadAnswer> {
    const key = `${target.isTls ? "mllps" : "mllp"} ${target.host} ${target.port}`;
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(() =>
      this.#exchange(key, target, message, controlId, startDeadline(timeoutMs)),
    );
    const settled = turn.catch(() => {});
    this.#last.set(key, settled);
    void settled.then(() => this.#last.get(key) === settled && this.#last.delete(key));
    return turn;
  }

  async #exchange(key: string, target: HttpUrl, message: Buffer, controlId: string, deadline: Deadline) {
    // Before a kept connection is used too, because a name may have moved to another address.
    const addresses = await this.deps.addressesOf(target, deadline);
    const kept = this.#waiting.get(key);
    this.#waiting.delete(key);
    if (kept && !kept.isGone) {
      kept.resume();
      try {
        return await this.#over(kept, key, target, message, controlId, deadline);
      } catch (error) {
        // The receiver closed it in the meantime. The control id tells it a repetition.
        if (!(error instanceof NetFailure) || error.kind !== "unreachable") throw error;
      }
    }
    const wire = await this.#open(target, addresses, deadline);
    return this.#over(wire, key, target, message, controlId, deadline);
  }

  async #over(wire: Wire, key: string, target: HttpUrl, message: Buffer, controlId: string, deadline: Deadline) {
    try {
      const answer = await answerOver(wire, target, framed(message), controlId, deadline);
      this.#keep(key, wire);
      return answer;
    } catch (error) {
      // An answer that comes late must not be taken for the next one's.
      wire.destroy();
      throw error;
    }
  }

  #keep(key: string, wire: Wire): void {
    // Bytes that arrive now close it.
    wire.listener = null;
    wire.rest(LONGEST_REST_MS);
    const [oldest] = this.#waiting;
    if (oldest && this.#waiting.size >= MOST_LINKS) {
      oldest[1].destroy();
      this.#waiting.delete(oldest[0]);
    }
    this.#waiting.set(key, wire);
  }

  async #open(target: HttpUrl, addresses: readonly IpBytes[], deadline: Deadline): Promise<Wire> {
    const tried = addresses.slice(0, MOST_ADDRESSES_TRIED);
    let failure: NetFailure | null = null;
    for (const [i, address] of tried.entries()) {
      if (deadline.remainingMs() === 0) break;
      const where = `${formatIp(address)} port ${target.port}`;
      const failed = (kind: FailureKind, what: string) => new NetFailure(kind, `${where}: ${what}.`);
      try {
        return await openNativeWire({
          target,
          address,
          trust: target.isTls ? this.deps.trust() : null,
          deadline: deadline.share(tried.length - i),
          late: () => failed("timeout", "no connection in time"),
          closed: () => failed("unreachable", "closed at once"),
          unverified: () => failed("unreachable", "the certificate was not verified"),
        });
      } catch (error) {
        failure = error instanceof NetFailure ? error : await judged(error, address, target.port, where);
      }
    }
    throw failure ?? new NetFailure("timeout", `${target.host}: no connection in time.`);
  }
}

async function judged(error: unknown, address: IpBytes, port: number, where: string): Promise<NetFailure> {
  const failure = connectFailure(error, where);
  const localFault = failure.kind === "unreachable" ? await localFaultTowards(address, port) : null;
  if (localFault === null) return failure;
  return new NetFailure("our_fault", `${where}: this machine cannot connect (${localFault}).`);
}

function answerOver(
  wire: Wire,
  { host, port }: HttpUrl,
  bytes: Buffer,
  controlId: string,
  deadline: Deadline,
): Promise<ReadAnswer> {
  const failed = (kind: FailureKind, what: string) => new NetFailure(kind, `${host} port ${port}: ${what}.`);
  const framing = createFraming(LONGEST_ANSWER_BYTES);
  const answer = Promise.withResolvers<ReadAnswer>();
  wire.listener = {
    heard(heard) {
      for (const each of framing.take(heard)) {
        const read = each.kind === "message" ? readQuietly(each.bytes) : null;
        if (!read) answer.reject(failed("unreachable", "the answer is no acknowledgement"));
        // Answers to other messages are skipped.
        else if (read.controlId === "" || read.controlId === controlId) answer.resolve(read);
      }
      if (framing.size > LONGEST_ANSWER_BYTES) answer.reject(failed("unreachable", "the answer is too long"));
    },
    ended: () => answer.reject(failed("unreachable", "closed without an answer")),
  };
  wire.write(bytes);
  return beforeDeadline(deadline, answer.promise, () => failed("timeout", "no acknowledgement in time"));
}

function readQuietly(bytes: Buffer): ReadAnswer | null {
  try {
    return readAcknowledgement(parseMessage(bytes));
  } catch {
    return null;
  }
}
