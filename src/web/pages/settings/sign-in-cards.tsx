// For owners: the roles that need a second factor, and the sealed emergency account.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { useLoaded } from "../../data.ts";
import { formatShortTime } from "../../format.ts";
import { Dialog, FormDialog } from "../../kit/dialog.tsx";
import { CheckBoxes, TextArea } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button, Card, Facts, Shown } from "../../kit/parts.tsx";
import { Secret } from "../../kit/secret.tsx";
import { useForm } from "../../kit/use-form.ts";
import { useSession } from "../../session.tsx";
import { common, said } from "../../words.ts";
import { WithPassword } from "./factors-card.tsx";
import { roleNames } from "./role-words.ts";

const words = said.signIn.demand;
const sealed = said.signIn.breakGlass;
const ROLES = ["owner", "staff", "viewer", "doctor", "auditor"] as const;

export function SecondFactorCard({ roles }: { roles: readonly string[] }) {
  const form = useForm({ roles: ROLES.filter((role) => roles.includes(role)) });
  const save = () => form.run(() => call(api.settings["second-factor"].put(form.values)), words.saved);
  return (
    <Card title={words.title}>
      <p class="note">{words.note}</p>
      <Form submission={form} submit={words.apply} layout="stack" onSubmit={save}>
        <CheckBoxes
          legend={words.roles}
          options={ROLES.map((role) => [role, roleNames[role]] as const)}
          chosen={form.values.roles}
          onChosen={(chosen) => form.set({ roles: chosen })}
        />
      </Form>
    </Card>
  );
}

export function BreakGlassCard() {
  const zone = useSession().organisation.time_zone;
  const state = useLoaded(() => call(api.settings["break-glass"].get()), []);
  const [doing, setDoing] = useState<"seal" | "acknowledge" | null>(null);
  const [shown, setShown] = useState<{ email: string; password: string } | null>(null);
  const time = (at: string | null) => (at === null ? common.none : formatShortTime(at, zone));
  const done = () => {
    setDoing(null);
    state.reload();
  };
  const account = state.data?.account ?? null;
  const isOpen = account !== null && account.used_at !== null && account.acknowledged_at === null;
  return (
    <Card
      title={sealed.title}
      actions={
        <>
          {isOpen && <Button kind="primary" onClick={() => setDoing("acknowledge")} label={sealed.acknowledge} />}
          <Button onClick={() => setDoing("seal")} label={account ? sealed.sealAgain : sealed.create} />
        </>
      }
    >
      <p class="note">{sealed.note}</p>
      <Shown from={state}>
        {() =>
          account === null ? (
            <p class="note">{sealed.none}</p>
          ) : (
            <Facts
              rows={[
                [sealed.email, account.email],
                [sealed.state, account.sealed_at === null ? sealed.broken : sealed.sealedAt(time(account.sealed_at))],
                account.used_at !== null && [
                  sealed.lastUse,
                  sealed.usedFrom(time(account.used_at), account.used_from ?? ""),
                ],
                account.acknowledged_at !== null && [
                  sealed.acknowledged,
                  sealed.by(account.acknowledged_by, time(account.acknowledged_at)),
                ],
                account.reason !== null && [sealed.reason, account.reason],
              ]}
            />
          )
        }
      </Shown>
      {doing === "seal" && (
        <WithPassword
          title={sealed.title}
          note={sealed.sealNote}
          submit={sealed.seal}
          onClose={() => setDoing(null)}
          onPassword={async (password) => {
            setShown(await call(api.settings["break-glass"].seal.post({ password })));
            done();
          }}
        />
      )}
      {doing === "acknowledge" && <Acknowledge onDone={done} onClose={() => setDoing(null)} />}
      <Dialog title={sealed.title} open={shown !== null} onClose={() => setShown(null)}>
        {shown !== null && (
          <div class="once-shown envelope">
            <p class="note">{sealed.envelope}</p>
            <Facts rows={[[sealed.email, shown.email]]} />
            <Secret label={sealed.password} value={shown.password} />
            <Button onClick={() => window.print()} label={said.signIn.setUp.print} />
          </div>
        )}
      </Dialog>
    </Card>
  );
}

function Acknowledge({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const form = useForm({ reason: "" }, ["reason"]);
  const acknowledge = async () => {
    const work = () => call(api.settings["break-glass"].acknowledge.post(form.values));
    if (await form.run(work, sealed.isAcknowledged)) onDone();
  };
  return (
    <FormDialog
      title={sealed.acknowledge}
      onClose={onClose}
      submission={form}
      submit={sealed.acknowledge}
      onSubmit={acknowledge}
    >
      <TextArea label={sealed.reason} hint={sealed.reasonHint} required rows={3} {...form.at("reason")} />
    </FormDialog>
  );
}
