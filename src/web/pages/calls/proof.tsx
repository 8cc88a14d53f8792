// Proof of a call as a timeline: why it was allowed, what was said and when, recording, result, and the signature.
import type { ComponentChildren } from "preact";
import type { CallView } from "../../../calls/model.ts";
import type { ProofView } from "../../../rules/proof/proof-service.ts";
import type { ProofRecord } from "../../../rules/proof/record.ts";
import { api, call } from "../../client.ts";
import { useLoaded } from "../../data.ts";
import { formatClock, formatDate, formatNumber, formatTime } from "../../format.ts";
import { Card, LinkButton, Problem } from "../../kit/parts.tsx";
import { said } from "../../words.ts";
import { useReloadAt } from "./use-live.ts";

const words = said.proof;

const PROVEN: readonly CallView["status"][] = ["completed", "failed", "disallowed"];
/** A time in the past: reloads two seconds after each answer. */
const SOON = "1970-01-01T00:00:00Z";

export function Proof({ call: { call_id, status }, zone }: { call: CallView; zone: string }) {
  return PROVEN.includes(status) ? <Loaded key={status} callId={call_id} zone={zone} /> : null;
}

function Loaded({ callId, zone }: { callId: string; zone: string }) {
  const loaded = useLoaded<ProofView>(() => call(api.calls({ call_id: callId }).proof.get()), [callId]);
  const view = loaded.data;
  useReloadAt(view?.state === "sealing" ? SOON : null, loaded.reload);
  if (view === null && loaded.error === null) return null;
  return (
    <Card title={words.title}>
      <Problem text={loaded.error} onRetry={loaded.reload} />
      {view?.state === "sealing" && <p class="note">{words.sealing}</p>}
      {view?.state === "none" && <p class="note">{words.none}</p>}
      {view?.state === "sealed" && (
        <>
          <Steps record={view.record} hash={view.hash} zone={zone} />
          <div class="actions">
            <LinkButton href={`/dashboard/api/calls/${callId}/proof.json`} download label={words.download} />
          </div>
          <p class="note">{words.note}</p>
        </>
      )}
    </Card>
  );
}

/** Since the answer, as in the transcript. */
const position = (ms: number) => formatClock(ms / 1_000);

function Step({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <li>
      <span>{title}</span>
      {children}
    </li>
  );
}

function Steps({ record, hash, zone }: { record: ProofRecord; hash: string; zone: string }) {
  const { times, result } = record;
  const at = (time: string | null) => time !== null && <time dateTime={time}>{formatTime(time, zone)}</time>;
  const results = [result.code !== null && outcomeOf(result.code), result.sip !== null && words.sip(result.sip)];
  return (
    <ol class="proof-steps">
      <Step title={whyText(record)}>
        {at(times.triggered)}
        <Basis record={record} />
      </Step>
      {times.answered !== null && <Step title={words.answered}>{at(times.answered)}</Step>}
      <Said record={record} />
      {record.opted_out && <Step title={words.optedOut} />}
      <Step title={words.ended}>
        {at(times.ended)}
        <span>{results.filter((text) => text !== false).join(", ")}</span>
      </Step>
      <Step title={words.signed}>
        {at(times.sealed)}
        <span>{words.place(formatNumber(record.organisation.sequence), formatNumber(record.chain.sequence))}</span>
        <Digits name={words.key} text={record.key} />
        <Digits name={words.hash} text={hash} />
      </Step>
    </ol>
  );
}

/** The recording stands where it began among the notices. */
function Said({ record: { notices: known, recording } }: { record: ProofRecord }) {
  const notices = known ?? [];
  const from = recording?.from_ms ?? Infinity;
  const before = notices.findLastIndex(({ heard_ms }) => heard_ms !== null && heard_ms <= from) + 1;
  const step = ({ kind, heard_ms }: NonNullable<ProofRecord["notices"]>[number], index: number) => (
    <Step
      key={index}
      title={kind === "recording" && recording?.mode === "ask" ? words.askedToRecord : (words.said[kind] ?? kind)}
    >
      <span>{heard_ms === null ? words.cutOff : words.heard(position(heard_ms))}</span>
    </Step>
  );
  return (
    <>
      {known === null && <Step title={words.unknown} />}
      {notices.slice(0, before).map(step)}
      {recording !== null && <Recording recording={recording} />}
      {notices.slice(before).map((notice, index) => step(notice, before + index))}
    </>
  );
}

const outcomeOf = (code: string) => said.callWork.filters.outcomes[code] ?? code;

/** The whole text is in the file; here its beginning is enough to compare. */
const Digits = ({ name, text }: { name: string; text: string }) => (
  <span title={text}>
    {name} <code>{text.slice(0, 16)}…</code>
  </span>
);

/** Refusals by the rules; the others are by credits, the number or the hospital's own system. */
const LEGAL: ReadonlySet<string | null> = new Set(["do_not_disturb", "no_consent", "registry_refused"]);

function whyText({ basis, direction, result }: ProofRecord): string {
  if (direction === "inbound") return words.called;
  if (result.state === "disallowed") return LEGAL.has(result.code) ? words.refused : words.notDialled;
  if (basis === null) return words.withoutRules;
  return basis.enforced ? words.allowed(basis.rules) : words.computed(basis.rules);
}

function Basis({ record: { basis, direction } }: { record: ProofRecord }) {
  if (basis === null) return null;
  const { counts, question } = basis;
  const purpose = words.purpose(said.agentPurpose.purposes[basis.purpose] ?? basis.purpose);
  const most = (limit: number | null) => (limit === null ? words.unlimited : formatNumber(limit));
  const zones = [...basis.zones, ...(basis.region === null ? [] : [basis.region])].join(", ");
  const dialled = () => [
    words.localTime(localTime(basis.local_time), zones),
    purpose,
    counts.exempt
      ? words.exempt
      : `${words.day(counts.day, most(counts.per_day))}, ${words.week(counts.week, most(counts.per_week))}`,
    basis.consent === null ? words.noConsent : words.consent(basis.consent),
    ...(question === null ? [] : [words.questions[question.answer] ?? question.answer]),
  ];
  const lines = direction === "inbound" ? [words.recordingRules(basis.rules), purpose] : dialled();
  return (
    <>
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </>
  );
}

/** "2026-11-18T10:36" is the callee's wall clock. */
function localTime(text: string): string {
  const [date = "", time = ""] = text.split("T");
  return `${formatDate(date)}, ${time}`;
}

function Recording({ recording }: { recording: NonNullable<ProofRecord["recording"]> }) {
  const { mode, consent, from_ms, until_ms } = recording;
  const span = [
    from_ms !== null && words.recordedFrom(position(from_ms)),
    until_ms !== null && words.recordedUntil(position(until_ms)),
  ];
  return (
    <Step title={from_ms === null ? words.notRecorded : words.recorded}>
      <span>{span.filter((text) => text !== false).join(" ")}</span>
      <span>{words.modes[mode] ?? mode}</span>
      {consent !== null && <span>{words.consents[consent] ?? consent}</span>}
    </Step>
  );
}
