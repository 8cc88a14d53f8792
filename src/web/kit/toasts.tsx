// Toasts: short messages of success or failure at the edge of the page, announced by screen readers.
import { useEffect, useState } from "preact/hooks";
import { heard, type Toast } from "../said.ts";

const SHOWN_MS = 6_000;

export function Toasts() {
  const [toasts, setToasts] = useState<Toast[]>([]);
  useEffect(() => {
    return heard((toast) => {
      setToasts((before) => [...before, toast]);
      setTimeout(() => setToasts((before) => before.filter(({ id }) => id !== toast.id)), SHOWN_MS);
    });
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
