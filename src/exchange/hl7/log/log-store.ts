// Store of the HL7 message log.
import type { Position } from "../../../core/pages.ts";
import { prepared } from "../../../db/prepared.ts";
import type { Executor, Tx } from "../../../db/tables.ts";
import { messageMeaning, type LoggedMessage, type LoggedOutcome } from "./records.ts";

const selectRepeated = prepared<{ sourceId: string; controlId: string; digest: string }>()((db, p) =>
  db
    .selectFrom("hl7_messages")
    .selectAll()
    .where("source_id", "=", p.sourceId)
    .where("control_id", "=", p.controlId)
    .where("digest", "=", p.digest),
);

/** The same message, received before. */
export async function loggedBefore(
  executor: Executor,
  message: Pick<LoggedMessage, "source_id" | "control_id" | "digest">,
): Promise<LoggedMessage | undefined> {
  const { source_id: sourceId, control_id: controlId, digest } = message;
  const [row] = await selectRepeated(executor, { sourceId, controlId, digest });
  return row && messageMeaning.read(row);
}

/** The first of two equal messages is kept. */
export async function insertMessage(tx: Tx, row: LoggedMessage): Promise<void> {
  await tx
    .insertInto("hl7_messages")
    .values(messageMeaning.write(row))
    .onConflict((conflict) => conflict.columns(["source_id", "control_id", "digest"]).doNothing())
    .execute();
  if (row.sealed_message !== null) await forgetOriginalBeyond(tx, row.source_id, MOST_ORIGINALS);
}

/** Originals of a source: each may have 350 kB. */
export const MOST_ORIGINALS = 1_000;

/** One more is stored at a time, so one is removed. */
async function forgetOriginalBeyond(tx: Tx, sourceId: string, most: number): Promise<void> {
  const oldest = await tx
    .selectFrom("hl7_messages")
    .select("id")
    .where("source_id", "=", sourceId)
    .where("sealed_message", "is not", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .offset(most)
    .executeTakeFirst();
  if (oldest) await updateMessage(tx, oldest.id, { sealed_message: null, contact_number: null });
}

export type MessageChange = Partial<Omit<LoggedMessage, "id" | "organisation_id" | "source_id" | "created_at">>;

export async function updateMessage(tx: Tx, id: string, change: MessageChange): Promise<void> {
  await tx.updateTable("hl7_messages").set(messageMeaning.write(change)).where("id", "=", id).execute();
}

export async function countRepetition(tx: Tx, id: string, now: number): Promise<void> {
  await tx
    .updateTable("hl7_messages")
    .set((eb) => ({ times_received: eb("times_received", "+", 1), updated_at: now }))
    .where("id", "=", id)
    .execute();
}

export async function messageOf(
  executor: Executor,
  organisationId: string,
  id: string,
): Promise<LoggedMessage | undefined> {
  const row = await executor
    .selectFrom("hl7_messages")
    .selectAll()
    .where("id", "=", id)
    .where("organisation_id", "=", organisationId)
    .executeTakeFirst();
  return row && messageMeaning.read(row);
}

export interface MessageFilter {
  organisationId: string;
  sourceId?: string | undefined;
  outcome?: LoggedOutcome | undefined;
  before?: Position | undefined;
  limit: number;
}

/** Newest first. */
export async function messagesOf(executor: Executor, filter: MessageFilter): Promise<LoggedMessage[]> {
  const { organisationId, sourceId, outcome, before, limit } = filter;
  let query = executor.selectFrom("hl7_messages").selectAll().where("organisation_id", "=", organisationId);
  if (sourceId !== undefined) query = query.where("source_id", "=", sourceId);
  if (outcome !== undefined) query = query.where("outcome", "=", outcome);
  if (before)
    query = query.where((eb) =>
      eb.or([
        eb("created_at", "<", before.createdAt),
        eb.and([eb("created_at", "=", before.createdAt), eb("id", "<", before.id)]),
      ]),
    );
  const rows = await query.orderBy("created_at", "desc").orderBy("id", "desc").limit(limit).execute();
  return messageMeaning.readAll(rows);
}

/** Deletes the oldest; returns how many. */
export async function deleteMessagesBefore(tx: Tx, until: number, limit: number): Promise<number> {
  const old = await tx
    .selectFrom("hl7_messages")
    .select("id")
    .where("created_at", "<", until)
    .orderBy("created_at")
    .limit(limit)
    .execute();
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await tx.deleteFrom("hl7_messages").where("id", "in", ids).execute();
  return ids.length;
}

/** Where the messages of each source that are beyond so many, the newest first, begin. */
export async function beyondNewest(executor: Executor, most: number): Promise<MessagePlace[]> {
  const sources = await executor.selectFrom("sources").select("id").where("kind", "=", "hl7").execute();
  const places: MessagePlace[] = [];
  for (const { id: sourceId } of sources) {
    const first = await executor
      .selectFrom("hl7_messages")
      .select("created_at")
      .where("source_id", "=", sourceId)
      .orderBy("created_at", "desc")
      .limit(1)
      .offset(most)
      .executeTakeFirst();
    if (first) places.push({ sourceId, until: first.created_at });
  }
  return places;
}

export interface MessagePlace {
  sourceId: string;
  /** Milliseconds; messages at this time are among them. */
  until: number;
}

/** Deletes the oldest; returns how many. */
export async function deleteOfSource(tx: Tx, { sourceId, until }: MessagePlace, limit: number): Promise<number> {
  const old = await tx
    .selectFrom("hl7_messages")
    .select("id")
    .where("source_id", "=", sourceId)
    .where("created_at", "<=", until)
    .orderBy("created_at")
    .limit(limit)
    .execute();
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await tx.deleteFrom("hl7_messages").where("id", "in", ids).execute();
  return ids.length;
}

/** The same for the person of a call. */
export async function forgetCallee(tx: Tx, callId: string): Promise<void> {
  const call = await tx
    .selectFrom("calls")
    .select(["organisation_id", "contact_number"])
    .where("id", "=", callId)
    .executeTakeFirst();
  if (call?.contact_number) await forgetContact(tx, call.organisation_id, call.contact_number);
}

/** Removes the stored originals of refused messages about a person. */
export async function forgetContact(tx: Tx, organisationId: string, contactNumber: string): Promise<void> {
  await tx
    .updateTable("hl7_messages")
    .set({ sealed_message: null, contact_number: null })
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", contactNumber)
    .execute();
}
