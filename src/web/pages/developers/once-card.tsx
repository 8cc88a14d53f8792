// Card for a secret that is shown only once. It stays on the page until the user confirms having stored it, because a
// dialog could be closed by accident.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../../kit/parts.tsx";
import { Secret } from "../../kit/secret.tsx";
import { said } from "../../words.ts";

const words = said.developers.onceCard;

export interface OnceCardProps {
  title: string;
  secrets: readonly (readonly [label: string, value: string])[];
  onDone: () => void;
  children?: ComponentChildren;
}

export function OnceCard({ title, secrets, onDone, children }: OnceCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Runs after the previous dialog has closed, because the browser then returns the focus to the element that opened
    // it.
    const timer = setTimeout(() => heading.current?.focus(), 0);
    return () => clearTimeout(timer);
  }, []);
  return (
    <section class="card once">
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {secrets.map(([label, value]) => (
        <Secret key={label} label={label} value={value} />
      ))}
      {children}
      <div class="actions">
        <Button onClick={onDone} label={words.done} />
      </div>
    </section>
  );
}
