// The second step of a sign-in: the second factor, or its set-up if the role needs one.
import { useState } from "preact/hooks";
import { api, call } from "../client.ts";
import { Door } from "../kit/door.tsx";
import { TextField } from "../kit/field.tsx";
import { Button, Problem } from "../kit/parts.tsx";
import { useForm } from "../kit/use-form.ts";
import { makePasskey, passkeyProblem, signWithPasskey } from "../passkeys.ts";
import { said } from "../words.ts";
import { CodeField, CodeSetUp, RecoveryCodes } from "./settings/factor-set-up.tsx";

const words = said.signIn;

interface StepProps {
  onDone: () => void;
  /** Back to e-mail address and password. */
  onBack: () => void;
}

/** Asks for a passkey; `alone`: instead of a password. */
export async function signInByPasskey(alone: boolean): Promise<void> {
  const options = await call(api["sign-in"].passkey.options.post({ alone }));
  await call(api["sign-in"].passkey.post(await signWithPasskey(options)));
}

export function FactorStep({ ways, onDone, onBack }: StepProps & { ways: { code: boolean; passkey: boolean } }) {
  const form = useForm({ code: "" }, ["code"]);
  const enter = async () => {
    if (await form.run(() => call(api["sign-in"].code.post(form.values)))) onDone();
    else form.reset();
  };
  const withPasskey = async () => {
    if (await form.run(() => signInByPasskey(false))) onDone();
  };
  return (
    <Door title={words.step.title} isFree onSubmit={enter}>
      <Problem text={form.error} />
      {ways.passkey && (
        <Button
          kind="primary"
          busy={form.busy}
          onClick={withPasskey}
          disabled={passkeyProblem() !== null}
          label={words.step.withPasskey}
        />
      )}
      {ways.passkey && passkeyProblem() && <p class="note">{passkeyProblem()}</p>}
      <CodeField
        label={ways.code ? words.step.code : words.step.recoveryCode}
        hint={ways.code ? words.step.codeHint : words.step.recoveryCodeHint}
        {...form.at("code")}
      />
      <Button kind={ways.passkey ? "plain" : "primary"} type="submit" busy={form.busy} label={words.step.submit} />
      <Button kind="quiet" onClick={onBack} label={words.step.back} />
    </Door>
  );
}

export function SetUpStep({ onDone, onBack }: StepProps) {
  const [way, setWay] = useState<"choose" | "code" | "passkey">("choose");
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const form = useForm({ code: "", name: "" }, ["code"]);
  const problem = passkeyProblem();
  const finish = async (work: () => Promise<{ recovery_codes: readonly string[] }>) => {
    await form.run(async () => setCodes((await work()).recovery_codes));
  };
  const setUp = api["sign-in"]["set-up"];
  const submit = () => {
    if (way === "code") return finish(() => call(setUp.code.confirm.post({ code: form.values.code })));
    if (way === "passkey")
      return finish(async () => {
        const credential = await makePasskey(await call(setUp.passkey.options.post()));
        return call(setUp.passkey.post({ name: form.values.name, credential }));
      });
    return undefined;
  };
  if (codes !== null)
    return (
      <Door title={words.setUp.recoveryTitle} isFree onSubmit={onDone}>
        <RecoveryCodes codes={codes}>
          <Button kind="primary" type="submit" label={words.setUp.goOn} />
        </RecoveryCodes>
      </Door>
    );
  return (
    <Door title={words.setUp.title} isFree onSubmit={submit}>
      <p class="note">{words.setUp.needed}</p>
      <Problem text={form.error} />
      {way === "choose" && (
        <>
          <Button kind="primary" onClick={() => setWay("code")} label={words.setUp.chooseCode} />
          <Button disabled={problem !== null} onClick={() => setWay("passkey")} label={words.setUp.choosePasskey} />
          {problem !== null && <p class="note">{problem}</p>}
        </>
      )}
      {way === "code" && <CodeSetUp begin={() => call(setUp.code.post())} form={form} />}
      {way === "passkey" && (
        <TextField
          label={words.passkeys.name}
          hint={words.passkeys.nameHint}
          required
          maxLength={60}
          {...form.at("name")}
        />
      )}
      {way !== "choose" && <Button kind="primary" type="submit" busy={form.busy} label={words.setUp.confirm} />}
      <Button kind="quiet" onClick={way === "choose" ? onBack : () => setWay("choose")} label={words.step.back} />
    </Door>
  );
}
