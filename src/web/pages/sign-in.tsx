// Signing in; in a demo one click is enough.
import { useEffect, useState } from "preact/hooks";
import { api, call, messageOf } from "../client.ts";
import { Mark } from "../kit/icons.tsx";
import { TextField } from "../kit/field.tsx";
import { Button, Problem } from "../kit/parts.tsx";
import { useLoaded } from "../data.ts";
import { common, said } from "../words.ts";

const words = said.door.signIn;

/** `keepsPage`: behind it waits a page with something unsaved. */
export function SignInPage({ onDone, keepsPage = false }: { onDone: () => void; keepsPage?: boolean }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const welcome = useLoaded(() => call(api.welcome.get()), []);
  useEffect(() => {
    document.title = `${words.title} · ${common.appName}`;
  }, []);

  const attempt = async (signIn: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    try {
      await signIn();
      onDone();
    } catch (fault) {
      setError(messageOf(fault));
      setPassword("");
    } finally {
      setBusy(false);
    }
  };

  return (
    <main class="door">
      <form
        class="card"
        data-free
        onSubmit={(event) => {
          event.preventDefault();
          void attempt(() => call(api.login.post({ email, password })));
        }}
      >
        <p class="door-brand">
          <Mark />
          {common.appName}
        </p>
        <h1>{words.title}</h1>
        {keepsPage && <p class="note">{words.keepsPage}</p>}
        {welcome.data?.demo && (
          <div class="door-demo">
            <Button
              kind="primary"
              busy={busy}
              onClick={() => void attempt(() => call(api["demo-login"].post()))}
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
        <TextField label={words.email} type="email" autoComplete="username" required value={email} onValue={setEmail} />
        <TextField
          label={words.password}
          hint={words.forgotten}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onValue={setPassword}
        />
        <Button kind={welcome.data?.demo ? "plain" : "primary"} type="submit" busy={busy} label={words.submit} />
      </form>
    </main>
  );
}
