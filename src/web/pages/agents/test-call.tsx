// Test call with the saved agent. The call is followed here and also has its own page.
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Badge, Button, LinkButton, Problem } from "../../kit/parts.tsx";
import { PhoneField } from "../../kit/phone-field.tsx";
import { useDelayed } from "../../kit/use-delayed.ts";
import { useForm } from "../../kit/use-form.ts";
import { useChanges, useLoaded } from "../../data.ts";
import { formatTime } from "../../format.ts";
import { completed, dialled } from "../../phone-number.ts";
import { useSession } from "../../session.tsx";
import { dialLabel, DialAheadNote, laterAt, useDialAhead } from "../dial-ahead.tsx";
import { faultText, holdText, stateText } from "../calls/call-words.ts";
import { ALWAYS_KNOWN, placeholdersOf, typedFor, type Agent } from "./agent-form.ts";
import { said } from "../../words.ts";

const words = said.agents.testCall;

export function TestCallDialog({
  agent,
  hasUnsaved,
  open,
  onClose,
}: {
  agent: Agent;
  hasUnsaved: boolean;
  open: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog title={words.title(agent.name)} open={open} onClose={onClose}>
      <TestCallForm agent={agent} hasUnsaved={hasUnsaved} />
    </Dialog>
  );
}

function TestCallForm({ agent, hasUnsaved }: { agent: Agent; hasUnsaved: boolean }) {
  const form = useForm({ number: "", name: "" });
  const [values, setValues] = useState<Record<string, string>>({});
  const [callId, setCallId] = useState<string | null>(null);
  const asked = placeholdersOf(agent.greeting, agent.prompt).filter(
    (placeholder) => !(ALWAYS_KNOWN as readonly string[]).includes(placeholder),
  );

  const { simulated, organisation } = useSession();
  const number = completed(useDelayed(form.values.number));
  const ahead = useDialAhead(number === null ? null : { agent_id: agent.agent_id, callees: [{ user_number: number }] });

  const place = () =>
    form.run(async () => {
      const given = Object.entries(values).filter(([key, value]) => value !== "" && asked.includes(key));
      const created = await call(
        api.calls.post({
          agent_id: agent.agent_id,
          user_number: dialled(form.values.number),
          user_name: form.values.name.trim() || null,
          additional_info: given.length === 0 ? null : Object.fromEntries(given),
        }),
      );
      setCallId(created.call_id);
    });

  if (callId !== null) return <PlacedCall callId={callId} later={laterAt(ahead)} onAgain={() => setCallId(null)} />;
  return (
    <Form
      submission={form}
      submit={dialLabel(ahead, words.submit, organisation.time_zone)}
      onSubmit={place}
      layout="stack"
    >
      <p class="note">{simulated ? words.simulatedNote : words.note}</p>
      {hasUnsaved && <p class="missing">{words.unsaved}</p>}
      <div class="form">
        <PhoneField label={words.number} required {...form.at("number", "user_number")} />
        <TextField label={words.name} maxLength={200} {...form.at("name", "user_name")} />
        {asked.map((key) => (
          <TextField
            key={key}
            label={`{{${key}}}`}
            maxLength={500}
            value={typedFor(values, key)}
            onValue={(value) => setValues((before) => ({ ...before, [key]: value }))}
          />
        ))}
      </div>
      <DialAheadNote ahead={ahead} />
    </Form>
  );
}

interface PlacedCallProps {
  callId: string;
  /** When it goes out, if not now. */
  later: string | null;
  onAgain: () => void;
}

function PlacedCall({ callId, later, onAgain }: PlacedCallProps) {
  const { time_zone } = useSession().organisation;
  const loaded = useLoaded(() => call(api.calls({ call_id: callId }).get()), [callId]);
  useChanges("call", loaded.reload);
  const placed = loaded.data?.call;
  return (
    <div class="placed" role="status">
      <p>
        {words.created} {placed && <Badge state={placed.status} text={stateText(placed.status)} />}
      </p>
      {(placed?.status === "scheduled" || (placed?.status === "queued" && later !== null)) && (
        <p class="note">{words.dialledAt(formatTime(later ?? placed.scheduled_at, time_zone))}</p>
      )}
      {placed?.hold_reason && <p class="missing">{holdText(placed.hold_reason)}</p>}
      {placed?.error && <p class="missing">{faultText(placed.error)}</p>}
      <Problem text={loaded.error} onRetry={loaded.reload} />
      <div class="actions">
        <Button onClick={onAgain} label={words.again} />
        <LinkButton kind="primary" href={`/dashboard/calls/${callId}`} label={words.open} />
      </div>
    </div>
  );
}
