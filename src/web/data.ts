// Loading for pages: data, the fault or neither yet; and the live stream of changes.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { messageOf } from "./client.ts";

export interface Loaded<T> {
  data: T | null;
  error: string | null;
  /** True only before the first answer: a reload keeps what is shown, so that nothing jumps. */
  loading: boolean;
  reload: () => void;
}

/** Loads when the page opens and whenever `inputs` change. Answers of an older question are dropped. */
export function useLoaded<T>(load: () => Promise<T>, inputs: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ data: T | null; error: string | null }>({ data: null, error: null });
  const question = useRef(0);
  const reload = useCallback(() => {
    const mine = ++question.current;
    load().then(
      (data) => mine === question.current && setState({ data, error: null }),
      (error: unknown) =>
        mine === question.current && setState((before) => ({ data: before.data, error: messageOf(error) })),
    );
  }, inputs);
  useEffect(() => {
    reload();
    return () => {
      question.current++;
    };
  }, [reload]);
  return { ...state, loading: state.data === null && state.error === null, reload };
}

/** For what tells nobody when it changes: asks again every `everyMs` while somebody looks, and at once when they come back. */
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

const CHANGE_KINDS = ["call", "appointment", "campaign", "window", "worklist"] as const;
type ChangeKind = (typeof CHANGE_KINDS)[number];
type Listener = (id: string) => void;

const listeners: Record<ChangeKind, Set<Listener>> = {
  call: new Set(),
  appointment: new Set(),
  campaign: new Set(),
  window: new Set(),
  worklist: new Set(),
};
let stream: EventSource | null = null;
let comingBack: ReturnType<typeof setTimeout> | undefined;

/** The appliance refuses streams where too many are open; then the page asks again, and shows what it missed. */
const COME_BACK_MS = 60_000;

/** One stream for the whole page; the browser connects again by itself and says where it stopped. */
function ensureStream(): void {
  if (stream) return;
  clearTimeout(comingBack);
  const opened = (stream = new EventSource("/dashboard/api/changes"));
  opened.addEventListener("error", () => {
    // The browser gives up for good only where it was answered with an error.
    if (opened.readyState !== EventSource.CLOSED || stream !== opened) return;
    stream = null;
    window.dispatchEvent(new Event("ringward:stream-refused"));
    comingBack = setTimeout(catchUp, COME_BACK_MS);
  });
  for (const kind of CHANGE_KINDS) {
    stream.addEventListener(kind, (event) => {
      const { id } = JSON.parse((event as MessageEvent<string>).data) as { id: string };
      for (const listener of listeners[kind]) listener(id);
    });
  }
}

function closeStream(): void {
  clearTimeout(comingBack);
  stream?.close();
  stream = null;
}

/** A browser keeps six connections to one host: a tab that nobody looks at gives its own up, and catches up when seen. */
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    closeStream();
    return;
  }
  catchUp();
});

function catchUp(): void {
  const isListening = Object.values(listeners).some((set) => set.size > 0);
  if (!isListening) return;
  ensureStream();
  for (const listener of Object.values(listeners).flatMap((set) => [...set])) listener(MISSED);
}

/** Stands for everything that may have changed meanwhile. */
const MISSED = "";

/** Calls back, at most a few times a second, when a call, an appointment or a window changed: any, or `only` the one of this id. */
export function useChanges(kind: ChangeKind, onChange: Listener, only?: string): void {
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    ensureStream();
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const listener: Listener = (id) => {
      if (waiting !== undefined || (only !== undefined && id !== only && id !== MISSED)) return;
      waiting = setTimeout(() => {
        waiting = undefined;
        latest.current(id);
      }, 250);
    };
    listeners[kind].add(listener);
    return () => {
      listeners[kind].delete(listener);
      clearTimeout(waiting);
    };
  }, [kind, only]);
}
