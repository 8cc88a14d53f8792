// Open and past alarms, and a test message to the addresses that get them.
import { useEffect } from "preact/hooks";
import { api, call } from "../../client.ts";
import { Badge, Button, Card, Problem, Shown } from "../../kit/parts.tsx";
import { Table } from "../../kit/table.tsx";
import { useForm } from "../../kit/use-form.ts";
import { useLoaded } from "../../data.ts";
import { formatShortTime } from "../../format.ts";
import { spokenLanguage } from "../../language.ts";
import { useMay, useSession } from "../../session.tsx";
import { said } from "../../words.ts";

const words = said.alarms;

const LOOK_EVERY_MS = 15_000;

interface Alarm {
  alarm_id: string;
  severity: "warning" | "critical";
  words: Record<"en" | "hi", { title: string; action: string }>;
  opened_at: string;
  over_at: string | null;
}

const wordsOf = ({ words: all }: Alarm) => (spokenLanguage().startsWith("hi") ? all.hi : all.en);

export function AlarmsCard() {
  const isOwner = useMay("owner");
  const alarms = useLoaded(() => call(api.alarms.get()), []);
  const form = useForm({});
  useEffect(() => {
    const timer = setInterval(alarms.reload, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const test = () => form.run(() => call(api.alarms.test.post()), words.tested);
  return (
    <Card
      title={words.title}
      actions={
        isOwner && (alarms.data?.mail_to ?? 0) > 0 && <Button busy={form.busy} onClick={test} label={words.test} />
      }
    >
      <Problem text={form.error} />
      <Shown from={alarms} as="rows">
        {({ open, past, mail_to }) => (
          <>
            <p class="note">{mail_to === 0 ? words.noMail : words.mailTo(mail_to)}</p>
            {open.length === 0 ? <p>{words.none}</p> : <AlarmTable label={words.title} rows={open} />}
            <h3>{words.past}</h3>
            {past.length === 0 ? <p class="note">{words.nonePast}</p> : <AlarmTable label={words.past} rows={past} />}
          </>
        )}
      </Shown>
    </Card>
  );
}

function AlarmTable({ label, rows }: { label: string; rows: readonly Alarm[] }) {
  const { organisation } = useSession();
  const isPast = rows.some(({ over_at }) => over_at !== null);
  const timeOf = (at: string) => formatShortTime(at, organisation.time_zone);
  return (
    <Table
      label={label}
      class="settings-table"
      narrow="cards"
      rows={rows}
      keyOf={({ alarm_id }) => alarm_id}
      columns={[
        [
          words.what,
          (alarm) => (
            <>
              {wordsOf(alarm).title} {!isPast && <small>{wordsOf(alarm).action}</small>}
            </>
          ),
          { isRowHead: true },
        ],
        [
          words.severity,
          ({ severity }) => (
            <Badge
              state={isPast ? "cancelled" : severity === "critical" ? "failed" : "held"}
              text={words.severities[severity]}
            />
          ),
        ],
        [isPast ? words.from : words.since, ({ opened_at }) => timeOf(opened_at)],
        isPast && [words.until, ({ over_at }) => (over_at === null ? "" : timeOf(over_at))],
      ]}
    />
  );
}
