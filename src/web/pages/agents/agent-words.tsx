// Who an agent is and what it says.
import { CheckBox, SelectField, TextField } from "../../kit/field.tsx";
import { Card } from "../../kit/parts.tsx";
import type { RulesProps } from "./agent-rules.tsx";
import type { Suggestion } from "./placeholder-completion.ts";
import { TemplateField } from "./template-field.tsx";
import { said } from "../../words.ts";

const words = said.agents.agentWords;

const LANGUAGES = ["en-IN", "hi", "en-US", "ta", "te", "bn", "mr", "kn", "ml", "gu", "pa"];
const LANGUAGE_LIST = "agent-languages";

export function WhoSpeaks({ form, set, fields, disabled }: RulesProps) {
  return (
    <Card title={words.who}>
      <div class="form">
        <TextField
          label={words.name}
          hint={words.nameHint}
          required
          maxLength={100}
          disabled={disabled}
          value={form.name}
          onValue={(name) => set({ name })}
          error={fields["name"]}
        />
        <SelectField
          label={words.type}
          disabled={disabled}
          value={form.type}
          onValue={(type) => set({ type })}
          options={Object.entries(words.types)}
          error={fields["type"]}
        />
        <TextField
          label={words.language}
          hint={words.languageHint}
          required
          maxLength={20}
          disabled={disabled}
          list={LANGUAGE_LIST}
          value={form.language}
          onValue={(language) => set({ language })}
          error={fields["language"]}
        />
        <TextField
          label={words.voice}
          hint={words.voiceHint}
          required
          maxLength={100}
          disabled={disabled}
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
  );
}

export function WhatItSays({ form, set, fields, disabled, known }: RulesProps & { known: readonly Suggestion[] }) {
  return (
    <Card title={words.says}>
      <TemplateField
        label={words.greeting}
        hint={words.greetingHint}
        maxLength={2_000}
        disabled={disabled}
        known={known}
        value={form.greeting}
        onValue={(greeting) => set({ greeting })}
        error={fields["greeting"]}
      />
      <TemplateField
        tall
        label={words.prompt}
        hint={words.promptHint}
        maxLength={32_000}
        disabled={disabled}
        known={known}
        value={form.prompt}
        onValue={(prompt) => set({ prompt })}
        error={fields["prompt"]}
      />
      {form.type === "outbound" && (
        <>
          <CheckBox
            label={words.openAnnouncements}
            disabled={disabled}
            checked={form.openAnnouncements}
            onChecked={(openAnnouncements) => set({ openAnnouncements })}
          />
          <p class="note">{words.openAnnouncementsHint}</p>
        </>
      )}
    </Card>
  );
}
