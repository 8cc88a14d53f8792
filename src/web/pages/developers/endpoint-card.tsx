// Card of one endpoint: its health and actions.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Badge, Button, Facts, Problem } from "../../kit/parts.tsx";
import { formatTime } from "../../format.ts";
import { useMay, useSession } from "../../session.tsx";
import { common, said } from "../../words.ts";
import { DeliveryOutcome } from "./delivery-watch.tsx";
import { EndpointQuestions, type Question } from "./endpoint-questions.tsx";
import type { Endpoint } from "./endpoint-form.tsx";

const words = said.developers.endpointCard;

export interface EndpointCardProps {
  endpoint: Endpoint;
  onEdit: () => void;
  onChanged: () => void;
  onSecret: (secret: string) => void;
}

export function EndpointCard({ endpoint, onEdit, onChanged, onSecret }: EndpointCardProps) {
  const { time_zone } = useSession().organisation;
  const isOwner = useMay("owner");
  const [question, setQuestion] = useState<Question | null>(null);
  const [testId, setTestId] = useState<string | null>(null);
  const testing = useAction();
  const test = () =>
    testing.run(async () => {
      setTestId(null);
      setTestId((await call(api.endpoints({ id: endpoint.endpoint_id }).test.post())).delivery_id);
    });
  const about = (action: string) => `${action}: ${endpoint.url}`;

  // A FHIR Subscription has criteria instead, and no test events.
  const isWebhook = endpoint.fhir_criteria === null;
  const told = isWebhook ? endpoint.event_types : [endpoint.fhir_criteria ?? ""];

  return (
    <li class="item">
      <header>
        <h3 class="address">{endpoint.url}</h3>
        <State endpoint={endpoint} />
      </header>
      {endpoint.description !== "" && <p>{endpoint.description}</p>}
      {endpoint.disabled_reason !== null && <p class="missing">{endpoint.disabled_reason}</p>}
      {endpoint.outage !== null && (
        <p class="missing">
          {words.outage(
            formatTime(endpoint.outage.since, time_zone),
            endpoint.outage.reason,
            formatTime(endpoint.outage.next_probe_at, time_zone),
          )}
        </p>
      )}
      <Facts
        rows={[
          [
            words.events,
            <span key="events" class="codes">
              {told.map((type) => (
                <code key={type}>{type}</code>
              ))}
            </span>,
          ],
          [words.signing, signingOf(endpoint, time_zone)],
          [words.failures, words.failuresOf(endpoint.consecutive_failures)],
          [words.atOnce, words.atOnceOf(endpoint.at_once)],
          [words.counts, <Counts key="counts" endpoint={endpoint} />],
        ]}
      />
      <div class="actions">
        {isOurs(endpoint) && isWebhook && endpoint.enabled && (
          <Button busy={testing.busy} onClick={test} aria-label={about(words.test)} label={words.test} />
        )}
        {isOwner && <OwnerActions endpoint={endpoint} about={about} onEdit={onEdit} onAsk={setQuestion} />}
      </div>
      <Problem text={testing.error} />
      {testId !== null && <DeliveryOutcome key={testId} id={testId} onSettled={onChanged} />}
      <EndpointQuestions
        endpoint={endpoint}
        question={question}
        onClose={() => setQuestion(null)}
        onChanged={onChanged}
        onSecret={onSecret}
      />
    </li>
  );
}

/** What a source is told is decided in its settings. */
const isOurs = ({ kind }: Endpoint): boolean => kind === "webhook";

interface OwnerActionsProps {
  endpoint: Endpoint;
  /** Label of the action with its subject, for screen readers. */
  about: (action: string) => string;
  onEdit: () => void;
  onAsk: (question: Question) => void;
}

function OwnerActions({ endpoint, about, onEdit, onAsk }: OwnerActionsProps) {
  return (
    <>
      {isOurs(endpoint) && <Button onClick={onEdit} aria-label={about(common.edit)} label={common.edit} />}
      {endpoint.signing && (
        <Button onClick={() => onAsk("rotate")} aria-label={about(words.rotate)} label={words.rotate} />
      )}
      <Button
        onClick={() => onAsk(endpoint.enabled ? "disable" : "enable")}
        aria-label={about(endpoint.enabled ? words.disable : words.enable)}
        label={endpoint.enabled ? words.disable : words.enable}
      />
      {isOurs(endpoint) && (
        <Button kind="danger" onClick={() => onAsk("delete")} aria-label={about(common.delete)} label={common.delete} />
      )}
    </>
  );
}

function State({ endpoint }: { endpoint: Endpoint }) {
  if (!endpoint.enabled) return <Badge state="held" text={words.off} />;
  return endpoint.outage === null ? (
    <Badge state="active" text={words.on} />
  ) : (
    <Badge state="pending" text={words.waiting} />
  );
}

function signingOf({ signing, previous_secret_until }: Endpoint, zone: string): string {
  if (!signing) return words.unsigned;
  return previous_secret_until === null
    ? words.signed
    : `${words.signed}. ${words.overlap(formatTime(previous_secret_until, zone))}.`;
}

/** Each count links to its deliveries. */
function Counts({ endpoint }: { endpoint: Endpoint }) {
  return (
    <span class="counts">
      {Object.entries(words.states).map(([state, name]) => (
        <a key={state} href={`/dashboard/developers/deliveries?endpoint=${endpoint.endpoint_id}&state=${state}`}>
          {endpoint.deliveries[state] ?? 0} {name}
        </a>
      ))}
    </span>
  );
}
