// The first minute: whoever holds the one-time code names the hospital and becomes its owner.
import { useState } from "preact/hooks";
import { ApiError, api, call, messageOf } from "../client.ts";
import { Button, Problem, SelectField, TextField } from "../components/parts.tsx";

const words = {
  title: "Set up Ringward",
  intro: "Name your hospital and choose how you sign in. You can change all of it later.",
  code: "Setup code",
  codeHint: "Printed by the appliance when it started.",
  organisation: "Name of the hospital",
  zone: "Time zone",
  name: "Your name",
  email: "Your e-mail address",
  password: "Password",
  passwordHint: "At least 10 characters.",
  submit: "Begin",
};

const ZONES = Intl.supportedValuesOf("timeZone").map((zone) => [zone, zone] as const);

export function SetupPage({ onDone }: { onDone: () => void }) {
  // The code travels behind the #, which browsers do not send to servers or proxies.
  const [form, setForm] = useState({
    code: location.hash.slice(1),
    organisation: "",
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    email: "",
    name: "",
    password: "",
  });
  const [fields, setFields] = useState<Record<string, string>>({});
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const set = (field: keyof typeof form) => (value: string) => setForm((before) => ({ ...before, [field]: value }));

  const submit = async () => {
    setBusy(true);
    setError(null);
    setFields({});
    try {
      await call(api.setup.post(form));
      history.replaceState(null, "", "/dashboard");
      location.assign("/dashboard");
      onDone();
    } catch (fault) {
      setError(messageOf(fault));
      if (fault instanceof ApiError) setFields(fault.fault.fields);
    } finally {
      setBusy(false);
    }
  };

  return (
    <main class="door">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <h1>{words.title}</h1>
        <p class="note">{words.intro}</p>
        {error !== null && <Problem text={error} />}
        <TextField label={words.code} hint={words.codeHint} required value={form.code} onValue={set("code")} error={fields["code"]} />
        <TextField label={words.organisation} required maxLength={200} value={form.organisation} onValue={set("organisation")} error={fields["name"]} />
        <SelectField label={words.zone} value={form.time_zone} onValue={set("time_zone")} options={ZONES} error={fields["time_zone"]} />
        <TextField label={words.name} required autoComplete="name" maxLength={100} value={form.name} onValue={set("name")} />
        <TextField label={words.email} required type="email" autoComplete="username" value={form.email} onValue={set("email")} error={fields["email"]} />
        <TextField label={words.password} hint={words.passwordHint} required type="password" autoComplete="new-password" minLength={10} value={form.password} onValue={set("password")} error={fields["password"]} />
        <Button kind="primary" type="submit" busy={busy}>
          {words.submit}
        </Button>
      </form>
    </main>
  );
}
