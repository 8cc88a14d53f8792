// Breach report: two moments, and the file.
import { useState } from "preact/hooks";
import { TextField } from "../../kit/field.tsx";
import { Card, LinkButton } from "../../kit/parts.tsx";
import { zonedToIso } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { common, said } from "../../words.ts";

const words = said.settings.breachCard;

export function BreachCard() {
  const zone = useSession().organisation.time_zone;
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const isWhole = from !== "" && to !== "" && from < to;
  const query = () => new URLSearchParams({ from: zonedToIso(from, zone), to: zonedToIso(to, zone) }).toString();
  return (
    <Card title={words.title}>
      <p class="note">
        {words.note} {common.zoneNote(zone)}
      </p>
      <div class="filters">
        <TextField label={words.from} type="datetime-local" value={from} onValue={setFrom} />
        <TextField label={words.to} type="datetime-local" value={to} onValue={setTo} />
      </div>
      {isWhole ? (
        <LinkButton href={`/dashboard/api/breach-report?${query()}`} download label={words.download} />
      ) : (
        <p class="note">{words.choose}</p>
      )}
    </Card>
  );
}
