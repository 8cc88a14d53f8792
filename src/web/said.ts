// Messages of a page: success or failure. kit/toasts.tsx shows them.
import { messageOf } from "./client.ts";

export interface Toast {
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

/** Calls `listener` with each message until the returned function is called. */
export function heard(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
