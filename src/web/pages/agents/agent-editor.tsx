// The form of an agent. It is disabled for viewers.
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { basedOn, useConflict } from "../../kit/conflict.tsx";
import { Button, PageHead, Problem } from "../../kit/parts.tsx";
import { sayDone } from "../../said.ts";
import { useMay } from "../../session.tsx";
import { useLoaded } from "../../data.ts";
import { AnalysisFields } from "./agent-fields.tsx";
import { bodyOf, EMPTY_FORM, formFrom, formOf, reasonOf, type Agent, type AgentForm } from "./agent-form.ts";
import { AgentPurpose } from "./agent-purpose.tsx";
import { AgentRecording } from "./agent-recording.tsx";
import { BookingCalendar, CallingHours, RetryPolicy, Transfer } from "./agent-rules.tsx";
import { AgentVersions } from "./agent-versions.tsx";
import { WhatItSays, WhoSpeaks } from "./agent-words.tsx";
import { ModelSpeech } from "./model-speech.tsx";
import { knownPlaceholders } from "./known-placeholders.ts";
import { RecordedWords } from "./recorded-words.tsx";
import { StartingPoints } from "./starting-points.tsx";
import { TemplatePreview } from "./template-preview.tsx";
import { TestCallDialog } from "./test-call.tsx";
import { fieldName, fieldValue } from "./version-words.ts";
import { spokenLanguage } from "../../language.ts";
import { forgetUnsaved } from "../../unsaved.ts";
import { said } from "../../words.ts";

const words = said.agents.agentEditor;

export function AgentEditor({ agent }: { agent: Agent | null }) {
  const mayEdit = useMay("staff");
  const editing = useEditing(agent);
  const { stored, form, isChanged } = editing;
  const [isTesting, setTesting] = useState(false);
  const [language, setLanguage] = useState(spokenLanguage);
  const library = useLoaded(() => call(api.agents.library.get({ query: { language } })), [language]);
  const rules = { form, set: editing.set, fields: editing.saving.fields, disabled: !mayEdit };
  return (
    <>
      <PageHead
        title={stored?.name ?? words.newTitle}
        actions={
          mayEdit && stored?.type === "outbound" && <Button onClick={() => setTesting(true)} label={words.testCall} />
        }
      />
      {!stored && mayEdit && (
        <StartingPoints
          library={library}
          language={language}
          onLanguage={setLanguage}
          isWritten={isChanged}
          onTake={({ agent: point }) => editing.set(formFrom(point))}
        />
      )}
      <form
        class="agent-editor"
        onSubmit={(event) => {
          event.preventDefault();
          void editing.save();
        }}
      >
        <div class="agent-column">
          <WhoSpeaks {...rules} />
          <WhatItSays {...rules} known={knownPlaceholders(form, library.data ?? [])} />
        </div>
        <TemplatePreview form={form} />
        <div class="agent-rules columns">
          {form.type === "outbound" && <AgentPurpose {...rules} stored={stored} />}
          {form.type === "outbound" && <RetryPolicy {...rules} />}
          {form.type === "outbound" && <CallingHours {...rules} />}
          <AgentRecording {...rules} />
          <BookingCalendar {...rules} />
          <Transfer {...rules} />
        </div>
        <div class="agent-rules">
          <AnalysisFields {...rules} />
        </div>
        <div class="agent-rules">
          <ModelSpeech {...rules} />
        </div>
        {mayEdit && <SaveBar editing={editing} />}
      </form>
      {editing.conflict}
      {stored && <RecordedWords agentId={stored.agent_id} language={stored.language} />}
      {stored && <AgentVersions agent={stored} hasUnsaved={isChanged} onRestored={editing.take} />}
      {stored && (
        <TestCallDialog agent={stored} hasUnsaved={isChanged} open={isTesting} onClose={() => setTesting(false)} />
      )}
    </>
  );
}

type Editing = ReturnType<typeof useEditing>;

/** The stored agent, the edited values, and saving. */
function useEditing(agent: Agent | null) {
  const { route } = useLocation();
  const [stored, setStored] = useState(agent);
  const [form, setForm] = useState<AgentForm>(agent ? formOf(agent) : EMPTY_FORM);
  const saving = useAction();
  const conflict = useConflict({ label: fieldName, shown: fieldValue });
  const original = stored ? formOf(stored) : EMPTY_FORM;
  const isChanged = JSON.stringify(bodyOf(form)) !== JSON.stringify(bodyOf(original));
  useWarningBeforeLeaving(isChanged);

  const take = (answer: Agent) => {
    setStored(answer);
    setForm(formOf(answer));
  };

  const create = async () => {
    const answer = await call(api.agents.post(bodyOf(form)));
    take(answer);
    sayDone(words.created(answer.name));
    route(`/dashboard/agents/${answer.agent_id}`, true);
  };

  return {
    stored,
    form,
    isChanged,
    saving,
    take,
    set: (change: Partial<AgentForm>) => setForm((before) => ({ ...before, ...change })),
    discard() {
      forgetUnsaved();
      setForm(original);
      saving.clear();
    },
    conflict: conflict.dialog,
    save: async () => {
      if (stored) {
        const answer = await conflict.save(saving, {
          stored,
          valuesOf: (one) => bodyOf(formOf(one)),
          typed: bodyOf(form),
          send: (change, version) =>
            call(api.agents({ id: stored.agent_id }).patch({ ...change, ...reasonOf(stored, form) }, basedOn(version))),
        });
        if (!answer) return;
        take(answer);
        sayDone(words.saved(answer.name));
      } else await saving.run(create);
    },
  };
}

function useWarningBeforeLeaving(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isChanged]);
}

function SaveBar({ editing: { stored, isChanged, saving, discard } }: { editing: Editing }) {
  return (
    <div class="save-bar">
      <Problem text={saving.error} />
      <span class="note" role="status">
        {isChanged ? words.unsaved : stored ? words.allSaved : ""}
      </span>
      <div class="actions">
        {isChanged && stored && <Button onClick={discard} label={words.discard} />}
        <Button
          kind="primary"
          type="submit"
          busy={saving.busy}
          disabled={!isChanged}
          label={stored ? words.save : words.create}
        />
      </div>
    </div>
  );
}
