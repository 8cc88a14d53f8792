// The form of an agent. Viewers see it with everything switched off.
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Button, Card, PageHead, Problem, SelectField, TextField } from "../../components/parts.tsx";
import { sayDone } from "../../components/toasts.tsx";
import { useMay } from "../../session.tsx";
import { bodyOf, EMPTY_FORM, formOf, type Agent, type AgentForm } from "./agent-form.ts";
import { BookingCalendar, CallingHours, RetryPolicy, Transfer } from "./agent-rules.tsx";
import { RecordedWords } from "./recorded-words.tsx";
import { TemplateField } from "./template-field.tsx";
import { TemplatePreview } from "./template-preview.tsx";
import { TestCallDialog } from "./test-call.tsx";

const words = {
  newTitle: "New agent",
  who: "Who speaks",
  type: "Type",
  types: [
    ["outbound", "Outbound: calls people"],
    ["inbound", "Inbound: answers the telephone"],
  ] as const,
  name: "Name",
  nameHint: "How the agent introduces itself: {{agent_name}}.",
  language: "Language",
  languageHint: "A tag such as en-IN or hi.",
  voice: "Voice",
  says: "What it says",
  greeting: "Greeting",
  greetingHint: "The first sentence of every call. {{user_name}} is the name of the contact.",
  prompt: "Prompt",
  promptHint: "How the agent behaves. {{key}} stands for a value that comes with the call, in additional_info.",
  create: "Create agent",
  save: "Save changes",
  discard: "Discard",
  saved: (name: string) => `${name} is saved.`,
  created: (name: string) => `${name} is ready. Give it a phone number on the list of agents.`,
  unsaved: "Changes are not saved yet.",
  allSaved: "Everything is saved.",
  testCall: "Place a test call",
};

const LANGUAGES = ["en-IN", "hi", "en-US", "ta", "te", "bn", "mr", "kn", "ml", "gu", "pa"];
const LANGUAGE_LIST = "agent-languages";

export function AgentEditor({ agent }: { agent: Agent | null }) {
  const mayEdit = useMay("staff");
  const { route } = useLocation();
  const [stored, setStored] = useState(agent);
  const [form, setForm] = useState<AgentForm>(agent ? formOf(agent) : EMPTY_FORM);
  const [isTesting, setTesting] = useState(false);
  const saving = useAction();
  const set = (change: Partial<AgentForm>) => setForm((before) => ({ ...before, ...change }));
  const original = stored ? formOf(stored) : EMPTY_FORM;
  const isChanged = JSON.stringify(bodyOf(form)) !== JSON.stringify(bodyOf(original));

  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isChanged]);

  const save = () =>
    saving.run(async () => {
      const answer = stored
        ? await call(api.agents({ id: stored.agent_id }).patch(bodyOf(form)))
        : await call(api.agents.post(bodyOf(form)));
      setStored(answer);
      setForm(formOf(answer));
      sayDone(stored ? words.saved(answer.name) : words.created(answer.name));
      if (!stored) route(`/dashboard/agents/${answer.agent_id}`, true);
    });

  const { fields } = saving;
  const rules = { form, set, fields, disabled: !mayEdit };
  return (
    <>
      <PageHead
        title={stored?.name ?? words.newTitle}
        actions={
          mayEdit && stored?.type === "outbound" && <Button onClick={() => setTesting(true)}>{words.testCall}</Button>
        }
      />
      <form
        class="agent-editor"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div class="agent-column">
          <Card title={words.who}>
            <div class="form">
              <TextField
                label={words.name}
                hint={words.nameHint}
                required
                maxLength={100}
                disabled={!mayEdit}
                value={form.name}
                onValue={(name) => set({ name })}
                error={fields["name"]}
              />
              <SelectField
                label={words.type}
                disabled={!mayEdit}
                value={form.type}
                onValue={(type) => set({ type })}
                options={words.types}
                error={fields["type"]}
              />
              <TextField
                label={words.language}
                hint={words.languageHint}
                required
                maxLength={20}
                disabled={!mayEdit}
                list={LANGUAGE_LIST}
                value={form.language}
                onValue={(language) => set({ language })}
                error={fields["language"]}
              />
              <TextField
                label={words.voice}
                required
                maxLength={100}
                disabled={!mayEdit}
                value={form.voice}
                onValue={(voice) => set({ voice })}
                error={fields["voice"]}
              />
              <datalist id={LANGUAGE_LIST}>
                {LANGUAGES.map((language) => (
                  <option key={language} value={language} />
                ))}
              </datalist>
            </div>
          </Card>
          <Card title={words.says}>
            <TemplateField
              label={words.greeting}
              hint={words.greetingHint}
              maxLength={2_000}
              disabled={!mayEdit}
              value={form.greeting}
              onValue={(greeting) => set({ greeting })}
              error={fields["greeting"]}
            />
            <TemplateField
              tall
              label={words.prompt}
              hint={words.promptHint}
              maxLength={32_000}
              disabled={!mayEdit}
              value={form.prompt}
              onValue={(prompt) => set({ prompt })}
              error={fields["prompt"]}
            />
          </Card>
        </div>
        <TemplatePreview prompt={form.prompt} greeting={form.greeting} agentName={form.name} />
        <div class="agent-rules columns">
          {form.type === "outbound" && <RetryPolicy {...rules} />}
          {form.type === "outbound" && <CallingHours {...rules} />}
          <BookingCalendar {...rules} />
          <Transfer {...rules} />
        </div>
        {mayEdit && (
          <div class="save-bar">
            {saving.error !== null && <Problem text={saving.error} />}
            <span class="note" role="status">
              {isChanged ? words.unsaved : stored ? words.allSaved : ""}
            </span>
            <div class="actions">
              {isChanged && stored && (
                <Button
                  onClick={() => {
                    setForm(original);
                    saving.clear();
                  }}
                >
                  {words.discard}
                </Button>
              )}
              <Button kind="primary" type="submit" busy={saving.busy} disabled={!isChanged}>
                {stored ? words.save : words.create}
              </Button>
            </div>
          </div>
        )}
      </form>
      {stored && <RecordedWords agentId={stored.agent_id} language={stored.language} />}
      {stored && (
        <TestCallDialog agent={stored} hasUnsaved={isChanged} open={isTesting} onClose={() => setTesting(false)} />
      )}
    </>
  );
}
