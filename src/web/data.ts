// Data loading for pages: data, error or loading; and change notifications.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { listen, MISSED, type ChangeKind, type Listener } from "./change-stream.ts";
import { messageOf } from "./client.ts";

export interface Loaded<T> {
  data: T | null;
  error: string | null;
  /** True only before the first response. A reload keeps the old data, so that the layout does not jump. */
  loading: boolean;
  reload: () => void;
}

/**
 * Loads when the page opens and whenever `inputs` change. Responses to outdated inputs are dropped. A request that uses
 * the signal is aborted, so that the server stops the search too.
 */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ data: T | null; error: string | null }>({ data: null, error: null });
  const question = useRef(0);
  const left = useRef(new AbortController());
  const reload = useCallback(() => {
    const mine = ++question.current;
    load(left.current.signal).then(
      (data) => mine === question.current && setState({ data, error: null }),
      (error: unknown) =>
        mine === question.current && setState((before) => ({ data: before.data, error: messageOf(error) })),
    );
  }, inputs);
  useEffect(() => {
    reload();
    return () => {
      question.current++;
      left.current.abort();
      left.current = new AbortController();
    };
  }, [reload]);
  return { ...state, loading: state.data === null && state.error === null, reload };
}

/**
 * Polling for data without change events: every `everyMs` while the page is visible, and at once when it becomes
 * visible.
 */
export function useWhileSeen(ask: () => void, everyMs: number): void {
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined;
    const start = () => {
      timer = setInterval(() => latest.current(), everyMs);
    };
    const follow = () => {
      clearInterval(timer);
      if (document.hidden) return;
      latest.current();
      start();
    };
    if (!document.hidden) start();
    document.addEventListener("visibilitychange", follow);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", follow);
    };
  }, [everyMs]);
}

/**
 * Calls back, at most a few times a second, when something of this kind changed: any item, or `only` the one with this
 * id.
 */
export function useChanges(kind: ChangeKind, onChange: Listener, only?: string): void {
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const listener: Listener = (id) => {
      if (waiting !== undefined || (only !== undefined && id !== only && id !== MISSED)) return;
      waiting = setTimeout(() => {
        waiting = undefined;
        latest.current(id);
      }, 250);
    };
    const stop = listen(kind, listener);
    return () => {
      stop();
      clearTimeout(waiting);
    };
  }, [kind, only]);
}
