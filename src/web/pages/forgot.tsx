// Forgotten password: sends a link by e-mail. The answer is the same whether the account exists or not.
import { useState } from "preact/hooks";
import { api, call } from "../client.ts";
import { Door, DoorBrand } from "../kit/door.tsx";
import { TextField } from "../kit/field.tsx";
import { Button, Problem } from "../kit/parts.tsx";
import { useForm } from "../kit/use-form.ts";
import { said } from "../words.ts";

const words = said.door.forgot;

export function ForgotPage() {
  const form = useForm({ email: "" });
  const [isSent, setIsSent] = useState(false);
  const send = async () => {
    if (await form.run(() => call(api["forgot-password"].post(form.values)))) setIsSent(true);
  };
  if (isSent)
    return (
      <main class="door">
        <DoorBrand />
        <div class="card" role="status">
          <h1>{words.sentTitle}</h1>
          <p>{words.sent}</p>
          <a href="/dashboard">{words.back}</a>
        </div>
      </main>
    );
  return (
    <Door title={words.title} tabTitle={words.title} onSubmit={send}>
      <p class="note">{words.note}</p>
      <Problem text={form.error} />
      <TextField label={words.email} type="email" autoComplete="username" required {...form.at("email")} />
      <Button kind="primary" type="submit" busy={form.busy} label={words.submit} />
      <a href="/dashboard">{words.back}</a>
    </Door>
  );
}
