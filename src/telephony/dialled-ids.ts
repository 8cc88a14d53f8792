// Bounded set of the call ids that a carrier has dialled: detects a repeated dial without unbounded memory.
export interface DialledIds {
  has(callId: string): boolean;
  add(callId: string): void;
  /** The call returned to the queue and will be dialled again under the same id. */
  forget(callId: string): void;
}

const MOST_IDS = 10_000;

export function createDialledIds(): DialledIds {
  const ids = new Set<string>();
  return {
    has: (callId) => ids.has(callId),
    add(callId) {
      ids.add(callId);
      if (ids.size <= MOST_IDS) return;
      const [oldest] = ids;
      if (oldest !== undefined) ids.delete(oldest);
    },
    forget: (callId) => void ids.delete(callId),
  };
}
