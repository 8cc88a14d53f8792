// Short messages at the edge of the page: done, or what went wrong. Read aloud by screen readers.
import { useEffect, useState } from "preact/hooks";
import { messageOf } from "../client.ts";

interface Toast {
  id: number;
  text: string;
  tone: "good" | "bad";
}

type Listener = (toast: Toast) => void;
const listeners = new Set<Listener>();
let count = 0;

function show(text: string, tone: Toast["tone"]): void {
  const toast = { id: ++count, text, tone };
  for (const listener of listeners) listener(toast);
}

export function sayDone(text: string): void {
  show(text, "good");
}

export function sayProblem(error: unknown): void {
  show(messageOf(error), "bad");
}

const SHOWN_MS = 6_000;

export function Toasts() {
  const [toasts, setToasts] = useState<Toast[]>([]);
  useEffect(() => {
    const listener: Listener = (toast) => {
      setToasts((before) => [...before, toast]);
      setTimeout(() => setToasts((before) => before.filter(({ id }) => id !== toast.id)), SHOWN_MS);
    };
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, tone }) => (
        <div key={id} class={`toast ${tone}`}>
          {text}
        </div>
      ))}
    </div>
  );
}
