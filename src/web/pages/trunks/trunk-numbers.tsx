// Number formats of a trunk: caller ID, dialled format, and extensions.
import { SelectField, TextArea, TextField } from "../../kit/field.tsx";
import { PhoneField } from "../../kit/phone-field.tsx";
import { fieldsOf } from "../../kit/fields-of.ts";
import type { TrunkForm } from "./trunk-form.ts";
import { said } from "../../words.ts";

export const numberWords = said.trunks.numbers;

interface Props {
  form: TrunkForm;
  set: (change: Partial<TrunkForm>) => void;
  fields: Record<string, string>;
}

export function TrunkNumbers({ form, set, fields }: Props) {
  const { at } = fieldsOf(form, set, fields);
  return (
    <fieldset class="trunk-group">
      <legend>{numberWords.title}</legend>
      <div class="form">
        <TextField
          label={numberWords.fromUser}
          hint={numberWords.fromUserHint}
          maxLength={100}
          autoComplete="off"
          {...at("fromUser")}
        />
        <SelectField
          label={numberWords.identityHeader}
          options={Object.entries(numberWords.identityHeaders)}
          {...at("identityHeader")}
        />
        <div class="wide">
          <PhoneField
            label={numberWords.callerId}
            hint={numberWords.callerIdHint}
            placeholder="+912212345678"
            {...at("callerId")}
          />
        </div>
        <SelectField
          label={numberWords.numberFormat}
          options={Object.entries(numberWords.numberFormats)}
          {...at("numberFormat")}
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
          <TextArea label={numberWords.extensions} hint={numberWords.extensionsHint} rows={3} {...at("extensions")} />
        </div>
      </div>
    </fieldset>
  );
}
