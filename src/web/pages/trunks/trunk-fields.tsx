// Fields of a trunk, in four groups: address, credentials, calls, and monitoring.
import { CheckBox, NumberField, SelectField, TextArea, TextField } from "../../kit/field.tsx";
import { fieldsOf } from "../../kit/fields-of.ts";
import { PrefixList } from "./prefix-list.tsx";
import { numberWords, TrunkNumbers } from "./trunk-numbers.tsx";
import type { TrunkForm } from "./trunk-form.ts";
import { said } from "../../words.ts";

const words = said.trunks.trunkFields;

/** Labels by the server's field names, for its error messages. */
const LABELS: Record<string, string> = {
  name: said.trunks.trunkDialog.name,
  host: words.host,
  port: words.port,
  transport: words.transport,
  ca_pem: words.certificate,
  srtp: words.srtp,
  username: words.username,
  secret: words.secret,
  from_domain: words.fromDomain,
  from_user: numberWords.fromUser,
  identity_header: numberWords.identityHeader,
  caller_id: numberWords.callerId,
  number_format: numberWords.numberFormat,
  dial_prefix: numberWords.dialPrefix,
  concurrent_calls: words.lines,
  calls_per_second: words.perSecond,
  options_seconds: words.options,
};
export const labelOf = (name: string): string | undefined => LABELS[name];

/** The server's error messages, with the labels of this form instead of field names. */
export function inFormWords(faults: Record<string, string>): Record<string, string> {
  const entries = Object.entries(faults).map(([field, message]) => {
    if (field.startsWith("codecs")) return ["codecs", words.badCodecs] as const;
    // allowed_prefixes.2: the third prefix.
    if (field.startsWith("allowed_prefixes")) return ["allowed_prefixes", words.badPrefix] as const;
    if (field.startsWith("extensions.")) return ["extensions", numberWords.badExtension] as const;
    const label = LABELS[field];
    return [field, label && message.startsWith(field) ? `${label}${message.slice(field.length)}` : message] as const;
  });
  return Object.fromEntries(entries);
}

interface GroupProps {
  form: TrunkForm;
  set: (change: Partial<TrunkForm>) => void;
  fields: Record<string, string>;
}

export function TrunkFields(props: GroupProps) {
  return (
    <>
      <Where {...props} />
      <Who {...props} />
      <TrunkNumbers {...props} />
      <Calls {...props} />
      <Health {...props} />
    </>
  );
}

function Where({ form, set, fields }: GroupProps) {
  const { at, box } = fieldsOf(form, set, fields);
  return (
    <fieldset class="trunk-group">
      <legend>{words.where}</legend>
      <div class="form">
        <div class="wide">
          <TextField
            label={words.host}
            hint={words.hostHint}
            required
            maxLength={300}
            placeholder="pbx.hospital.example"
            {...at("host")}
          />
        </div>
        <NumberField
          label={words.port}
          hint={words.portHint}
          min={0}
          max={65_535}
          placeholder={form.transport === "tls" ? "5061" : "5060"}
          {...at("port")}
        />
        <SelectField
          label={words.transport}
          hint={words.transportHint}
          options={Object.entries(words.transports)}
          {...at("transport")}
        />
        {form.transport === "tls" && (
          <div class="wide">
            <TextArea label={words.caPem} hint={words.caPemHint} rows={4} {...at("caPem")} />
          </div>
        )}
        {form.transport === "tls" && (
          <SelectField
            label={words.srtp}
            hint={words.srtpHint}
            options={Object.entries(words.srtpChoices)}
            {...at("srtp")}
          />
        )}
        <TextField
          label={words.codecs}
          hint={words.codecsHint}
          maxLength={40}
          placeholder="G722, PCMA, PCMU"
          {...at("codecs")}
        />
      </div>
      {form.transport !== "tls" && <p class="note">{words.inClear}</p>}
      <CheckBox label={words.symmetricRtp} {...box("symmetricRtp")} />
      <p class="note">{words.symmetricRtpHint}</p>
    </fieldset>
  );
}

function Who({ form, set, fields }: GroupProps) {
  const hasAccount = form.username.trim() !== "";
  const { at } = fieldsOf(form, set, fields);
  return (
    <fieldset class="trunk-group">
      <legend>{words.who}</legend>
      <div class="form">
        <TextField
          label={words.username}
          hint={words.usernameHint}
          maxLength={100}
          autoComplete="off"
          {...at("username")}
        />
        {form.keepsSecret && hasAccount ? (
          <div class="field">
            <span class="label">{words.secret}</span>
            <div class="kept-secret">
              <CheckBox label={words.keepSecret} checked onChecked={(keepsSecret) => set({ keepsSecret })} />
            </div>
            <p class="note">{fields["secret"] ?? words.secretKept}</p>
          </div>
        ) : (
          <TextField
            label={words.secret}
            hint={secretHint(form, hasAccount)}
            type="password"
            maxLength={200}
            // Keeps the browser from filling in the dashboard password.
            autoComplete="new-password"
            disabled={!hasAccount}
            value={hasAccount ? form.secret : ""}
            onValue={(secret) => set({ secret })}
            error={fields["secret"]}
          />
        )}
        <div class="wide">
          <CheckBox
            label={hasAccount ? words.register : words.registerNeedsUser}
            disabled={!hasAccount}
            checked={hasAccount && form.register}
            onChecked={(register) => set({ register })}
          />
          {fields["register"] !== undefined && <p class="note bad">{fields["register"]}</p>}
        </div>
        <div class="wide">
          <TextField label={words.fromDomain} hint={words.fromDomainHint} maxLength={253} {...at("fromDomain")} />
        </div>
      </div>
    </fieldset>
  );
}

function secretHint({ hadSecret }: TrunkForm, hasAccount: boolean): string {
  if (!hasAccount) return words.secretNeedsUser;
  return hadSecret ? words.secretGone : words.secretHint;
}

function Calls({ form, set, fields }: GroupProps) {
  const { at } = fieldsOf(form, set, fields);
  return (
    <fieldset class="trunk-group">
      <legend>{words.calls}</legend>
      <div class="form">
        <NumberField
          label={words.lines}
          hint={words.linesHint}
          min={1}
          max={10_000}
          required
          {...at("lines", "concurrent_calls")}
        />
        <NumberField
          label={words.perSecond}
          hint={words.perSecondHint}
          min={0.1}
          max={1_000}
          step="any"
          required
          {...at("callsPerSecond")}
        />
      </div>
      <PrefixList prefixes={form.prefixes} typed={form.typedPrefix} onChange={set} error={fields["allowed_prefixes"]} />
    </fieldset>
  );
}

function Health({ form, set, fields }: GroupProps) {
  const { at, box } = fieldsOf(form, set, fields);
  return (
    <fieldset class="trunk-group">
      <legend>{words.health}</legend>
      <div class="form">
        <NumberField
          label={words.options}
          hint={words.optionsHint}
          min={0}
          max={3_600}
          required
          {...at("optionsSeconds")}
        />
      </div>
      <CheckBox label={words.enabled} {...box("enabled")} />
    </fieldset>
  );
}
