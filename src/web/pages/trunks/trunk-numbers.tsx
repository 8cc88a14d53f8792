// How a trunk writes numbers: who a call comes from, how a number is dialled, and who is rung by which extension.
import { SelectField, TextArea, TextField } from "../../kit/field.tsx";
import type { TrunkForm } from "./trunk-form.ts";
import { said } from "../../words.ts";

export const numberWords = said.trunks.numbers;

interface Props {
  form: TrunkForm;
  set: (change: Partial<TrunkForm>) => void;
  fields: Record<string, string>;
}

export function TrunkNumbers({ form, set, fields }: Props) {
  return (
    <fieldset class="trunk-group">
      <legend>{numberWords.title}</legend>
      <div class="form">
        <TextField
          label={numberWords.fromUser}
          hint={numberWords.fromUserHint}
          maxLength={100}
          autoComplete="off"
          value={form.fromUser}
          onValue={(fromUser) => set({ fromUser })}
          error={fields["from_user"]}
        />
        <SelectField
          label={numberWords.identityHeader}
          value={form.identityHeader}
          onValue={(identityHeader) => set({ identityHeader })}
          options={Object.entries(numberWords.identityHeaders)}
          error={fields["identity_header"]}
        />
        <div class="wide">
          <TextField
            label={numberWords.callerId}
            hint={numberWords.callerIdHint}
            type="tel"
            maxLength={20}
            placeholder="+912212345678"
            value={form.callerId}
            onValue={(callerId) => set({ callerId })}
            error={fields["caller_id"]}
          />
        </div>
        <SelectField
          label={numberWords.numberFormat}
          value={form.numberFormat}
          onValue={(numberFormat) => set({ numberFormat })}
          options={Object.entries(numberWords.numberFormats)}
          error={fields["number_format"]}
        />
        <TextField
          label={numberWords.dialPrefix}
          hint={numberWords.dialPrefixHint}
          type="tel"
          maxLength={8}
          disabled={form.numberFormat === "e164"}
          value={form.numberFormat === "e164" ? "" : form.dialPrefix}
          onValue={(dialPrefix) => set({ dialPrefix })}
          error={fields["dial_prefix"]}
        />
        <div class="wide">
          <TextArea
            label={numberWords.extensions}
            hint={numberWords.extensionsHint}
            rows={3}
            value={form.extensions}
            onValue={(extensions) => set({ extensions })}
            error={fields["extensions"]}
          />
        </div>
      </div>
    </fieldset>
  );
}
