// The first minute: whoever holds the one-time code names the hospital and becomes its owner.
import { useEffect, useState } from "preact/hooks";
import { useAction } from "../action.ts";
import { api, call } from "../client.ts";
import { Mark } from "../kit/icons.tsx";
import { SelectField, TextField } from "../kit/field.tsx";
import { Button, Problem } from "../kit/parts.tsx";
import { useLoaded } from "../data.ts";
import { common, said } from "../words.ts";
import { zonesWith } from "../zones.ts";

const words = said.door.setup;

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const EMPTY_FORM = { code: "", organisation: "", time_zone: HERE, email: "", name: "", password: "" };

interface Parts {
  form: typeof EMPTY_FORM;
  fields: Record<string, string>;
  set: (field: keyof typeof EMPTY_FORM) => (value: string) => void;
}

export function SetupPage({ onDone }: { onDone: () => void }) {
  // The code travels behind the #, which browsers do not send to servers or proxies.
  const [givenCode] = useState(() => location.hash.slice(1));
  const [form, setForm] = useState({ ...EMPTY_FORM, code: givenCode });
  const { busy, error, fields, run } = useAction();
  const welcome = useLoaded(() => call(api.welcome.get()), []);
  const parts: Parts = {
    form,
    fields,
    set: (field) => (value) => setForm((before) => ({ ...before, [field]: value })),
  };
  useEffect(() => {
    document.title = words.title;
  }, []);

  const submit = async () => {
    if (!(await run(() => call(api.setup.post(form))))) return;
    // The used code does not stay in the history of the browser.
    history.replaceState(null, "", "/dashboard");
    location.assign("/dashboard");
    onDone();
  };

  if (welcome.data?.needs_setup === false) return <SetUpAlready />;
  return (
    <main class="door">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p class="door-brand">
          <Mark />
          {common.appName}
        </p>
        <h1>{words.title}</h1>
        <p class="note">{words.intro}</p>
        <Problem text={error} />
        {givenCode === "" && <CodeField {...parts} />}
        <HospitalFields {...parts} />
        <PersonFields {...parts} />
        <Button kind="primary" type="submit" busy={busy} label={words.submit} />
      </form>
    </main>
  );
}

function SetUpAlready() {
  return (
    <main class="door">
      <div class="card">
        <h1>{words.title}</h1>
        <p>{words.already}</p>
        <a href="/dashboard">{words.signIn}</a>
      </div>
    </main>
  );
}

function CodeField({ form, fields, set }: Parts) {
  return (
    <TextField
      label={words.code}
      hint={words.codeHint}
      required
      maxLength={100}
      autoComplete="off"
      value={form.code}
      onValue={set("code")}
      error={fields["code"]}
    />
  );
}

function HospitalFields({ form, fields, set }: Parts) {
  return (
    <>
      <TextField
        label={words.organisation}
        required
        maxLength={200}
        value={form.organisation}
        onValue={set("organisation")}
        error={form.organisation.trim() === "" ? fields["name"] : undefined}
      />
      <SelectField
        label={words.zone}
        hint={words.zoneHint}
        value={form.time_zone}
        onValue={set("time_zone")}
        options={zonesWith(HERE)}
        error={fields["time_zone"]}
      />
    </>
  );
}

/** Of the first owner. */
function PersonFields({ form, fields, set }: Parts) {
  return (
    <>
      <TextField
        label={words.name}
        required
        autoComplete="name"
        maxLength={100}
        value={form.name}
        onValue={set("name")}
        error={form.name.trim() === "" ? fields["name"] : undefined}
      />
      <TextField
        label={words.email}
        required
        type="email"
        autoComplete="username"
        value={form.email}
        onValue={set("email")}
        error={fields["email"]}
      />
      <TextField
        label={words.password}
        hint={words.passwordHint}
        required
        type="password"
        autoComplete="new-password"
        minLength={10}
        value={form.password}
        onValue={set("password")}
        error={fields["password"]}
      />
    </>
  );
}
