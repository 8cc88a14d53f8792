// One delivery: payload, attempts, and replay.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Badge, Button, Facts, Problem, Shown } from "../../kit/parts.tsx";
import { useLoaded } from "../../data.ts";
import { formatTime } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { deliveryStates, said } from "../../words.ts";
import { CopyCode } from "../../kit/copy-code.tsx";
import { DeliveryOutcome, type Attempt } from "./delivery-watch.tsx";

const words = said.developers.deliveryDetail;

export interface DeliveryDetailProps {
  id: string;
  urlOf: (endpointId: string) => string;
  onReplayed: () => void;
}

export function DeliveryDetail({ id, urlOf, onReplayed }: DeliveryDetailProps) {
  const { time_zone } = useSession().organisation;
  const [round, setRound] = useState<{ attemptsBefore: number; count: number } | null>(null);
  const loaded = useLoaded(() => call(api.deliveries({ id }).get()), [id]);
  const replaying = useAction();
  const replay = (attemptsBefore: number) =>
    replaying.run(async () => {
      await call(api.deliveries({ id }).replay.post());
      setRound((before) => ({ attemptsBefore, count: (before?.count ?? 0) + 1 }));
      onReplayed();
    });
  const settled = () => {
    loaded.reload();
    onReplayed();
  };

  return (
    <Shown from={loaded}>
      {(delivery) => (
        <div class="detail">
          <Facts
            rows={[
              [words.event, <code key="event">{delivery.event_type}</code>],
              ["event_id", <code key="id">{delivery.event_id}</code>],
              [
                words.state,
                <Badge key="state" state={delivery.state} text={deliveryStates[delivery.state] ?? delivery.state} />,
              ],
              [words.endpoint, urlOf(delivery.endpoint_id)],
              delivery.call_id !== null && [
                words.call,
                <a key="call" href={`/dashboard/calls/${delivery.call_id}`}>
                  {delivery.call_id}
                </a>,
              ],
              [words.created, formatTime(delivery.created_at, time_zone)],
              delivery.next_attempt_at !== null && [words.next, formatTime(delivery.next_attempt_at, time_zone)],
            ]}
          />
          {delivery.outage !== null && <p class="missing">{words.outage(delivery.outage.reason)}</p>}
          <div class="actions">
            <Button busy={replaying.busy} onClick={() => void replay(delivery.attempts.length)} label={words.replay} />
            <span class="note">{words.replayNote}</span>
          </div>
          <Problem text={replaying.error} />
          {round && (
            <DeliveryOutcome
              key={round.count}
              id={id}
              attemptsBefore={round.attemptsBefore}
              withLink={false}
              onSettled={settled}
            />
          )}
          <h3>{words.attempts}</h3>
          {delivery.attempts.length === 0 ? (
            <p class="note">{words.noAttempt}</p>
          ) : (
            <Attempts attempts={delivery.attempts} />
          )}
          <h3>{words.body}</h3>
          <CopyCode label={words.body} code={delivery.body} />
          <p class="note">{words.bodyNote}</p>
        </div>
      )}
    </Shown>
  );
}

function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  const { time_zone } = useSession().organisation;
  return (
    <ol class="attempts">
      {attempts.map((attempt) => (
        <li key={attempt.at}>
          <div class="attempt">
            <Badge
              state={attempt.outcome === "delivered" ? "delivered" : "failed"}
              text={words.outcomes[attempt.outcome] ?? words.failed}
            />
            {attempt.status !== null && <span>{words.answered(attempt.status)}</span>}
            <span>{words.took(attempt.duration_ms)}</span>
            <span class="note">{formatTime(attempt.at, time_zone)}</span>
          </div>
          {attempt.detail !== "" && <p>{attempt.detail}</p>}
          {attempt.response !== "" && (
            <details>
              <summary>{words.answer}</summary>
              <pre tabIndex={0} role="region" aria-label={words.answer}>
                {attempt.response}
              </pre>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}
