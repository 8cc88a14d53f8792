// Drop folders of the hospital's systems: add one, map its columns, see its files, and decide about lists that ask.
import { useState } from "preact/hooks";
import type { SourceView } from "../../../exchange/sources/model.ts";
import { api, call } from "../../client.ts";
import { Confirm, Dialog } from "../../kit/dialog.tsx";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Badge, Button, Card, Problem, Shown } from "../../kit/parts.tsx";
import { Table } from "../../kit/table.tsx";
import { useForm } from "../../kit/use-form.ts";
import { useLoaded, useWhileSeen } from "../../data.ts";
import { formatNumber, formatShortTime } from "../../format.ts";
import { sayDone } from "../../said.ts";
import { useMay, useSession } from "../../session.tsx";
import { said } from "../../words.ts";
import { fileText } from "../today/file-text.ts";
import { FolderMapping } from "./folder-mapping.tsx";

const words = said.folders;
/** Files arrive without a change event. */
const LOOK_EVERY_MS = 10_000;

export function FoldersTab() {
  const mayEdit = useMay("owner");
  const [adding, setAdding] = useState(false);
  const sources = useLoaded(async () => (await call(api.sources.get())).filter(({ kind }) => kind === "folder"), []);
  const finish = () => {
    setAdding(false);
    sayDone(words.added);
    sources.reload();
  };
  return (
    <>
      <Card
        title={words.title}
        actions={mayEdit && <Button kind="primary" onClick={() => setAdding(true)} label={words.add} />}
      >
        <p class="note">{words.note}</p>
        <Shown from={sources} as="rows" isEmpty={(rows) => rows.length === 0} empty={words.none}>
          {() => null}
        </Shown>
        <Dialog title={words.add} open={adding} onClose={() => setAdding(false)}>
          <AddForm onAdded={finish} />
        </Dialog>
      </Card>
      {sources.data?.map((source) => (
        <FolderCard key={source.source_id} source={source} onChanged={sources.reload} />
      ))}
    </>
  );
}

function AddForm({ onAdded }: { onAdded: () => void }) {
  const agents = useLoaded(async () => (await call(api.agents.get())).filter(({ type }) => type === "outbound"), []);
  const form = useForm({ name: "", folder: "lists", list: "complete", agent: "" }, ["name", "settings.folder"]);
  const { name, folder, list, agent } = form.values;
  const add = async () => {
    const settings = { folder, list, columns: null, ...(list === "people" && { agent_id: agent }) };
    if (await form.run(() => call(api.sources.post({ name, kind: "folder", settings })))) onAdded();
  };
  const agentOptions = (agents.data ?? []).map(({ agent_id, name: text }) => [agent_id, text] as const);
  return (
    <Form submission={form} submit={words.add} onSubmit={add}>
      <TextField label={words.name} hint={words.nameHint} required maxLength={60} {...form.at("name")} />
      <TextField
        label={words.folder}
        hint={words.folderHint}
        required
        maxLength={63}
        {...form.at("folder", "settings.folder")}
      />
      <SelectField label={words.list} options={Object.entries(words.lists)} {...form.at("list")} />
      {list === "people" && (
        <SelectField
          label={words.agent}
          required
          options={[["", words.chooseAgent], ...agentOptions]}
          {...form.at("agent")}
        />
      )}
    </Form>
  );
}

function FolderCard({ source, onChanged }: { source: SourceView; onChanged: () => void }) {
  const { source_id: id, name } = source;
  const mayEdit = useMay("owner");
  const [mapping, setMapping] = useState(false);
  const files = useLoaded(() => call(api.sources({ id }).files.get({ query: {} })), [id]);
  useWhileSeen(files.reload, LOOK_EVERY_MS);
  const finish = () => {
    setMapping(false);
    sayDone(words.mapped);
    onChanged();
    files.reload();
  };
  return (
    <Card
      title={name}
      actions={mayEdit && <Button aria-label={words.mapOf(name)} onClick={() => setMapping(true)} label={words.map} />}
    >
      <Shown from={files} as="rows">
        {({ data, folder }) => (
          <>
            <p class="note">
              {folder.path === null ? (
                words.off
              ) : (
                <>
                  {words.path} <code>{folder.path}</code>
                </>
              )}
            </p>
            <Problem text={folder.problem && words.problems[folder.problem]} />
            {data.length === 0 ? (
              <p>{words.noFiles}</p>
            ) : (
              <FileTable sourceId={id} files={data} onChanged={files.reload} />
            )}
          </>
        )}
      </Shown>
      <Dialog title={words.mapOf(name)} open={mapping} onClose={() => setMapping(false)}>
        <FolderMapping source={source} onSaved={finish} />
      </Dialog>
    </Card>
  );
}

type Files = NonNullable<Awaited<ReturnType<ReturnType<typeof api.sources>["files"]["get"]>>["data"]>["data"];
type DeliveredFile = Files[number];

const TONES: Record<string, string> = {
  done: "completed",
  repeated: "cancelled",
  faulty: "failed",
  rejected: "cancelled",
  asking: "held",
  waiting: "held",
};

function FileTable({ sourceId, files, onChanged }: { sourceId: string; files: Files; onChanged: () => void }) {
  const zone = useSession().organisation.time_zone;
  return (
    <Table
      label={words.files}
      class="settings-table files-table"
      narrow="cards"
      rows={files}
      keyOf={({ file_id }) => file_id}
      columns={[
        [words.name, ({ name }) => name, { isRowHead: true }],
        [words.received, ({ received_at }) => formatShortTime(received_at, zone)],
        [words.state, ({ state }) => <Badge state={TONES[state] ?? state} text={words.states[state] ?? state} />],
        [words.result, (file) => <Result sourceId={sourceId} file={file} onChanged={onChanged} />],
      ]}
    />
  );
}

function countsOf({ campaign_id, created, updated, unchanged, cancelled, faults }: DeliveredFile): string {
  const [one, two, three] = [created, updated, unchanged].map(formatNumber);
  return [
    campaign_id === null ? words.counts(one ?? "", two ?? "", three ?? "") : words.people(one ?? ""),
    ...(cancelled > 0 ? [words.cancelled(formatNumber(cancelled))] : []),
    ...(faults > 0 ? [words.faults(formatNumber(faults))] : []),
  ].join(", ");
}

interface ResultProps {
  sourceId: string;
  file: DeliveredFile;
  onChanged: () => void;
}

function Result({ sourceId, file, onChanged }: ResultProps) {
  const isStaff = useMay("staff");
  const [accepting, setAccepting] = useState(false);
  const [rejecting, setRejecting] = useState(false);
  const { state, file_id, name } = file;
  const text = fileText(file) || (state === "repeated" ? "" : countsOf(file));
  const route = () => api.sources({ id: sourceId }).files({ file: file_id });
  return (
    <>
      {text}
      {isStaff && (state === "asking" || state === "waiting") && (
        <div class="actions">
          {state === "asking" && <Button kind="danger" onClick={() => setAccepting(true)} label={words.accept} />}
          <Button onClick={() => setRejecting(true)} label={words.reject} />
        </div>
      )}
      <Confirm
        title={words.acceptTitle}
        text={text}
        action={words.accept}
        open={accepting}
        onClose={() => setAccepting(false)}
        onConfirm={() => call(route().accept.post())}
        done={words.accepted}
        onDone={onChanged}
      />
      <Confirm
        title={words.reject}
        text={name}
        action={words.reject}
        open={rejecting}
        onClose={() => setRejecting(false)}
        onConfirm={() => call(route().reject.post())}
        done={words.rejected}
        onDone={onChanged}
      />
    </>
  );
}
