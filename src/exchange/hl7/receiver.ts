// Takes one message: finds its source, applies it through the mirror, logs it, and makes the answer. The answer is made
// after the transaction that applied the message has committed.
import { SYSTEM_ACTOR } from "../../core/actor.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { hmacSha256 } from "../../core/hmac.ts";
import type { Ids } from "../../core/ids.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Database } from "../../db/database.ts";
import type { Mirror } from "../mirror/port.ts";
import { applied, type Applied } from "./applied.ts";
import { countRepetition, insertMessage, loggedBefore, updateMessage, type MessageChange } from "./log/log-store.ts";
import { masked } from "./log/masked.ts";
import type { LoggedMessage } from "./log/records.ts";
import { acknowledgement } from "./message/acknowledgement.ts";
import { encodeText } from "./message/charset.ts";
import { Hl7Fault } from "./message/fault.ts";
import { parseMessage, type Message } from "./message/message.ts";
import { writeTime } from "./message/time.ts";
import type { Hl7Sources } from "./ports.ts";
import { readPatient } from "./reading/patient.ts";
import { assertAccepted, readMessage, typeOf, type Understood } from "./reading/read-message.ts";
import { matches, senderFault, type Peer } from "./sender.ts";
import type { Hl7Settings, Hl7Source } from "./settings.ts";

export const HL7_PURPOSE = "hl7-message";

export interface ReceiverDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  secrets: SecretBox;
  sources: Hl7Sources;
  mirror: Mirror;
  /** The zone of a branch; of the organisation for null. */
  zoneOf: (organisationId: string, branchId: string | null) => Promise<string>;
}

export interface Received {
  /** Encoded in the sender's character set. */
  answer: Buffer;
  code: LoggedMessage["code"];
  outcome: LoggedMessage["outcome"] | "repeated";
  /** Null if the sender is not known. */
  sourceId: string | null;
  /** Without personal data, for the program's log. */
  reason: string | null;
}

type MessageKey = Pick<LoggedMessage, "source_id" | "control_id" | "digest">;

export class Receiver {
  readonly #digestKey: Buffer;
  /**
   * Equal messages are applied one after the other, whatever connection they come from. Others need not wait: the time
   * of their change orders them, and together they share a commit.
   */
  readonly #inWork = new Map<string, Promise<unknown>>();

  constructor(private readonly deps: ReceiverDeps) {
    this.#digestKey = deps.secrets.deriveKey("hl7-digests");
  }

  /**
   * Throws for faults of the appliance, such as UNAVAILABLE: then nothing is answered, and the sender sends it again.
   */
  async receive(bytes: Uint8Array, peer: Peer): Promise<Received> {
    let message: Message | null = null;
    try {
      message = parseMessage(bytes);
      const source = await this.#sourceOf(message, peer);
      const key = this.#keyOf(message, bytes, source);
      return await this.#inTurn(key, () => this.#take(message as Message, key, bytes, source, peer));
    } catch (error) {
      if (!(error instanceof Hl7Fault)) throw error;
      return this.#refused(message, error);
    }
  }

  /** For a frame of which only the beginning was kept. */
  refuse(head: Uint8Array, fault: Hl7Fault): Received {
    try {
      return this.#refused(parseMessage(head), fault);
    } catch (error) {
      if (!(error instanceof Hl7Fault)) throw error;
      return this.#refused(null, fault);
    }
  }

  #refused(message: Message | null, fault: Hl7Fault): Received {
    const answer = encodeText(this.#answer(message, fault), message?.charset ?? "");
    return { answer, code: fault.code, outcome: "refused", sourceId: null, reason: fault.message };
  }

