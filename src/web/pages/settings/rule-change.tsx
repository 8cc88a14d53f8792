// Dialog that changes one rule. It says before saving whether the value is looser than the rule and needs a reason.
import { useEffect, useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { basedOn, useConflict } from "../../kit/conflict.tsx";
import { FormDialog } from "../../kit/dialog.tsx";
import { CheckBoxes, NumberField, SelectField, TextArea, TextField } from "../../kit/field.tsx";
import { useDelayed } from "../../kit/use-delayed.ts";
import { useForm, type FormState } from "../../kit/use-form.ts";
import { weekdayName } from "../../format.ts";
import { sayDone } from "../../said.ts";
import { said } from "../../words.ts";
import type { Versioned } from "../../../core/entity-tag.ts";
import type { RuleView } from "../../../rules/book/model.ts";
import type { ValueOf } from "../../../rules/book/rule-values.ts";
import { scopeInWords, valueInWords, wordOf } from "./rule-value.ts";

const words = said.rules;
const MONDAY_FIRST = [1, 2, 3, 4, 5, 6, 0];
const CHOICES: Partial<Record<RuleView["setting"], readonly string[]>> = {
  consent: ["needed", "not_needed"],
  recording: ["announce", "ask", "off"],
};

interface Draft {
  start: string;
  end: string;
  days: number[];
  /** Limit, word, prefix, or dates by line. */
  text: string;
  reason: string;
}

interface RuleChangeProps {
  rule: Versioned<RuleView>;
  onClose: () => void;
  onChanged: () => void;
}

export function RuleChange({ rule, onClose, onChanged }: RuleChangeProps) {
  const form = useForm<Draft>(() => draftOf(rule), ["reason", "value"]);
  const verdict = useVerdict(rule, form.values);
  const conflict = useConflict({
    label: () => words.value,
    shown: (_name, value) => valueInWords(rule.setting, value),
  });
  const save = async () => {
    const reason = form.values.reason.trim();
    const given = { rule_id: rule.rule_id, ...(reason === "" ? {} : { reason }) };
    const typed = { value: valueOf(rule, form.values) };
    const saved = await conflict.save(form, {
      stored: rule,
      valuesOf: ({ value }: Pick<RuleView, "value">) => ({ value }),
      typed,
      send: ({ value }, version) => call(api.rules.put({ ...given, value }, basedOn(version))),
    });
    if (!saved) return;
    sayDone(words.saved);
    onClose();
    onChanged();
  };
  return (
    <>
      <FormDialog
        title={words.changeRule(words.settings[rule.setting])}
        onClose={onClose}
        submission={form}
        submit={words.save}
        onSubmit={save}
      >
        <p class="note">
          {scopeInWords(rule)}. {words.book(valueInWords(rule.setting, rule.book_value))}
        </p>
        <ValueFields rule={rule} form={form} />
        {verdict && (
          <p class={verdict.isBad ? "problem" : "note"} role="status">
            {verdict.text}
          </p>
        )}
        <TextArea label={words.reason} hint={words.reasonHint} rows={3} {...form.at("reason")} />
      </FormDialog>
      {conflict.dialog}
    </>
  );
}

function ValueFields({ rule, form }: { rule: RuleView; form: FormState<Draft> }) {
  const choices = CHOICES[rule.setting];
  const text = form.at("text", "value");
  if (rule.setting === "hours") {
    return (
      <>
        <TextField label={words.start} type="time" required {...form.at("start", "value")} />
        <TextField label={words.end} type="time" required {...form.at("end")} />
        <CheckBoxes
          legend={words.days}
          options={MONDAY_FIRST.map((day) => [day, weekdayName(day, "long")] as const)}
          chosen={form.values.days}
          onChosen={(days) => form.set({ days })}
        />
      </>
    );
  }
  if (choices) {
    return (
      <SelectField label={words.newValue} options={choices.map((word) => [word, wordOf(word)] as const)} {...text} />
    );
  }
  if (rule.setting === "days_off") return <TextArea label={words.dates} hint={words.datesHint} {...text} />;
  if (rule.setting === "caller_id")
    return <TextField label={words.newValue} hint={words.prefixHint} required maxLength={12} {...text} />;
  return <NumberField label={words.limit} hint={words.limitHint} min={1} max={100} {...text} />;
}

interface Verdict {
  text: string;
  isBad: boolean;
}

/** Asks the server while the person types. */
function useVerdict(rule: RuleView, draft: Draft): Verdict | null {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const value = useDelayed(JSON.stringify(valueOf(rule, draft)));
  useEffect(() => {
    let isCurrent = true;
    void call(api.rules.compare.post({ rule_id: rule.rule_id, value: JSON.parse(value) as unknown })).then(
      ({ fault, is_looser }) => {
        if (!isCurrent) return;
        const text = fault ?? (is_looser ? words.isLooser : words.isStricter);
        setVerdict({ text, isBad: fault !== null || is_looser });
      },
      // Saving reports what is wrong.
      () => isCurrent && setVerdict(null),
    );
    return () => {
      isCurrent = false;
    };
  }, [value]);
  return verdict;
}

function draftOf({ setting, value }: RuleView): Draft {
  const none = { start: "", end: "", days: [], reason: "" };
  if (setting === "hours") return { ...none, ...structuredClone(value as ValueOf<"hours">), text: "" };
  if (Array.isArray(value)) return { ...none, text: value.join("\n") };
  return { ...none, text: value === "unlimited" ? "" : String(value) };
}

function valueOf({ setting }: RuleView, { start, end, days, text }: Draft): unknown {
  const trimmed = text.trim();
  switch (setting) {
    case "hours":
      return { start, end, days };
    case "days_off":
      return trimmed === "" ? [] : trimmed.split(/[\s,]+/);
    case "per_day":
    case "per_week":
      return trimmed === "" ? "unlimited" : Number(trimmed);
    case "caller_id":
    case "consent":
    case "recording":
    case "notices":
      return trimmed;
  }
}
