// Form of a webhook endpoint, new or existing.
import { api, call } from "../../client.ts";
import { CheckBox, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { common, said } from "../../words.ts";
import { Choices } from "../../kit/choices.tsx";
import { useForm } from "../../kit/use-form.ts";

const words = said.developers.endpointForm;

export interface Endpoint {
  endpoint_id: string;
  kind: "webhook" | "hl7";
  url: string;
  description: string;
  event_types: string[];
  fhir_criteria: string | null;
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
  /** Called with the secret of a new endpoint, or null after a change. */
  onSaved: (secret: string | null) => void;
}

export function EndpointForm({ endpoint, events, onSaved }: EndpointFormProps) {
  const form = useForm(
    {
      url: endpoint?.url ?? "https://",
      description: endpoint?.description ?? "",
      event_types: endpoint?.event_types ?? [],
      signing: endpoint?.signing ?? true,
    },
    ["url", "description", "event_types"],
  );
  const save = () =>
    form.run(async () => {
      const body = { ...form.values, url: form.values.url.trim() };
      if (endpoint) {
        await call(api.endpoints({ id: endpoint.endpoint_id }).patch(body));
        onSaved(null);
      } else {
        onSaved((await call(api.endpoints.post(body))).secret);
      }
    });
  return (
    <Form submission={form} submit={endpoint ? common.save : words.create} onSubmit={save} layout="stack">
      <TextField label={words.url} hint={words.urlHint} type="url" required maxLength={2_048} {...form.at("url")} />
      <TextField label={words.description} maxLength={200} {...form.at("description")} />
      <Choices
        legend={words.events}
        options={events.map(({ type, fired_when }) => [type, fired_when] as const)}
        chosen={form.values.event_types}
        onChosen={(event_types) => {
          form.set({ event_types });
          form.clear();
        }}
        error={form.fields["event_types"]}
      />
      <CheckBox label={words.signing} {...form.box("signing")} />
    </Form>
  );
}
