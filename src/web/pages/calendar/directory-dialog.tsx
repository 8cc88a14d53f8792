// Names of branches and services. Ids are UUIDs of the hospital's own system; a branch or service added here gets a new
// UUID.
import { useId } from "preact/hooks";
import { api, call } from "../../client.ts";
import { TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button } from "../../kit/parts.tsx";
import { sayDone } from "../../said.ts";
import { useForm } from "../../kit/use-form.ts";
import { common } from "../../words.ts";
import { shortId, useCalendar, type Branch, type Service } from "./calendar-context.ts";
import { words } from "./words.ts";

const ZONES = Intl.supportedValuesOf("timeZone");

export function DirectoryDialog() {
  const { directory, reloadDirectory } = useCalendar();
  const { branches, services, time_zone } = directory;
  const saved = (text: string) => {
    sayDone(text);
    reloadDirectory();
  };
  return (
    <div class="cal-names">
      <h3>{words.branches}</h3>
      {branches.map((branch) => (
        <BranchForm
          key={branch.branch_id}
          branch={branch}
          hospitalZone={time_zone}
          submit={common.save}
          onSaved={() => saved(words.saved)}
          onArchived={() => saved(words.archivedBranch)}
        />
      ))}
      <details>
        <summary>{words.addBranch}</summary>
        <BranchForm
          key={branches.length}
          branch={null}
          hospitalZone={time_zone}
          submit={words.addBranch}
          onSaved={() => saved(words.branchAdded)}
        />
      </details>
      <h3>{words.services}</h3>
      {services.length === 0 && <p class="note">{words.noServices}</p>}
      {services.map((service) => (
        <ServiceForm
          key={service.appointment_type_id}
          service={service}
          submit={common.save}
          onSaved={() => saved(words.saved)}
        />
      ))}
      <details>
        <summary>{words.addService}</summary>
        <ServiceForm
          key={services.length}
          service={null}
          submit={words.addService}
          onSaved={() => saved(words.serviceAdded)}
        />
      </details>
    </div>
  );
}

interface BranchFormProps {
  /** Null adds a new one. */
  branch: Branch | null;
  hospitalZone: string;
  submit: string;
  onSaved: () => void;
  /** Set if it can be archived from here. */
  onArchived?: () => void;
}

export function BranchForm({ branch, hospitalZone, submit, onSaved, onArchived }: BranchFormProps) {
  const form = useForm({ name: branch?.name ?? "", time_zone: branch?.own_time_zone ?? "" }, ["name", "time_zone"]);
  const { name, time_zone } = form.values;
  const zones = useId();
  const save = async () => {
    const work = () =>
      call(
        api.calendar
          .branches({ id: branch?.branch_id ?? newUuid() })
          .put({ name, time_zone: time_zone.trim() || null }),
      );
    if (await form.run(work)) onSaved();
  };
  const archive = async (id: string, done: () => void) => {
    if (await form.run(() => call(api.calendar.branches({ id }).archive.post()))) done();
  };
  return (
    <Form hasWayOut={false} submission={form} submit={submit} onSubmit={save}>
      <TextField
        label={words.branchName}
        required
        maxLength={200}
        hint={branch ? shortId(branch.branch_id) : undefined}
        {...form.at("name")}
      />
      <TextField
        label={words.branchZone}
        hint={words.branchZoneHint(hospitalZone)}
        list={zones}
        autoComplete="off"
        placeholder={hospitalZone}
        {...form.at("time_zone")}
      />
      <datalist id={zones}>
        {ZONES.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      {branch && onArchived && (
        <Button
          kind="quiet"
          busy={form.busy}
          onClick={() => archive(branch.branch_id, onArchived)}
          label={words.archiveBranch}
        />
      )}
    </Form>
  );
}

function ServiceForm({ service, submit, onSaved }: { service: Service | null; submit: string; onSaved: () => void }) {
  const form = useForm({ name: service?.appointment_type_name ?? "" }, ["name"]);
  const save = async () => {
    const work = () => call(api.calendar.services({ id: service?.appointment_type_id ?? newUuid() }).put(form.values));
    if (await form.run(work)) onSaved();
  };
  return (
    <Form hasWayOut={false} submission={form} submit={submit} onSubmit={save}>
      <TextField
        label={words.serviceName}
        required
        maxLength={200}
        hint={service ? shortId(service.appointment_type_id) : undefined}
        {...form.at("name")}
      />
    </Form>
  );
}

/** A version 4 UUID. crypto.randomUUID is not available on plain http, which hospitals use in their own network. */
function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes]
    .map((byte, i) =>
      (i === 6 ? (byte & 0x0f) | 0x40 : i === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, "0"),
    )
    .join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
