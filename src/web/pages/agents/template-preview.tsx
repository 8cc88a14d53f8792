// Preview of the greeting and prompt with sample values.
import { useEffect, useState } from "preact/hooks";
import { api, call, messageOf } from "../../client.ts";
import { ModelPreview } from "./model-preview.tsx";
import { TextField } from "../../kit/field.tsx";
import { Card, Problem } from "../../kit/parts.tsx";
import { bodyOf, placeholdersOf, typedFor, type AgentForm } from "./agent-form.ts";
import { KNOWN_NAMES } from "../../../payloads/known-values.ts";
import { said } from "../../words.ts";

const words = said.agents.templatePreview;

/** Debounce, so that not every key press sends a request. */
const PAUSE_MS = 250;

interface Preview {
  greeting: string;
  prompt: string;
  missing: string[];
}

export function TemplatePreview({ form }: { form: AgentForm }) {
  const { prompt, greeting, name: agentName } = form;
  const names = placeholdersOf(greeting, prompt);
  const [typed, setTyped] = useState<Record<string, string>>({});
  const values = Object.fromEntries(
    names
      .map((name) => [name, typedFor(typed, name) || (name === "agent_name" ? agentName : "")] as const)
      .filter(([, value]) => value !== ""),
  );
  const { preview, error } = usePreview(greeting, prompt, values, form.branchId || null);

  return (
    <Card title={words.title}>
      <p class="note">{words.note}</p>
      {names.length === 0 ? (
        <p class="note">{words.noPlaceholders}</p>
      ) : (
        <div class="form sample-values">
          {names.map((name) => (
            <TextField
              key={name}
              label={name}
              value={typedFor(typed, name)}
              onValue={(value) => setTyped((before) => ({ ...before, [name]: value }))}
              {...(name === "agent_name" ? { placeholder: agentName, hint: words.automatic } : {})}
              {...((KNOWN_NAMES as readonly string[]).includes(name) ? { hint: words.fromSettings } : {})}
            />
          ))}
        </div>
      )}
      <Problem text={error} />
      {preview && (
        <>
          {names.length > 0 && <Missing names={preview.missing} />}
          <div class="preview">
            <h3>{words.greeting}</h3>
            <blockquote tabIndex={0}>{preview.greeting || words.nothing}</blockquote>
            <h3>{words.prompt}</h3>
            <blockquote tabIndex={0}>{preview.prompt || words.nothing}</blockquote>
          </div>
          <ModelPreview agent={bodyOf(form)} values={values} />
        </>
      )}
    </Card>
  );
}

/** Rendered by the server, so that it matches a real call. The last preview stays until the next one arrives. */
function usePreview(greeting: string, prompt: string, values: Record<string, string>, branchId: string | null) {
  const [preview, setPreview] = useState<Preview | null>(null);
  const [error, setError] = useState<string | null>(null);
  const question = JSON.stringify([greeting, prompt, values, branchId]);

  useEffect(() => {
    let isCurrent = true;
    const ask = async () => {
      try {
        const render = (template: string) => call(api.agents.preview.post({ template, values, branch_id: branchId }));
        const [rendered, whole] = await Promise.all([render(greeting), render(prompt)]);
        if (!isCurrent) return;
        setPreview({
          greeting: rendered.text,
          prompt: whole.text,
          missing: [...new Set([...rendered.missing, ...whole.missing])],
        });
        setError(null);
      } catch (fault) {
        if (isCurrent) setError(messageOf(fault));
      }
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [question]);

  return { preview, error };
}

function Missing({ names }: { names: readonly string[] }) {
  return (
    <p class={names.length > 0 ? "missing" : "note"} role="status">
      {names.length === 0 ? (
        words.complete
      ) : (
        <>
          {words.missing}{" "}
          {names.map((name) => (
            <code key={name} class="placeholder">{`{{${name}}}`}</code>
          ))}
        </>
      )}
    </p>
  );
}
