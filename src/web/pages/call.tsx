// Page of one call. It updates while the call is in progress.
import { spaced } from "../phone-number.ts";
import { useRoute } from "preact-iso";
import type { CallPageData } from "../../dashboard/call-page.ts";
import { api, call } from "../client.ts";
import { Card, Facts, PageHead, Shown } from "../kit/parts.tsx";
import { Identifiers } from "../kit/identifiers.tsx";
import { Phone } from "../kit/phone.tsx";
import { useChanges, useLoaded } from "../data.ts";
import { formatDuration, formatNumber } from "../format.ts";
import { useMay, useSession } from "../session.tsx";
import { common, said } from "../words.ts";
import { SimulatedBadge } from "./calls/simulated-badge.tsx";
import { AnswerTimes } from "./calls/answer-times.tsx";
import { CallDeliveries } from "./calls/call-deliveries.tsx";
import { CallActions } from "./calls/call-actions.tsx";
import { contactText, outcomeText } from "./calls/call-words.ts";
import { HoldNote } from "./contacts/hold-note.tsx";
import { contactPath } from "./contacts/paths.ts";
import { listAddress } from "./calls/filters.ts";
import { Line } from "./calls/line.tsx";
import { Proof } from "./calls/proof.tsx";
import { Conversation } from "./calls/recording.tsx";
import { recordingText } from "./calls/recording-facts.tsx";
import { Analysis, Appointment, ExtractedDetails, GivenDetails, LinkedCalls } from "./calls/results.tsx";
import { ShareLink } from "./calls/share-link.tsx";
import { ShareOne } from "./calls/share-one.tsx";
import { Timeline } from "./calls/timeline.tsx";
import { placeFacts } from "./place-fields.tsx";
import { useReloadAt } from "./calls/use-live.ts";

const words = said.calls.call;

export function CallPage() {
  const { id = "" } = useRoute().params;
  // The key discards the state of the previous call.
  return <OneCall key={id} id={id} />;
}

function OneCall({ id }: { id: string }) {
  const loaded = useLoaded<CallPageData>(() => call(api.calls({ call_id: id }).get()), [id]);
  useChanges("call", loaded.reload, id);
  useChanges("appointment", loaded.reload, loaded.data?.appointment?.appointment_id ?? "");
  // Deliveries change without a change of the call.
  const nextAttempts = (loaded.data?.deliveries ?? []).flatMap(({ next_attempt_at }) => next_attempt_at ?? []);
  useReloadAt(nextAttempts.toSorted()[0] ?? null, loaded.reload);

  return (
    <>
      <a class="call-back" href={listAddress()}>
        ← {words.back}
      </a>
      {loaded.data === null && <PageHead title={words.title} />}
      <Shown from={loaded} as="cards">
        {(page) => <Everything page={page} onChanged={loaded.reload} />}
      </Shown>
    </>
  );
}

function Everything({ page, onChanged }: { page: CallPageData; onChanged: () => void }) {
  const { call: subject } = page;
  const zone = useSession().organisation.time_zone;
  const isStaff = useMay("staff");
  const timeline = <Timeline page={page} zone={zone} />;
  return (
    <>
      <PageHead
        title={words.titleWith(subject.contact_name ?? spaced(subject.contact_number))}
        note={common.zoneNote(zone)}
        actions={<CallActions page={page} onChanged={onChanged} />}
      />
      <div class="call-layout">
        <div class="call-main">
          {/* The timeline comes first until there is an outcome. */}
          {subject.call_analytics === null && timeline}
          <Analysis {...page} />
          <Conversation call={subject} zone={zone} />
          <AnswerTimes turns={page.turns} />
          <div class="call-last">
            <CallDeliveries deliveries={page.deliveries} zone={zone} />
            {/* Last, because most calls have none, and it loads later. */}
            {isStaff && <Line call={subject} />}
          </div>
        </div>
        <div class="call-aside">
          <HoldNote holds={page.holds} zone={zone} />
          <CallFacts page={page} />
          {subject.call_analytics !== null && timeline}
          <Proof call={subject} zone={zone} />
          <Appointment {...page} />
          <LinkedCalls page={page} zone={zone} />
          <ExtractedDetails {...page} />
          <GivenDetails {...page} />
          {isStaff && subject.status === "completed" && (
            <ShareOne callId={subject.call_id} share={page.single_share} zone={zone} onChanged={onChanged} />
          )}
          {page.share_url !== null && <ShareLink url={page.share_url} />}
        </div>
      </div>
    </>
  );
}

function CallFacts({ page: { call: subject, contact_id } }: { page: CallPageData }) {
  const why = subject.status === "completed" ? null : outcomeText({ disposition: null, error: subject.error });
  const recording = recordingText(subject);
  return (
    <Card title={words.call}>
      <Facts
        rows={[
          why !== null && [words.why, <span class="call-fault">{why}</span>],
          [
            words.contact,
            contact_id === null ? contactText(subject) : <a href={contactPath(contact_id)}>{contactText(subject)}</a>,
          ],
          [words.number, <Phone key="number" number={subject.contact_number} />],
          subject.contact_identifiers.length > 0 && [
            words.identifiers,
            <Identifiers key="identifiers" identifiers={subject.contact_identifiers} />,
          ],
          subject.contact_email !== null && [words.email, subject.contact_email],
          subject.contact_preferred_language !== null && [words.language, subject.contact_preferred_language],
          ...placeFacts(subject),
          [words.agent, subject.agent_name],
          [
            words.direction,
            <>
              {words[subject.call_direction]} {subject.simulated && <SimulatedBadge />}
            </>,
          ],
          recording !== null && [said.recordingMode.fact, recording],
          [words.duration, formatDuration(subject.call_duration_seconds)],
          [words.credits, formatNumber(subject.credits_consumed)],
          [words.id, <code>{subject.call_id}</code>],
        ]}
      />
    </Card>
  );
}
