// Sets a password with the link of an invitation or a reset. It signs in nobody: the sign-in page comes next.
import { useState } from "preact/hooks";
import { api, call } from "../client.ts";
import { Door, DoorBrand } from "../kit/door.tsx";
import { PasswordField } from "../kit/field.tsx";
import { Button, Problem, Shown } from "../kit/parts.tsx";
import { useForm } from "../kit/use-form.ts";
import { useLoaded } from "../data.ts";
import { said } from "../words.ts";

const words = said.door.newPassword;

export function NewPasswordPage() {
  // In the fragment, which browsers send to no server or proxy.
  const [token] = useState(() => location.hash.slice(1));
  const found = useLoaded(
    async () => (token === "" ? { link: null } : call(api["password-link"].post({ token }))),
    [token],
  );
  const [isSet, setIsSet] = useState(false);
  if (isSet) return <Told title={words.doneTitle} text={words.done} link={words.signIn} path="/dashboard" />;
  return (
    <Shown from={found}>
      {({ link }) =>
        link ? (
          <SetPassword token={token} purpose={link.purpose} email={link.email} onSet={() => setIsSet(true)} />
        ) : (
          <Told title={words.title} text={words.unusable} link={words.again} path="/dashboard/forgot" />
        )
      }
    </Shown>
  );
}

interface SetPasswordProps {
  token: string;
  purpose: "invitation" | "reset";
  email: string;
  onSet: () => void;
}

function SetPassword({ token, purpose, email, onSet }: SetPasswordProps) {
  const form = useForm({ password: "" });
  const set = async () => {
    if (!(await form.run(() => call(api["password-link"].use.post({ token, ...form.values }))))) return;
    // Removes the used token from the browser's history.
    history.replaceState(null, "", "/dashboard/password");
    onSet();
  };
  return (
    <Door title={words.title} tabTitle={words.title} onSubmit={set}>
      <p class="note">{purpose === "invitation" ? words.invited(email) : words.reset(email)}</p>
      <Problem text={form.error} />
      {/* Password managers store the new password for this address. */}
      <input type="email" autoComplete="username" value={email} hidden readOnly />
      <PasswordField isNew label={words.password} hint={said.door.setup.passwordHint} {...form.at("password")} />
      <Button kind="primary" type="submit" busy={form.busy} label={words.submit} />
    </Door>
  );
}

function Told({ title, text, link, path }: { title: string; text: string; link: string; path: string }) {
  return (
    <main class="door">
      <DoorBrand />
      <div class="card">
        <h1>{title}</h1>
        <p>{text}</p>
        <a href={path}>{link}</a>
      </div>
    </main>
  );
}
