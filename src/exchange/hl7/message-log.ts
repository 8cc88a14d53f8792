// The message log: list, one message, another try of a refused one, and removal by age.
import type { Audit } from "../../accounts/audit.ts";
import type { Actor } from "../../core/actor.ts";
import { DAY_MS, toIso, type Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { decodeCursor, pageOf, pageSize } from "../../core/pages.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/tables.ts";
import type { Hl7Sources } from "./ports.ts";
import { HL7_PURPOSE, type Receiver } from "./receiver.ts";
import {
  beyondNewest,
  deleteMessagesBefore,
  deleteOfSource,
  messageOf,
  messagesOf,
  updateMessage,
} from "./log/log-store.ts";
import type { ListHl7MessagesInput } from "./log/model.ts";
import type { LoggedMessage } from "./log/records.ts";

export interface LogServiceDeps {
  db: Database;
  clock: Clock;
  audit: Audit;
  secrets: SecretBox;
  sources: Pick<Hl7Sources, "byId">;
  receiver: Pick<Receiver, "again">;
  keepDays: number;
  /** For tests. */
  mostMessages?: number;
}

/** About 10 ms of writer time. */
const PER_BATCH = 200;
/** More than a source can send between two runs. */
const BATCHES_PER_RUN = 500;
/** Of a source. A sender in a loop must not fill the disk. */
const MOST_MESSAGES = 200_000;

export function createHl7Log(deps: LogServiceDeps) {
  const { db, clock, audit, secrets, sources, receiver, keepDays, mostMessages = MOST_MESSAGES } = deps;

  async function known(organisationId: string, id: string): Promise<LoggedMessage> {
    const row = await messageOf(db.reader, organisationId, id);
    if (!row) throw new AppError("NOT_FOUND", "There is no HL7 message with this id.");
    return row;
  }

  async function inBatches(remove: (tx: Tx) => Promise<number>): Promise<void> {
    for (let batch = 0; batch < BATCHES_PER_RUN; batch++) if ((await db.write(remove)) < PER_BATCH) return;
  }

  return {
    async page(organisationId: string, query: ListHl7MessagesInput) {
      const limit = pageSize(query.limit);
      const rows = await messagesOf(db.heavy, {
        organisationId,
        sourceId: query.source_id,
        outcome: query.outcome,
        before: query.cursor === undefined ? undefined : decodeCursor(query.cursor, query),
        limit: limit + 1,
      });
      return pageOf(rows, limit, query, listedView);
    },

    async get(organisationId: string, id: string) {
      return messageView(await known(organisationId, id));
    },

    /** Processes a refused message again, for example after its code was added to the mappings. */
    async resend(organisationId: string, id: string, actor: Actor) {
      const row = await known(organisationId, id);
      if (row.sealed_message === null)
        throw new AppError("CONFLICT", "Only refused messages keep their original. Let the sender send it again.");
      const source = await sources.byId(organisationId, row.source_id);
      if (!source) throw new AppError("CONFLICT", "The source of this message is switched off or was removed.");
      const bytes = Buffer.from(secrets.open(row.sealed_message, HL7_PURPOSE), "base64");
      const result = await receiver.again(source, bytes);
      const isApplied = result.code === "AA";
      const change = {
        ...result,
        ...(isApplied && { sealed_message: null, contact_number: null }),
        updated_at: clock.now(),
      };
      await db.write(async (tx) => {
        await updateMessage(tx, id, change);
        const detail = { outcome: result.outcome };
        await audit.record(tx, { organisationId, actor, action: "message.resent", subjectId: id, detail });
      });
      return messageView({ ...row, ...change });
    },

    /** Recurring job. */
    retention: {
      name: "prune HL7 messages",
      pattern: "3-59/10 * * * *",
      isDestructive: true,
      async run(now: number): Promise<void> {
        await inBatches((tx) => deleteMessagesBefore(tx, now - keepDays * DAY_MS, PER_BATCH));
        for (const place of await beyondNewest(db.heavy, mostMessages))
          await inBatches((tx) => deleteOfSource(tx, place, PER_BATCH));
      },
    },
  };
}

export type Hl7Log = ReturnType<typeof createHl7Log>;

function listedView(row: LoggedMessage) {
  const { id, source_id, control_id, type, version, peer, outcome, code, reason, notes, appointment_id } = row;
  return {
    message_id: id,
    source_id,
    control_id,
    type,
    version,
    peer,
    outcome,
    code,
    reason,
    notes: [...notes],
    appointment_id,
    times_received: row.times_received,
    may_resend: row.sealed_message !== null,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  };
}

function messageView(row: LoggedMessage) {
  return { ...listedView(row), masked: row.masked, answer: row.answer.replaceAll("\r", "\n").trim() };
}
