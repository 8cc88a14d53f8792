// Onboarding checklist: each step links to its page, and the list disappears when all are done.
import { Card } from "../../kit/parts.tsx";
import { said } from "../../words.ts";

const words = said.overview.checklist;

type Step = keyof typeof words.steps;

const STEPS: readonly (readonly [step: Step, href: string])[] = [
  ["agent", "/dashboard/agents"],
  ["number", "/dashboard/agents"],
  ["key", "/dashboard/developers/keys"],
  ["first_call", "/dashboard/calls"],
  ["endpoint", "/dashboard/developers/endpoints"],
];

export function Checklist({ done }: { done: Record<Step, boolean> }) {
  const count = STEPS.filter(([step]) => done[step]).length;
  if (count === STEPS.length) return null;
  return (
    <Card title={words.title} actions={<span class="note">{words.progress(count, STEPS.length)}</span>}>
      <ol class="checklist">
        {STEPS.map(([step, href]) => {
          const { name: title, note } = words.steps[step];
          return (
            <li key={step} class={done[step] ? "done" : ""}>
              <span class="tick" aria-hidden="true">
                {done[step] ? "✓" : ""}
              </span>
              {done[step] ? (
                <span>
                  {title}
                  <span class="visually-hidden"> – {words.done}</span>
                </span>
              ) : (
                <span>
                  <a href={href}>{title}</a> <span class="note">{note}</span>
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
