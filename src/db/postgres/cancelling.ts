// Ends the statement of a client that has left: PostgreSQL would go on with it until it is done or timed out.
import type { WirePool } from "./pool.ts";
import type { Wire } from "./wire.ts";

const sessions = new WeakMap<Wire, number>();

/** Which process of PostgreSQL serves the connection. Asked for once. */
async function sessionOf(wire: Wire): Promise<number> {
  const known = sessions.get(wire);
  if (known !== undefined) return known;
  const { rows } = await wire.ask("SELECT pg_backend_pid() AS pid");
  const { pid } = rows[0] as { pid: number };
  sessions.set(wire, pid);
  return pid;
}

/**
 * Runs one statement on `wire`, and cancels it over a connection of `others` when `left` is aborted. It is over when no
 * cancellation is under way any more: that would hit the next statement of the connection.
 */
export async function untilLeft<T>(wire: Wire, left: AbortSignal, others: WirePool, run: () => Promise<T>): Promise<T> {
  const pid = await sessionOf(wire);
  const cancelling: Promise<void>[] = [];
  const leave = () => void cancelling.push(cancel(others, pid));
  left.addEventListener("abort", leave, { once: true });
  try {
    left.throwIfAborted();
    return await run();
  } finally {
    left.removeEventListener("abort", leave);
    await Promise.all(cancelling);
  }
}

/** Where it does not succeed, the statement ends by its time limit. */
async function cancel(others: WirePool, pid: number): Promise<void> {
  const wire = await others.take().catch(() => null);
  if (!wire) return;
  try {
    await wire.ask("SELECT pg_cancel_backend($1)", [pid]);
  } catch {
    // Its connection is lost, and PostgreSQL with it.
  } finally {
    others.give(wire);
  }
}
