// Keeps a page up to date without asking more often than a person can read, and not at all behind another tab.
import { useEffect, useRef } from "preact/hooks";

/** Each answer is also a line in the audit trail, so a busy hour must not mean four of them a second. */
const CALM_MS = 1_000;

/** `reload`, at most once a second; where the page is hidden, when it is looked at again. */
export function useCalmly(reload: () => void): () => void {
  const latest = useRef(reload);
  latest.current = reload;
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isStale = useRef(false);

  const ask = () => {
    if (document.hidden) {
      isStale.current = true;
      return;
    }
    waiting.current ??= setTimeout(() => {
      waiting.current = undefined;
      latest.current();
    }, CALM_MS);
  };

  useEffect(() => {
    const seen = () => {
      if (document.hidden || !isStale.current) return;
      isStale.current = false;
      latest.current();
    };
    document.addEventListener("visibilitychange", seen);
    return () => {
      document.removeEventListener("visibilitychange", seen);
      clearTimeout(waiting.current);
    };
  }, []);
  return ask;
}

/** Asks again at a time at which something is expected to have changed; null for nothing expected. */
export function useReloadAt(iso: string | null, reload: () => void): void {
  const latest = useRef(reload);
  latest.current = reload;
  useEffect(() => {
    if (iso === null) return undefined;
    const inMs = Date.parse(iso) - Date.now();
    // What lies further ahead than this is not waited for by somebody who looks at the page.
    if (inMs > 10 * 60_000) return undefined;
    const timer = setTimeout(() => latest.current(), Math.max(inMs, 0) + 2 * CALM_MS);
    return () => clearTimeout(timer);
  });
}
