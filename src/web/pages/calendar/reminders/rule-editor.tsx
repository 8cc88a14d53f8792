// Editor of a reminder rule, with a summary sentence and the number of calls it would make tomorrow.
import { useState } from "preact/hooks";
import type { ReminderAgent } from "../../../../reminders/rule-service.ts";
import type { RuleView } from "../../../../reminders/model.ts";
import { useAction, type Action } from "../../../action.ts";
import { api, call } from "../../../client.ts";
import { CheckBox, NumberField, SelectField, TextField } from "../../../kit/field.tsx";
import { Form } from "../../../kit/form.tsx";
import { Button } from "../../../kit/parts.tsx";
import { Skeleton } from "../../../kit/skeleton.tsx";
import { fieldsOf } from "../../../kit/fields-of.ts";
import { useLoaded } from "../../../data.ts";
import { common } from "../../../words.ts";
import { branchOptions, serviceOptions, type Directory } from "../calendar-context.ts";
import { draftOf, placeholdersOf, ruleOf, ruleSentence, type RuleDraft, type SourceName } from "./rule-form.ts";
import { words } from "./words.ts";

interface RuleEditorProps {
  rule: RuleView | null;
  agents: readonly ReminderAgent[];
  directory: Directory;
  /** Branch of a new rule. */
  branchId: string | null;
  onDone: (said: string) => void;
}

const FIELDS = ["at", "call_to", "agent_id", "days_before", "hours_before", "tries", "retry_minutes", "settle_hours"];

export function RuleEditor({ rule, agents, directory, branchId, onDone }: RuleEditorProps) {
  const [draft, setDraft] = useState(() => draftOf(rule, agents, branchId));
  const submission = useAction(FIELDS);
  const removal = useAction();
  const change = (values: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...values }));
  const agent = agents.find(({ agent_id }) => agent_id === draft.agent);
  const save = async () => {
    const body = ruleOf(draft);
    const work = () =>
      rule ? call(api.reminders.rules({ id: rule.rule_id }).patch(body)) : call(api.reminders.rules.post(body));
    if (await submission.run(work)) onDone(words.saved);
  };
  const remove = async () => {
    if (rule && (await removal.run(() => call(api.reminders.rules({ id: rule.rule_id }).delete()))))
      onDone(words.removed);
  };
  const { box } = fieldsOf(draft, change);
  return (
    <Form
      submission={submission}
      submit={common.save}
      onSubmit={save}
      more={rule && <Button kind="danger" busy={removal.busy} onClick={remove} label={words.remove} />}
    >
      <Preview draft={draft} agentName={agent?.name ?? ""} directory={directory} />
      <WhoAndWhen draft={draft} change={change} directory={directory} faults={submission.fields} />
      <SelectField
        label={words.agent}
        hint={agents.length === 0 ? words.agentHint : undefined}
        error={submission.fields["agent_id"]}
        value={draft.agent}
        onValue={(id) =>
          change({
            agent: id,
            placeholders: placeholdersOf(
              agents.find(({ agent_id }) => agent_id === id),
              rule,
            ),
          })
        }
        options={agents.map(({ agent_id, name, has_number }) => [agent_id, has_number ? name : words.noNumber(name)])}
      />
      <Placeholders draft={draft} change={change} />
      <MoreFields draft={draft} change={change} faults={submission.fields} />
      <CheckBox label={words.isOn} {...box("enabled")} />
    </Form>
  );
}

function Preview({ draft, agentName, directory }: { draft: RuleDraft; agentName: string; directory: Directory }) {
  const rule = ruleOf(draft);
  const key = JSON.stringify({ ...rule, placeholders: [], enabled: true });
  const counted = useLoaded(async () => {
    const { agent_id: _, placeholders: __, ...timing } = rule;
    return call(api.reminders.preview.post(timing));
  }, [key]);
  const tomorrow = counted.error === null ? counted.data?.tomorrow : undefined;
  return (
    <div class="rem-preview wide" role="status">
      <p>{ruleSentence({ ...rule, agent_name: agentName }, directory)}</p>
      <div class="note">
        {tomorrow
          ? [
              words.tomorrow(tomorrow.people),
              ...(tomorrow.without_number > 0 ? [words.tomorrowWithout(tomorrow.without_number)] : []),
            ].join(" ")
          : (counted.error ?? <Skeleton shape="line" />)}
      </div>
    </div>
  );
}

interface PartProps {
  draft: RuleDraft;
  change: (values: Partial<RuleDraft>) => void;
  faults: Action["fields"];
}

function WhoAndWhen({ draft, change, directory, faults }: PartProps & { directory: Directory }) {
  const { at } = fieldsOf(draft, change, faults);
  return (
    <>
      <SelectField
        label={words.branch}
        options={[["", words.allBranches], ...branchOptions(directory.branches)]}
        {...at("branch")}
      />
      <SelectField
        label={words.service}
        options={[["", words.allServices], ...serviceOptions(directory.services)]}
        {...at("service")}
      />
      <SelectField
        label={words.timing}
        value={draft.timing}
        onValue={(timing) => change({ timing: timing === "hours_before" ? timing : "day_before" })}
        options={Object.entries(words.timings)}
      />
      {draft.timing === "day_before" ? (
        <div class="rem-pair">
          <NumberField label={words.daysBefore} min={1} max={14} required {...at("daysBefore")} />
          <TextField label={words.at} type="time" required {...at("at")} />
        </div>
      ) : (
        <NumberField label={words.hours} min={1} max={336} required hint={words.hoursHint} {...at("hoursBefore")} />
      )}
    </>
  );
}

function Placeholders({ draft, change }: Omit<PartProps, "faults">) {
  if (draft.placeholders.length === 0) return null;
  const set = (name: string, values: { source?: SourceName; text?: string }) =>
    change({
      placeholders: draft.placeholders.map((each) => (each.placeholder === name ? { ...each, ...values } : each)),
    });
  return (
    <fieldset class="rem-words wide">
      <legend>{words.placeholders}</legend>
      <p class="note">{words.placeholdersNote}</p>
      {draft.placeholders.map(({ placeholder, source, text }) => (
        <div key={placeholder} class="rem-pair">
          <SelectField
            label={placeholder}
            value={source}
            onValue={(value) => set(placeholder, { source: value as SourceName })}
            options={Object.entries(words.sources)}
          />
          {source === "text" && (
            <TextField
              label={words.textFor(placeholder)}
              value={text}
              maxLength={500}
              onValue={(value) => set(placeholder, { text: value })}
            />
          )}
        </div>
      ))}
    </fieldset>
  );
}

function MoreFields({ draft, change, faults }: PartProps) {
  const { at, box } = fieldsOf(draft, change, faults);
  return (
    <details class="rem-more wide">
      <summary>{words.more}</summary>
      <div class="form">
        <NumberField label={words.tries} min={1} max={5} {...at("tries")} />
        <NumberField label={words.retryMinutes} min={5} max={1_440} {...at("retryMinutes")} />
        <TextField label={words.callFrom} type="time" {...at("callFrom")} />
        <TextField label={words.callTo} type="time" {...at("callTo")} />
        <NumberField label={words.settleHours} min={0} max={72} hint={words.settleHint} {...at("settleHours")} />
        <CheckBox label={words.skipConfirmed} {...box("skipConfirmed")} />
      </div>
    </details>
  );
}
