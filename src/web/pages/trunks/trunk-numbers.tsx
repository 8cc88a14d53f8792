// How a trunk writes numbers: who a call comes from, how a number is dialled, and who is rung by which extension.
import { SelectField, TextArea, TextField } from "../../components/parts.tsx";
import type { TrunkForm } from "./trunk-form.ts";

export const numberWords = {
  title: "Numbers and extensions",
  fromUser: "Calls come from (From user)",
  fromUserHint: 'Leave empty: the username where it registers, otherwise the number. "number" is always the number.',
  identityHeader: "The number is told in",
  identityHeaders: [
    ["auto", "P-Asserted-Identity, where From lacks it"],
    ["p_asserted_identity", "P-Asserted-Identity, always"],
    ["remote_party_id", "Remote-Party-ID"],
    ["none", "No other header"],
  ] as const,
  callerId: "Number that is shown",
  callerIdHint: "A number, or an extension of the PBX. Leave empty to show the number that calls.",
  numberFormat: "Numbers are dialled",
  numberFormats: [
    ["e164", "With +: +919812345678"],
    ["digits", "Without +: 919812345678"],
    ["national", "As in the country: 09812345678"],
  ] as const,
  dialPrefix: "With a prefix",
  dialPrefixHint: "Such as 9 for an outside line. Not with +.",
  extensions: "Extensions that ring an agent",
  extensionsHint:
    "One in each line: what is dialled at the PBX = the phone number whose agent answers. * is everything else. The username needs none where one number alone takes calls.",
  badExtension: "Each line is a name or extension, = and a phone number of this trunk, such as 2001=+912212345678.",
};

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
          options={numberWords.identityHeaders}
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
          options={numberWords.numberFormats}
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
