// Sign-in; in the demo, one click is enough.
import { useState } from "preact/hooks";
import { api, call } from "../client.ts";
import { Door } from "../kit/door.tsx";
import { PasswordField, TextField } from "../kit/field.tsx";
import { Button, Problem } from "../kit/parts.tsx";
import { useForm } from "../kit/use-form.ts";
import { useLoaded } from "../data.ts";
import { passkeyProblem } from "../passkeys.ts";
import { said } from "../words.ts";
import { ProviderButton } from "./provider.tsx";
import { FactorStep, SetUpStep, signInByPasskey } from "./second-step.tsx";

const words = said.door.signIn;

interface Step {
  kind: "factor" | "set_up";
  ways: { code: boolean; passkey: boolean };
}

/** `keepsPage`: a page with unsaved input was set aside. */
export function SignInPage({ onDone, keepsPage = false }: { onDone: () => void; keepsPage?: boolean }) {
  const form = useForm({ email: "", password: "" });
  const { at, busy, error } = form;
  const welcome = useLoaded(() => call(api.welcome.get()), []);
  const { oidc: provider = null, ldap: directory = null } = welcome.data?.directories ?? {};
  const [step, setStep] = useState<Step | null>(null);
  const signIn = async () => {
    const isRight = await form.run(async () => {
      const answer = await call(api.login.post(form.values));
      if (answer.next === "open") onDone();
      else setStep({ kind: answer.next, ways: answer.ways });
    });
    if (!isRight) form.set({ password: "" });
  };
  const back = () => {
    form.reset();
    setStep(null);
  };
  const attempt = async (work: () => Promise<unknown>) => {
    if (await form.run(work)) onDone();
  };

  if (step?.kind === "factor") return <FactorStep ways={step.ways} onDone={onDone} onBack={back} />;
  if (step?.kind === "set_up") return <SetUpStep onDone={onDone} onBack={back} />;
  return (
    <Door title={words.title} isIntroduced isFree onSubmit={signIn}>
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
      {provider && <ProviderButton name={provider.name} busy={busy} run={form.run} />}
      <TextField
        label={directory ? said.signIn.provider.login : words.email}
        {...(directory ? { hint: said.signIn.provider.loginHint(directory.name) } : { type: "email" as const })}
        autoComplete="username"
        required
        {...at("email")}
      />
      <PasswordField
        label={words.password}
        {...(welcome.data?.sends_mail === false && { hint: words.forgotten })}
        {...at("password")}
      />
      <Button kind={welcome.data?.demo ? "plain" : "primary"} type="submit" busy={busy} label={words.submit} />
      {welcome.data?.sends_mail && <a href="/dashboard/forgot">{words.forgot}</a>}
      {passkeyProblem() === null && (
        <Button
          busy={busy}
          onClick={() => attempt(() => signInByPasskey(true))}
          label={said.signIn.step.passkeyAlone}
        />
      )}
    </Door>
  );
}
