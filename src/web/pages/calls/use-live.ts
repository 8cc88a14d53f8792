// Throttled reloading of a page, paused while the tab is hidden.
import { useEffect, useRef } from "preact/hooks";

/** Each reload adds an audit entry, so a busy hour must not cause four per second. */
const CALM_MS = 1_000;

/** `reload`, at most once a second; on a hidden page, when it becomes visible. */
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

/** Reloads at the time of an expected change; null if none is expected. */
export function useReloadAt(iso: string | null, reload: () => void): void {
  const latest = useRef(reload);
  latest.current = reload;
  useEffect(() => {
    if (iso === null) return undefined;
    const inMs = Date.parse(iso) - Date.now();
    // Changes further ahead are not waited for.
    if (inMs > 10 * 60_000) return undefined;
    const timer = setTimeout(() => latest.current(), Math.max(inMs, 0) + 2 * CALM_MS);
    return () => clearTimeout(timer);
  });
}
