// Notes of staff about a contact.
import type { ContactPageData } from "../../../dashboard/contact-page.ts";
import { api, call } from "../../client.ts";
import { TextArea } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Button, Card } from "../../kit/parts.tsx";
import { sayProblem } from "../../said.ts";
import { useForm } from "../../kit/use-form.ts";
import { formatShortTime } from "../../format.ts";
import { useMay, useSession } from "../../session.tsx";
import { said } from "../../words.ts";

const words = said.contacts;

interface NotesProps {
  id: string;
  notes: ContactPageData["notes"];
  zone: string;
  onChanged: () => void;
}

export function Notes({ id, notes, zone, onChanged }: NotesProps) {
  const isStaff = useMay("staff");
  const isOwner = useMay("owner");
  const { person } = useSession();
  const remove = async (note_id: string) => {
    await call(api.contacts({ contact_id: id }).notes({ note_id }).delete()).catch(sayProblem);
    onChanged();
  };
  return (
    <Card title={words.notes}>
      {isStaff && <NewNote id={id} onAdded={onChanged} />}
      {notes.length === 0 && <p class="note">{words.noNotes}</p>}
      <ul class="contact-list">
        {notes.map(({ note_id, text, by, at, person_id }) => (
          <li key={note_id}>
            <p class="contact-note">{text}</p>
            <span class="contact-who">
              <small>{words.noteBy(by, formatShortTime(at, zone))}</small>
              {(isOwner || person_id === person.person_id) && (
                <Button
                  kind="quiet"
                  aria-label={words.removeNoteOf(formatShortTime(at, zone))}
                  onClick={() => remove(note_id)}
                  label={words.removeNote}
                />
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function NewNote({ id, onAdded }: { id: string; onAdded: () => void }) {
  const form = useForm({ text: "" });
  const text = form.values.text.trim();
  const add = async () => {
    if (!(await form.run(() => call(api.contacts({ contact_id: id }).notes.post({ text })), words.noteAdded))) return;
    form.reset();
    onAdded();
  };
  return (
    <Form
      submission={{ ...form, error: null }}
      submit={words.addNote}
      kind="plain"
      isDisabled={text === ""}
      onSubmit={add}
      layout="stack"
    >
      <TextArea
        label={words.newNote}
        hint={words.noteHint}
        rows={3}
        {...form.at("text")}
        error={form.error ?? undefined}
      />
    </Form>
  );
}
