// Set-up of a second factor: the QR code with the first code of the app, and the recovery codes that follow. In the
// settings, and at sign-in if the role needs a second factor.
import type { ComponentChildren } from "preact";
import { useCopying } from "../../copying.ts";
import { useLoaded } from "../../data.ts";
import { TextField } from "../../kit/field.tsx";
import { Button, Shown } from "../../kit/parts.tsx";
import { QrCode } from "../../kit/qr-code.tsx";
import type { FormState } from "../../kit/use-form.ts";
import { said } from "../../words.ts";

const words = said.signIn.setUp;

export interface AppSecret {
  secret: string;
  url: string;
}

/** The parts of a form: the caller has the form and its button. */
export function CodeSetUp({ begin, form }: { begin: () => Promise<AppSecret>; form: FormState<{ code: string }> }) {
  const secret = useLoaded(begin, []);
  return (
    <Shown from={secret}>
      {(app) => (
        <>
          <p class="note">{words.scan}</p>
          <QrCode text={app.url} label={words.qrCode} />
          <p class="note">{words.byHand}</p>
          <code class="app-secret">{app.secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}</code>
          <CodeField label={words.firstCode} {...form.at("code")} />
        </>
      )}
    </Shown>
  );
}

export function CodeField(field: Pick<Parameters<typeof TextField>[0], "label" | "hint" | "value" | "onValue">) {
  return <TextField autoComplete="one-time-code" required maxLength={40} {...field} />;
}

/** Shown once. */
export function RecoveryCodes({ codes, children }: { codes: readonly string[]; children: ComponentChildren }) {
  const { element, said: label, copy } = useCopying<HTMLUListElement>(codes.join("\n"));
  return (
    <div class="once-shown">
      <p class="note">{words.recoveryNote}</p>
      <ul class="recovery-codes" ref={element}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <Button onClick={copy} label={label} />
        <Button onClick={() => window.print()} label={words.print} />
        {children}
      </div>
    </div>
  );
}
