// Deliveries received by the demo's receiver: the latest few per organisation.
import type { Executor, Tx } from "../db/tables.ts";
import { receivedMeaning, type DemoReceived } from "./records.ts";

/** Returns its sequence number. */
export async function insertReceived(tx: Tx, row: Omit<DemoReceived, "id">): Promise<number> {
  const { id } = await tx
    .insertInto("demo_received")
    .values(receivedMeaning.write(row))
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Deletes all but the latest `kept`. */
export async function pruneReceived(tx: Tx, organisationId: string, kept: number): Promise<void> {
  const newest = tx
    .selectFrom("demo_received")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .orderBy("id", "desc")
    .limit(kept);
  await tx
    .deleteFrom("demo_received")
    .where("organisation_id", "=", organisationId)
    .where("id", "not in", newest)
    .execute();
}

export async function receivedOf(executor: Executor, organisationId: string, limit: number) {
  return executor
    .selectFrom("demo_received")
    .innerJoin("events", "events.id", "demo_received.event_id")
    .select(["demo_received.id", "received_at", "verdict", "events.type as event_type", "event_id"])
    .where("demo_received.organisation_id", "=", organisationId)
    .orderBy("demo_received.id", "desc")
    .limit(limit)
    .execute();
}

export async function receivedById(
  executor: Executor,
  organisationId: string,
  id: number,
): Promise<DemoReceived | undefined> {
  const row = await executor
    .selectFrom("demo_received")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && receivedMeaning.read(row);
}

export async function deleteReceivedAbout(tx: Tx, callId: string): Promise<void> {
  await tx
    .deleteFrom("demo_received")
    .where("event_id", "in", (eb) => eb.selectFrom("events").select("events.id").where("call_id", "=", callId))
    .execute();
}
