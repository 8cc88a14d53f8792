// The form of a webhook endpoint, new or changed.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { CheckBox, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { common, said } from "../../words.ts";
import { Choices } from "../../kit/choices.tsx";

const words = said.developers.endpointForm;

export interface Endpoint {
  endpoint_id: string;
  url: string;
  description: string;
  event_types: string[];
  signing: boolean;
  enabled: boolean;
  disabled_reason: string | null;
  outage: { since: string; reason: string; next_probe_at: string } | null;
  consecutive_failures: number;
  at_once: number | null;
  previous_secret_until: string | null;
  deliveries: Record<string, number>;
}

export interface EndpointFormProps {
  endpoint: Endpoint | null;
  events: readonly { type: string; fired_when: string }[];
  /** With the secret of a new endpoint, or null after a change. */
  onSaved: (secret: string | null) => void;
}

export function EndpointForm({ endpoint, events, onSaved }: EndpointFormProps) {
  const [url, setUrl] = useState(endpoint?.url ?? "https://");
  const [description, setDescription] = useState(endpoint?.description ?? "");
  const [eventTypes, setEventTypes] = useState<string[]>(endpoint?.event_types ?? []);
  const [signing, setSigning] = useState(endpoint?.signing ?? true);
  const saving = useAction(["url", "description", "event_types"]);
  const save = () =>
    saving.run(async () => {
      const body = { url: url.trim(), description, event_types: eventTypes, signing };
      if (endpoint) {
        await call(api.endpoints({ id: endpoint.endpoint_id }).patch(body));
        onSaved(null);
      } else {
        onSaved((await call(api.endpoints.post(body))).secret);
      }
    });
  return (
    <Form submission={saving} submit={endpoint ? common.save : words.create} onSubmit={save} layout="stack">
      <TextField
        label={words.url}
        hint={words.urlHint}
        type="url"
        required
        maxLength={2_048}
        value={url}
        onValue={setUrl}
        error={saving.fields["url"]}
      />
      <TextField
        label={words.description}
        maxLength={200}
        value={description}
        onValue={setDescription}
        error={saving.fields["description"]}
      />
      <Choices
        legend={words.events}
        options={events.map(({ type, fired_when }) => [type, fired_when] as const)}
        chosen={eventTypes}
        onChosen={(chosen) => {
          setEventTypes(chosen);
          saving.clear();
        }}
        error={saving.fields["event_types"]}
      />
      <CheckBox label={words.signing} checked={signing} onChecked={setSigning} />
    </Form>
  );
}
