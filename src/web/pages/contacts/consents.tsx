// Consents of a contact: current state, history, record and withdraw.
import { useState } from "preact/hooks";
import type { ContactPageData } from "../../../dashboard/contact-page.ts";
import { CONSENT_BASES, type ConsentBasis } from "../../../payloads/consent.ts";
import { PURPOSES, type Purpose } from "../../../payloads/lawful.ts";
import { api, call } from "../../client.ts";
import { formatDay, formatTime } from "../../format.ts";
import { given } from "../../given.ts";
import { Confirm, Dialog } from "../../kit/dialog.tsx";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Badge, Button, Card } from "../../kit/parts.tsx";
import { useForm } from "../../kit/use-form.ts";
import { useMay } from "../../session.tsx";
import { said } from "../../words.ts";
import { CALLS_PATH } from "../calls/filters.ts";

const words = said.consents;

type Consent = ContactPageData["consents"][number];

/** Of a consent, or of the do-not-disturb list. */
type AnyChange = ContactPageData["do_not_disturb_history"][number] | Consent["history"][number];

interface ConsentsProps {
  id: string;
  consents: readonly Consent[];
  /** How the number came onto the do-not-disturb list, and off it. */
  listings: readonly AnyChange[];
  zone: string;
  onChanged: () => void;
}

/** The badges of call states whose colours fit. */
const LOOKS: Readonly<Record<string, string>> = { active: "completed", expired: "held", withdrawn: "failed" };
const nameOf = (purpose: string) => words.purposes[purpose] ?? purpose;

export function Consents({ id, consents, listings, zone, onChanged }: ConsentsProps) {
  const isStaff = useMay("staff");
  const [isRecording, setRecording] = useState(false);
  const [leaving, setLeaving] = useState<Purpose | null>(null);
  return (
    <Card title={words.title} actions={isStaff && <Button onClick={() => setRecording(true)} label={words.record} />}>
      <p class="note">{consents.length === 0 ? words.none : words.note}</p>
      <ul class="contact-list">
        {consents.map((consent) => (
          <OneConsent
            key={consent.consent_id}
            consent={consent}
            zone={zone}
            onWithdraw={isStaff && consent.status !== "withdrawn" ? () => setLeaving(consent.purpose) : null}
          />
        ))}
      </ul>
      {listings.length > 0 && (
        <details>
          <summary>{words.listings}</summary>
          <Changes changes={listings} zone={zone} />
        </details>
      )}
      <Dialog title={words.recordTitle} open={isRecording} onClose={() => setRecording(false)}>
        <NewConsent
          id={id}
          onDone={() => {
            setRecording(false);
            onChanged();
          }}
        />
      </Dialog>
      <Confirm
        title={words.withdrawTitle}
        text={words.withdrawText(nameOf(leaving ?? ""))}
        action={words.withdrawConfirm}
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        onConfirm={() => call(api.contacts({ contact_id: id }).consents.withdraw.post(given({ purpose: leaving })))}
        done={words.withdrawn}
        onDone={onChanged}
      />
    </Card>
  );
}

interface OneConsentProps {
  consent: Consent;
  zone: string;
  onWithdraw: (() => void) | null;
}

/** A consent holds until this moment: midnight after its last day. */
const lastMoment = (until: string) => new Date(Date.parse(until) - 1).toISOString();

function OneConsent({
  consent: { purpose, status, basis, granted_at, until, reference, history },
  zone,
  onWithdraw,
}: OneConsentProps) {
  const facts = [
    basis && words.bases[basis],
    granted_at && words.since(formatDay(granted_at, zone)),
    until && words.until(formatDay(lastMoment(until), zone)),
    reference,
  ];
  return (
    <li>
      <span class="contact-who">
        <strong>{nameOf(purpose)}</strong>
        <Badge state={LOOKS[status] ?? status} text={words.states[status] ?? status} />
        {onWithdraw && (
          <Button
            kind="quiet"
            aria-label={words.withdrawOf(nameOf(purpose))}
            onClick={onWithdraw}
            label={words.withdraw}
          />
        )}
      </span>
      <small>{facts.filter(Boolean).join(" · ")}</small>
      <details>
        <summary>{words.history}</summary>
        <Changes changes={history} zone={zone} />
      </details>
    </li>
  );
}

const Changes = ({ changes, zone }: { changes: readonly AnyChange[]; zone: string }) => (
  <ul>
    {changes.map((change, index) => (
      <li key={index}>
        <Change change={change} zone={zone} />
      </li>
    ))}
  </ul>
);

function Change({ change, zone }: { change: AnyChange; zone: string }) {
  const { at, granted_at, basis, source, by, call_id, reference } = change;
  const facts = [
    words.changes[change.change],
    formatTime(at, zone),
    granted_at && formatDay(granted_at, zone) !== formatDay(at, zone) && words.since(formatDay(granted_at, zone)),
    basis && words.bases[basis],
    words.sources[source],
    by && words.by(by),
    reference,
  ];
  return (
    <small>
      {facts.filter(Boolean).join(" · ")}
      {call_id && (
        <>
          {" · "}
          <a href={`${CALLS_PATH}/${call_id}`}>{words.openCall}</a>
        </>
      )}
    </small>
  );
}

function NewConsent({ id, onDone }: { id: string; onDone: () => void }) {
  const form = useForm({ purpose: "service", basis: "written", grantedOn: "", untilDay: "", reference: "" });
  const { values } = form;
  const send = () =>
    call(
      api.contacts({ contact_id: id }).consents.post({
        purpose: values.purpose as Purpose,
        basis: values.basis as ConsentBasis,
        ...given({
          granted_on: values.grantedOn,
          until: values.untilDay,
          reference: values.reference.trim(),
        }),
      }),
    );
  const save = async () => {
    if (await form.run(send, words.saved)) onDone();
  };
  return (
    <Form submission={form} submit={words.save} onSubmit={save}>
      <SelectField
        label={words.purpose}
        options={PURPOSES.map((purpose) => [purpose, nameOf(purpose)] as const)}
        {...form.at("purpose")}
      />
      <SelectField
        label={words.basis}
        options={CONSENT_BASES.map((basis) => [basis, words.bases[basis] ?? basis] as const)}
        {...form.at("basis")}
      />
      <TextField label={words.grantedOn} hint={words.grantedHint} type="date" {...form.at("grantedOn")} />
      <TextField label={words.untilDay} hint={words.untilHint} type="date" {...form.at("untilDay")} />
      <TextField label={words.reference} hint={words.referenceHint} maxLength={200} {...form.at("reference")} />
    </Form>
  );
}
