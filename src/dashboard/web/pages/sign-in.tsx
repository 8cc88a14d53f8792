// Signing in; in a demo one click is enough.
import { useState } from "preact/hooks";
import { api, call, messageOf } from "../client.ts";
import { Button, Problem, TextField } from "../components/parts.tsx";
import { useLoaded } from "../data.ts";

const words = {
  title: "Sign in",
  email: "E-mail address",
  password: "Password",
  submit: "Sign in",
  demo: "Enter the demo hospital",
  demoNote: "This is a demo: everything in it is invented.",
  needsSetup: "This appliance is not set up yet. Use the setup link that it printed when it started.",
};

export function SignInPage({ onDone }: { onDone: () => void }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const welcome = useLoaded(() => call(api.welcome.get()), []);

  const attempt = async (signIn: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    try {
      await signIn();
      onDone();
    } catch (fault) {
      setError(messageOf(fault));
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
          void attempt(() => call(api.login.post({ email, password })));
        }}
      >
        <h1>{words.title}</h1>
        {welcome.data?.needs_setup && <p class="note">{words.needsSetup}</p>}
        {error !== null && <Problem text={error} />}
        <TextField label={words.email} type="email" autoComplete="username" required value={email} onValue={setEmail} />
        <TextField label={words.password} type="password" autoComplete="current-password" required value={password} onValue={setPassword} />
        <Button kind="primary" type="submit" busy={busy}>
          {words.submit}
        </Button>
        {welcome.data?.demo && (
          <>
            <p class="note">{words.demoNote}</p>
            <Button busy={busy} onClick={() => void attempt(() => call(api["demo-login"].post()))}>
              {words.demo}
            </Button>
          </>
        )}
      </form>
    </main>
  );
}
