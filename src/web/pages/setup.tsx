// First setup: the holder of the one-time code names the hospital and becomes its owner.
import { useState } from "preact/hooks";
import { api, call } from "../client.ts";
import { Door, DoorBrand } from "../kit/door.tsx";
import { PasswordField, SelectField, TextField } from "../kit/field.tsx";
import { Button, Problem } from "../kit/parts.tsx";
import { useForm } from "../kit/use-form.ts";
import { useLoaded } from "../data.ts";
import { said } from "../words.ts";
import { zonesWith } from "../zones.ts";

const words = said.door.setup;

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function SetupPage({ onDone }: { onDone: () => void }) {
  // The code is in the URL fragment, which browsers do not send to servers or proxies.
  const [givenCode] = useState(() => location.hash.slice(1));
  const form = useForm({ code: givenCode, organisation: "", time_zone: HERE, email: "", name: "", password: "" });
  const { at, values, busy, error } = form;
  const welcome = useLoaded(() => call(api.welcome.get()), []);
  const submit = async () => {
    if (!(await form.run(() => call(api.setup.post(values))))) return;
    // Removes the used code from the browser's history.
    history.replaceState(null, "", "/dashboard");
    location.assign("/dashboard");
    onDone();
  };
  /** The API uses the same field name for the hospital's and the person's name. The error belongs to the empty one. */
  const named = (name: "organisation" | "name") => {
    const field = at(name, "name");
    return field.value.trim() === "" ? field : { ...field, error: undefined };
  };

  if (welcome.data?.needs_setup === false) return <SetUpAlready />;
  return (
    <Door title={words.title} tabTitle={words.title} isIntroduced onSubmit={submit}>
      <p class="note">{words.intro}</p>
      <Problem text={error} />
      {givenCode === "" && (
        <TextField
          label={words.code}
          hint={words.codeHint}
          required
          maxLength={100}
          autoComplete="off"
          {...at("code")}
        />
      )}
      <TextField label={words.organisation} required maxLength={200} {...named("organisation")} />
      <SelectField label={words.zone} hint={words.zoneHint} options={zonesWith(HERE)} {...at("time_zone")} />
      <TextField label={words.name} required autoComplete="name" maxLength={100} {...named("name")} />
      <TextField label={words.email} required type="email" autoComplete="username" {...at("email")} />
      <PasswordField isNew label={words.password} hint={words.passwordHint} {...at("password")} />
      <Button kind="primary" type="submit" busy={busy} label={words.submit} />
    </Door>
  );
}

function SetUpAlready() {
  return (
    <main class="door">
      <DoorBrand />
      <div class="card">
        <h1>{words.title}</h1>
        <p>{words.already}</p>
        <a href="/dashboard">{words.signIn}</a>
      </div>
    </main>
  );
}
