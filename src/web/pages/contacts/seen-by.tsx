// Who of the staff opened, heard or changed something of this person.
import { Card } from "../../kit/parts.tsx";
import { said } from "../../words.ts";
import { AuditEntries } from "../settings/audit-entries.tsx";

const words = said.contacts.seenBy;

export function SeenBy({ id }: { id: string }) {
  return (
    <Card title={words.title}>
      <p class="note">{words.note}</p>
      <AuditEntries label={words.title} query={{ contact_id: id, actor_kind: "person" }} />
    </Card>
  );
}
