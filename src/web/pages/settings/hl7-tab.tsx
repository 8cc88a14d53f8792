// HL7: what is understood of a pasted message, and the log of messages that came in.
import { useState } from "preact/hooks";
import type { PreviewedHl7 } from "../../../exchange/hl7/log/model.ts";
import { api, call } from "../../client.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { TextArea } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { MoreRows } from "../../kit/more-rows.tsx";
import { Badge, Button, Card, Shown } from "../../kit/parts.tsx";
import { Table } from "../../kit/table.tsx";
import { useForm } from "../../kit/use-form.ts";
import { usePages } from "../../kit/use-pages.ts";
import { useLoaded } from "../../data.ts";
import { formatShortTime } from "../../format.ts";
import { given } from "../../given.ts";
import { sayDone } from "../../said.ts";
import { useSession } from "../../session.tsx";
import { said } from "../../words.ts";

const words = said.sources.hl7;

export function Hl7Tab() {
  return (
    <>
      <PreviewCard />
      <LogCard />
    </>
  );
}

function PreviewCard() {
  const [shown, setShown] = useState<PreviewedHl7 | null>(null);
  const form = useForm({ message: "" }, ["message"]);
  const show = () => form.run(async () => setShown(await call(api.hl7.preview.post({ message: form.values.message }))));
  return (
    <Card title={words.preview}>
      <p class="note">{words.previewNote}</p>
      <Form submission={form} submit={words.show} onSubmit={show}>
        <TextArea label={words.message} rows={8} {...form.at("message")} />
      </Form>
      {shown && <Understood previewed={shown} />}
    </Card>
  );
}

function Understood({ previewed }: { previewed: PreviewedHl7 }) {
  const { code, reason, place, notes, type, version } = previewed;
  const zone = useSession().organisation.time_zone;
  const time = (iso: string | null) => (iso === null ? "" : formatShortTime(iso, zone));
  const rows = saidRows(previewed, time);
  return (
    <section aria-label={words.understood}>
      <p>
        <Badge state={code === "AA" ? "active" : "cancelled"} text={code} /> {type} {version}
      </p>
      {reason !== null && <p>{place === null ? reason : `${place}: ${reason}`}</p>}
      {notes.map((note) => (
        <p class="note" key={note}>
          {note}
        </p>
      ))}
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function saidRows({ appointment, patient, merges }: PreviewedHl7, time: (iso: string | null) => string) {
  const ids = (all: readonly { system: string; value: string }[]) =>
    all.map(({ system, value }) => `${system} ${value}`).join(", ");
  const { fields } = words;
  const rows: [string, string | null][] = [
    [fields.externalId, appointment?.external_id ?? null],
    [fields.status, appointment?.status ?? null],
    [fields.starts, appointment ? time(appointment.starts_at) : null],
    [fields.ends, appointment ? time(appointment.ends_at) : null],
    [fields.changed, time((appointment ?? patient)?.changed_at ?? null)],
    [fields.branch, appointment?.branch_id ?? null],
    [fields.service, appointment?.appointment_type_id ?? null],
    [fields.practitioner, appointment?.practitioner?.name ?? appointment?.practitioner?.id ?? null],
    [fields.name, appointment?.contact_name ?? patient?.name ?? null],
    [fields.number, appointment?.contact_number ?? patient?.number ?? null],
    [fields.identifiers, ids((appointment ?? patient)?.identifiers ?? [])],
    [fields.merges, merges.map(({ from, to }) => `${from.value} → ${to.value}`).join(", ")],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== null && row[1] !== "");
}

function LogCard() {
  const zone = useSession().organisation.time_zone;
  const [shown, setShown] = useState<string | null>(null);
  const list = usePages((cursor) => call(api.hl7.messages.get({ query: given({ cursor }) })), []);
  return (
    <Card title={words.log}>
      <p class="note">{words.logNote}</p>
      <Shown from={list.first} as="rows" isEmpty={() => list.rows.length === 0} empty={words.none}>
        {() => (
          <Table
            label={words.log}
            class="settings-table"
            narrow="cards"
            rows={list.rows}
            keyOf={({ message_id }) => message_id}
            columns={[
              [words.at, ({ created_at }) => formatShortTime(created_at, zone), { isRowHead: true }],
              [words.type, ({ type }) => type],
              [words.control, ({ control_id }) => <code>{control_id}</code>],
              [
                words.outcome,
                ({ code, outcome }) => (
                  <Badge state={code === "AA" ? "active" : "cancelled"} text={words.outcomes[outcome] ?? outcome} />
                ),
              ],
              [words.reason, ({ reason }) => reason ?? "", "reason"],
              [
                words.open,
                ({ message_id, control_id }) => (
                  <Button
                    kind="quiet"
                    aria-label={words.openOf(control_id)}
                    onClick={() => setShown(message_id)}
                    label={words.open}
                  />
                ),
                { class: "number", isTitleHidden: true },
              ],
            ]}
          />
        )}
      </Shown>
      <MoreRows list={list} />
      <Dialog title={words.messageTitle} open={shown !== null} onClose={() => setShown(null)}>
        {shown !== null && <OneMessage id={shown} onResent={list.first.reload} />}
      </Dialog>
    </Card>
  );
}

function OneMessage({ id, onResent }: { id: string; onResent: () => void }) {
  const message = useLoaded(() => call(api.hl7.messages({ id }).get()), [id]);
  const form = useForm({}, []);
  const resend = async () => {
    if (!(await form.run(() => call(api.hl7.messages({ id }).resend.post())))) return;
    sayDone(words.resent);
    message.reload();
    onResent();
  };
  return (
    <Shown from={message} as="rows">
      {({ masked, answer, reason, may_resend }) => (
        <>
          {reason !== null && <p>{reason}</p>}
          <pre>{masked}</pre>
          <p class="note">{words.answer}</p>
          <pre>{answer}</pre>
          {may_resend && (
            <Form submission={form} submit={words.resend} onSubmit={resend}>
              <p class="note">{words.resendNote}</p>
            </Form>
          )}
        </>
      )}
    </Shown>
  );
}
