// Results of a call: analysis, notes, the appointment, and the calls before and after it.
import type { ComponentChildren } from "preact";
import type { CallPageData } from "../../../dashboard/call-page.ts";
import { Badge, Card, Facts } from "../../kit/parts.tsx";
import { formatDate, formatTime } from "../../format.ts";
import { common, said } from "../../words.ts";
import { appointmentStates } from "../../words.ts";
import { dispositionText, stateText } from "./call-words.ts";
import { CALLS_PATH } from "./filters.ts";

const words = said.calls.results;

export function Analysis({ call }: CallPageData) {
  const analysis = call.call_analytics;
  const by = call.analysis_source;
  if (!analysis) {
    if (call.status !== "completed") return null;
    return (
      <Card title={words.analysis}>
        <p class="note">{words.awaited}</p>
      </Card>
    );
  }
  return (
    <Card title={words.analysis}>
      <p>
        {words.finding(analysis.summary)} <Model source={by?.summary} />
      </p>
      <Facts
        rows={[
          [words.outcome, marked(dispositionText(analysis.disposition), by?.disposition)],
          [words.sentiment, marked(words.sentiments[analysis.sentiment] ?? analysis.sentiment, by?.sentiment)],
          [words.nextSteps, marked(words.finding(analysis.next_steps), by?.next_steps)],
        ]}
      />
    </Card>
  );
}

/** Marks results of a language model; nothing for results of rules. */
function Model({ source }: { source: string | undefined }) {
  return source === "model" ? <span class="note">({words.byModel})</span> : null;
}

const marked = (value: ComponentChildren, source: string | undefined): ComponentChildren =>
  source === "model" ? (
    <>
      {value} <Model source={source} />
    </>
  ) : (
    value
  );

export function ExtractedDetails({ call }: CallPageData) {
  const rows = Object.entries(call.extracted_details ?? {}).map(
    ([key, value]) =>
      [
        words.detailName(key, plainName(key)),
        marked(words.detailValue(key, valueText(value)), call.analysis_source?.details[key]?.source),
      ] as const,
  );
  if (rows.length === 0) return null;
  return (
    <Card title={words.details}>
      <Facts rows={rows} />
    </Card>
  );
}

export function GivenDetails({ call }: CallPageData) {
  const missing = call.missing_placeholders.map(
    (name) => [`{{${name}}}`, <span class="call-warn">{words.missing}</span>] as const,
  );
  const given = Object.entries(call.additional_info ?? {}).map(([key, value]) => [key, valueText(value)] as const);
  if (given.length + missing.length === 0) return null;
  return (
    <Card title={words.given}>
      <Facts rows={[...given, ...missing]} />
    </Card>
  );
}

export function Appointment({ appointment }: CallPageData) {
  if (!appointment) return null;
  const rows: [string, ComponentChildren][] = [
    [
      words.status,
      <Badge state={appointment.status} text={appointmentStates[appointment.status] ?? appointment.status} />,
    ],
    [words.date, formatDate(appointment.date)],
    [words.time, words.branchTime(appointment.start_time, appointment.end_time)],
  ];
  if (appointment.appointment_type_name !== null) rows.push([words.service, appointment.appointment_type_name]);
  if (appointment.batch !== null) rows.push([words.batch, appointment.batch]);
  if (appointment.notes !== null) rows.push([words.notes, appointment.notes]);
  return (
    <Card
      title={words.appointment}
      actions={
        <a
          href={`/dashboard/calendar?${new URLSearchParams({ branch: appointment.branch_id, day: appointment.date })}`}
        >
          {words.calendar}
        </a>
      }
    >
      <Facts rows={rows} />
    </Card>
  );
}

export function LinkedCalls({ page: { follows, followed_by }, zone }: { page: CallPageData; zone: string }) {
  const linked = [
    [words.follows, follows],
    [words.followedBy, followed_by],
  ] as const;
  const rows = linked.flatMap(([label, other]) =>
    other === null
      ? []
      : [
          [
            label,
            <>
              <a href={`${CALLS_PATH}/${other.call_id}`}>{words.linkedCall(formatTime(other.scheduled_at, zone))}</a>{" "}
              <Badge state={other.status} text={stateText(other.status)} />
            </>,
          ] as const,
        ],
  );
  if (rows.length === 0) return null;
  return (
    <Card title={words.linked}>
      <Facts rows={rows} />
    </Card>
  );
}

/** appointment_date → Appointment date */
function plainName(key: string): string {
  const spaced = key.replaceAll("_", " ").trim();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? common.yes : common.no;
  return value === null || value === undefined ? "–" : JSON.stringify(value);
}
