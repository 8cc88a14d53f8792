// The screen of a computer that nobody touched for a while: the password of whoever is signed in opens it again.
import { useEffect, useState } from "preact/hooks";
import { useAction } from "../action.ts";
import { api, call } from "../client.ts";
import { Mark } from "../kit/icons.tsx";
import { TextField } from "../kit/field.tsx";
import { Button, Problem } from "../kit/parts.tsx";
import { useLoaded } from "../data.ts";
import { leave, tellOtherTabs } from "../leaving.ts";
import { forgetUnsaved } from "../unsaved.ts";
import { common, said } from "../words.ts";

const words = said.door.lock;

export function LockPage({ name, onOpen }: { name: string | null; onOpen: () => void }) {
  const [password, setPassword] = useState("");
  const { busy, error, fields, run } = useAction(["password"]);
  const welcome = useLoaded(() => call(api.welcome.get()), []);
  useEffect(() => {
    document.title = `${words.title} · ${common.appName}`;
  }, []);
  const open = async (unlock: () => Promise<unknown>) => {
    if (await run(unlock)) onOpen();
    setPassword("");
  };
  const leaveToOthers = async () => {
    if (!(await run(() => call(api.logout.post())))) return;
    forgetUnsaved();
    tellOtherTabs("signed-out");
    leave("/dashboard");
  };
  return (
    <main class="door">
      <form
        class="card"
        data-free
        onSubmit={(event) => {
          event.preventDefault();
          void open(() => call(api.unlock.post({ password })));
        }}
      >
        <p class="door-brand">
          <Mark />
          {common.appName}
        </p>
        <h1>{words.title}</h1>
        <p class="note">{name === null ? words.note : words.noteFor(name)}</p>
        <Problem text={error} />
        <TextField
          label={words.password}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onValue={setPassword}
          error={fields["password"]}
        />
        <Button kind="primary" type="submit" busy={busy} label={words.open} />
        {welcome.data?.demo && (
          <Button busy={busy} onClick={() => void open(() => call(api["demo-login"].post()))} label={words.demo} />
        )}
        <Button kind="quiet" busy={busy} onClick={leaveToOthers} label={words.others} />
      </form>
    </main>
  );
}