  async #sourceOf(message: Message, peer: Peer): Promise<Hl7Source> {
    const header = message.first("MSH");
    const [application, facility] = [message.value(header, 3), message.value(header, 4)];
    const found = await this.deps.sources.ofSender(application, facility);
    const [source, ...others] = found.filter((each) => matches(each, peer));
    if (source && others.length === 0) return source;
    throw senderFault(found.length, others.length > 0);
  }

  #keyOf(message: Message, bytes: Uint8Array, source: Hl7Source): MessageKey {
    return {
      source_id: source.id,
      control_id: message.value(message.first("MSH"), 10).slice(0, LONGEST_CONTROL_ID),
      digest: hmacSha256(this.#digestKey, bytes).toString("hex"),
    };
  }

  #inTurn<Result>({ source_id, digest }: MessageKey, run: () => Promise<Result>): Promise<Result> {
    const name = `${source_id} ${digest}`;
    const result = (this.#inWork.get(name) ?? Promise.resolve()).then(run);
    const settled = result.catch(() => {});
    this.#inWork.set(name, settled);
    void settled.then(() => this.#inWork.get(name) === settled && this.#inWork.delete(name));
    return result;
  }

  async #take(message: Message, key: MessageKey, bytes: Uint8Array, source: Hl7Source, peer: Peer): Promise<Received> {
    const { db, clock } = this.deps;
    const before = await loggedBefore(db.reader, key);
    if (before?.code === "AA") {
      await db.write((tx) => countRepetition(tx, before.id, clock.now()));
      return this.#received(message, before, "repeated", source);
    }
    const result = await this.#apply(message, source);
    const answer = this.#answer(message, result.fault);
    const row = { ...key, answer, ...this.#row(message, bytes, source, peer, result) };
    // A repetition of a refused message is tried again: its cause may be removed.
    if (before) await db.write((tx) => updateMessage(tx, before.id, repeatedRow(row, before)));
    else await db.write((tx) => insertMessage(tx, row));
    return this.#received(message, row, row.outcome, source);
  }

  #received(
    message: Message,
    { answer, code, reason }: Pick<LoggedMessage, "answer" | "code" | "reason">,
    outcome: Received["outcome"],
    source: Hl7Source,
  ): Received {
    return { answer: encodeText(answer, message.charset), code, outcome, sourceId: source.id, reason };
  }

  /** Reads and applies it; a fault of the message is a result. */
  async #apply(message: Message, source: Hl7Source): Promise<Applied> {
    const { mirror, clock } = this.deps;
    let understood: Understood | null = null;
    try {
      assertAccepted(message);
      understood = await this.understood(message, source);
      return await applied(mirror, source, understood, SYSTEM_ACTOR, clock.now());
    } catch (error) {
      if (error instanceof Hl7Fault) return { outcome: "refused", fault: error, appointmentId: null, understood };
      if (error instanceof AppError && error.code === "VALIDATION_ERROR") {
        const fault = new Hl7Fault("AE", 102, null, error.message);
        return { outcome: "refused", fault, appointmentId: null, understood };
      }
      throw error;
    }
  }

  /** What a message says, without changing anything. Throws a Hl7Fault. */
  understood(message: Message, source: Hl7Source): Promise<Understood> {
    return readMessage(message, source, (branchId) => this.deps.zoneOf(source.organisationId, branchId));
  }

  /** Tries a logged message again, for example after a code was added to the mappings. */
  async again(source: Hl7Source, bytes: Uint8Array) {
    const message = parseMessage(bytes);
    const result = await this.#inTurn(this.#keyOf(message, bytes, source), () => this.#apply(message, source));
    const { outcome, code, reason, notes, appointment_id } = this.#result(message, result);
    return { outcome, code, reason, notes, appointment_id, answer: this.#answer(message, result.fault) };
  }

  #answer(message: Message | null, fault: Hl7Fault | null): string {
    const { clock, ids } = this.deps;
    return acknowledgement(message, fault, { time: writeTime(clock.now()), controlId: controlIdOf(ids.next("hlm")) });
  }

  #result(message: Message, { outcome, fault, appointmentId, understood }: Applied) {
    return {
      outcome,
      code: fault?.code ?? ("AA" as const),
      reason: fault?.message ?? null,
      notes: understood?.notes ?? message.notes,
      appointment_id: appointmentId,
    };
  }

  #row(message: Message, bytes: Uint8Array, source: Hl7Source, peer: Peer, result: Applied) {
    const { clock, ids, secrets } = this.deps;
    const header = message.first("MSH");
    const { type, trigger } = typeOf(message);
    const now = clock.now();
    // For erasure: an original about several people cannot be found by the number of one.
    const numbers = numbersIn(message, source.settings);
    const isKept = result.fault !== null && numbers.length <= 1;
    return {
      id: ids.next("hlm"),
      organisation_id: source.organisationId,
      // Only where it is one: of a mangled message any text may be here.
      type: /^[A-Z0-9]{3}\^[A-Z0-9]{2,3}$/.exec(`${type}^${trigger}`)?.[0] ?? "",
      version: /^\d(?:\.\d){1,2}$/.exec(message.value(header, 12))?.[0] ?? "",
      peer: peer.address,
      ...this.#result(message, result),
      masked: masked(message),
      sealed_message: isKept ? secrets.seal(Buffer.from(bytes).toString("base64"), HL7_PURPOSE) : null,
      contact_number: isKept ? (numbers[0] ?? null) : null,
      times_received: 1,
      created_at: now,
      updated_at: now,
    };
  }
}

const LONGEST_CONTROL_ID = 199;
/** HL7 allows 20 characters in MSH-10. */
export const controlIdOf = (id: string): string => id.slice(-20).toUpperCase();

function repeatedRow(row: LoggedMessage, before: LoggedMessage): MessageChange {
  const { answer, outcome, code, reason, notes, appointment_id, sealed_message, contact_number, updated_at } = row;
  const times_received = before.times_received + 1;
  return {
    answer,
    outcome,
    code,
    reason,
    notes,
    appointment_id,
    sealed_message,
    contact_number,
    updated_at,
    times_received,
  };
}

/** Also of a message that was not understood. */
function numbersIn(message: Message, settings: Hl7Settings): string[] {
  const numbers = message.all("PID").map((pid) => readPatient(message, pid, settings).number ?? []);
  return [...new Set(numbers.flat())];
}
