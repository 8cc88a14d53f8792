// Preview of the exact prompt for a language model, fetched from the server when opened.
import { useEffect, useState } from "preact/hooks";
import { api, call, messageOf } from "../../client.ts";
import { Problem } from "../../kit/parts.tsx";
import type { bodyOf } from "./agent-form.ts";
import { said } from "../../words.ts";

const words = said.agents.modelPreview;

/** Debounce, so that not every key press sends a request. */
const PAUSE_MS = 250;

interface Given {
  messages: readonly { role: string; content: string }[];
  tools: readonly { name: string; description: string; parameters: Record<string, unknown> }[];
}

export function ModelPreview({ agent, values }: { agent: ReturnType<typeof bodyOf>; values: Record<string, string> }) {
  const [isOpen, setOpen] = useState(false);
  const { given, error } = useGiven(agent, values, isOpen);
  return (
    <details class="model-preview" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.title}</summary>
      <p class="note">{words.note}</p>
      <Problem text={error} />
      <ol>
        {given?.messages.map(({ role, content }, index) => (
          <li key={index}>
            <h3>{words.roles[role] ?? role}</h3>
            <pre tabIndex={0}>{content}</pre>
          </li>
        ))}
      </ol>
      {given && given.tools.length > 0 && (
        <>
          <h3>{words.tools}</h3>
          <ul class="given-tools">
            {given.tools.map(({ name, description, parameters }) => (
              <li key={name}>
                <code>{name}</code> {description}
                {hasFields(parameters) && <pre tabIndex={0}>{JSON.stringify(parameters, null, 2)}</pre>}
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}

/** Whether a tool has parameters. */
const hasFields = ({ properties }: Record<string, unknown>): boolean => Object.keys(properties ?? {}).length > 0;

function useGiven(agent: ReturnType<typeof bodyOf>, values: Record<string, string>, isOpen: boolean) {
  const [given, setGiven] = useState<Given | null>(null);
  const [error, setError] = useState<string | null>(null);
  const { type, name, language, prompt, greeting, branch_id, transfer_to, analysis_fields } = agent;
  const { model_speech, approved_answers } = agent;
  const texts = { type, name, language, prompt, greeting, branch_id, transfer_to, analysis_fields };
  const shown = { ...texts, model_speech, approved_answers };
  const asked = { agent: shown, values };
  useEffect(() => {
    if (!isOpen) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      call(api.agents.preview.model.post(asked)).then(
        (answer) => {
          if (!isCurrent) return;
          setGiven(answer);
          setError(null);
        },
        (fault: unknown) => isCurrent && setError(messageOf(fault)),
      );
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [isOpen, JSON.stringify(asked)]);
  return { given, error };
}
