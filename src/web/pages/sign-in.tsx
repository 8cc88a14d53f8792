// Sign-in; in the demo, one click is enough.
import { api, call } from "../client.ts";
import { Door } from "../kit/door.tsx";
import { PasswordField, TextField } from "../kit/field.tsx";
import { Button, Problem } from "../kit/parts.tsx";
import { useForm } from "../kit/use-form.ts";
import { useLoaded } from "../data.ts";
import { said } from "../words.ts";

const words = said.door.signIn;

/** `keepsPage`: a page with unsaved input was set aside. */
export function SignInPage({ onDone, keepsPage = false }: { onDone: () => void; keepsPage?: boolean }) {
  const form = useForm({ email: "", password: "" });
  const { at, busy, error } = form;
  const welcome = useLoaded(() => call(api.welcome.get()), []);
  const attempt = async (signIn: () => Promise<unknown>) => {
    if (await form.run(signIn)) onDone();
    else form.set({ password: "" });
  };

  return (
    <Door title={words.title} isFree onSubmit={() => attempt(() => call(api.login.post(form.values)))}>
      {keepsPage && <p class="note">{words.keepsPage}</p>}
      {welcome.data?.demo && (
        <div class="door-demo">
          <Button
            kind="primary"
            busy={busy}
            onClick={() => attempt(() => call(api["demo-login"].post()))}
            label={words.demo}
          />
          <p class="note">{words.demoNote}</p>
        </div>
      )}
      {welcome.data?.needs_setup && (
        <p class="note">
          {words.needsSetup} <a href="/dashboard/setup">{words.haveCode}</a>
        </p>
      )}
      <Problem text={error} />
      <TextField label={words.email} type="email" autoComplete="username" required {...at("email")} />
      <PasswordField label={words.password} hint={words.forgotten} {...at("password")} />
      <Button kind={welcome.data?.demo ? "plain" : "primary"} type="submit" busy={busy} label={words.submit} />
    </Door>
  );
}
