// Cancels the statement of a disconnected client: PostgreSQL would otherwise run it to its end or timeout.
import type { WirePool } from "./pool.ts";
import type { Wire } from "./wire.ts";

const sessions = new WeakMap<Wire, number>();

/** The backend process of the connection. Queried once. */
async function sessionOf(wire: Wire): Promise<number> {
  const known = sessions.get(wire);
  if (known !== undefined) return known;
  const { rows } = await wire.ask("SELECT pg_backend_pid() AS pid");
  const { pid } = rows[0] as { pid: number };
  sessions.set(wire, pid);
  return pid;
}

/**
 * Runs one statement on `wire`, and cancels it over a connection of `others` when `left` is aborted. Resolves only when
 * no cancellation is pending, because a late one would hit the connection's next statement.
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

/** If this fails, the statement ends by its timeout. */
async function cancel(others: WirePool, pid: number): Promise<void> {
  const wire = await others.take().catch(() => null);
  if (!wire) return;
  try {
    await wire.ask("SELECT pg_cancel_backend($1)", [pid]);
  } catch {
    // The connection is lost, so PostgreSQL is probably unreachable.
  } finally {
    others.give(wire);
  }
}
