// Lock screen of an idle computer. The password of the signed-in person unlocks it.
import { api, call } from "../client.ts";
import { Door } from "../kit/door.tsx";
import { PasswordField } from "../kit/field.tsx";
import { Button, Problem } from "../kit/parts.tsx";
import { useForm } from "../kit/use-form.ts";
import { useLoaded } from "../data.ts";
import { leave, tellOtherTabs } from "../leaving.ts";
import { forgetUnsaved } from "../unsaved.ts";
import { said } from "../words.ts";
import { ProviderButton } from "./provider.tsx";

const words = said.door.lock;

export function LockPage({ name, onOpen }: { name: string | null; onOpen: () => void }) {
  const form = useForm({ password: "" }, ["password"]);
  const { busy, error, run } = form;
  const welcome = useLoaded(() => call(api.welcome.get()), []);
  const open = async (unlock: () => Promise<unknown>) => {
    if (await run(unlock)) onOpen();
    form.reset();
  };
  const leaveToOthers = async () => {
    if (!(await run(() => call(api.logout.post())))) return;
    forgetUnsaved();
    tellOtherTabs("signed-out");
    leave("/dashboard");
  };
  return (
    <Door title={words.title} isFree onSubmit={() => open(() => call(api.unlock.post(form.values)))}>
      <p class="note">{name === null ? words.note : words.noteFor(name)}</p>
      <Problem text={error} />
      <PasswordField label={words.password} {...form.at("password")} />
      <Button kind="primary" type="submit" busy={busy} label={words.open} />
      {welcome.data?.demo && (
        <Button busy={busy} onClick={() => open(() => call(api["demo-login"].post()))} label={words.demo} />
      )}
      {welcome.data?.directories.oidc && (
        <ProviderButton name={welcome.data.directories.oidc.name} busy={busy} run={run} />
      )}
      <Button kind="quiet" busy={busy} onClick={leaveToOthers} label={words.others} />
    </Door>
  );
}
