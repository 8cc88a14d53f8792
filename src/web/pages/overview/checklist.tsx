// The newcomer's checklist: each step leads to where it is done, and the list goes when all are.
import { Card } from "../../components/parts.tsx";

const words = {
  title: "First steps",
  progress: (done: number, all: number) => `${done} of ${all} done`,
  done: "Done",
  steps: {
    agent: ["Create an agent", "Who speaks, in which language, and what about."],
    number: ["Add a phone number", "The number that people see when the agent calls."],
    key: ["Make an API key", "For the systems that ask for calls."],
    first_call: ["Make a first call", "To a test number, or to your own telephone."],
    endpoint: ["Connect an endpoint", "Your system hears how each call went."],
  },
} as const;

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
          const [title, note] = words.steps[step];
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
