// Replay of all exhausted deliveries in a time range: first their number, then the progress.
import { useEffect, useState } from "preact/hooks";
import { api, call, messageOf } from "../../client.ts";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { fieldsOf } from "../../kit/fields-of.ts";
import { useForm } from "../../kit/use-form.ts";
import { zonedToIso } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { common, said } from "../../words.ts";

const words = said.developers.replayRange;

interface Counts {
  delivered: number;
  pending: number;
  held: number;
  exhausted: number;
}

const EVERY_MS = 1_500;
/** After this, pending deliveries wait for their retry schedule, and polling is useless. */
const MOST_LOOKS = 40;

export interface ReplayRangeProps {
  endpoints: readonly { endpoint_id: string; url: string }[];
  chosen: string;
  onReplayed: () => void;
}

export function ReplayRange({ endpoints, chosen, onReplayed }: ReplayRangeProps) {
  const { time_zone } = useSession().organisation;
  const form = useForm(() => ({
    endpointId: chosen === "" ? (endpoints[0]?.endpoint_id ?? "") : chosen,
    from: localTime(Date.now() - 24 * 3_600_000, time_zone),
    to: localTime(Date.now() + 60_000, time_zone),
  }));
  const { endpointId, from, to } = form.values;
  const [sent, setSent] = useState<number | null>(null);
  const range = from === "" || to === "" ? null : { from: zonedToIso(from, time_zone), to: zonedToIso(to, time_zone) };
  const { counts, error } = useCounts(endpointId, range, sent !== null);

  const replay = () =>
    form.run(async () => {
      if (!range) return;
      setSent((await call(api.endpoints({ id: endpointId }).replay.post(range))).count);
      onReplayed();
    });
  /** A new selection has not been sent. */
  const { at } = fieldsOf(
    form.values,
    (change) => {
      form.set(change);
      setSent(null);
    },
    form.fields,
  );
  const givenUp = counts?.exhausted ?? 0;

  return (
    <Form
      submission={{ ...form, error: form.error ?? error }}
      submit={givenUp === 0 ? words.sendNone : words.send(givenUp)}
      isDisabled={givenUp === 0}
      onSubmit={replay}
      layout="stack"
    >
      <p class="note">
        {words.note} {common.zoneNote(time_zone)}
      </p>
      <SelectField
        label={words.endpoint}
        options={endpoints.map(({ endpoint_id, url }) => [endpoint_id, url] as const)}
        {...at("endpointId")}
      />
      <div class="form">
        <TextField label={words.from} type="datetime-local" required {...at("from")} />
        <TextField label={words.to} type="datetime-local" required {...at("to")} />
      </div>
      {sent === null ? (
        <p role="status">{counts ? words.found(givenUp) : words.counting}</p>
      ) : (
        <Progress sent={sent} counts={counts} />
      )}
    </Form>
  );
}

function Progress({ sent, counts }: { sent: number; counts: Counts | null }) {
  const waiting = Math.min(sent, counts?.pending ?? sent);
  return (
    <div class="replay-progress" role="status">
      <p>{waiting === 0 ? words.over(sent) : words.queued(sent)}</p>
      <progress aria-label={words.progress} max={Math.max(sent, 1)} value={sent - waiting} />
      <p>{counts && words.summary(counts)}</p>
      {(counts?.pending ?? 0) > 0 && <p class="note">{words.waiting}</p>}
    </div>
  );
}

/** Counts the range when it changes, and polls while its replay is running. */
function useCounts(endpointId: string, range: { from: string; to: string } | null, isWatching: boolean) {
  const [answer, setAnswer] = useState<{ counts: Counts | null; error: string | null }>({ counts: null, error: null });
  useEffect(() => {
    if (!range || endpointId === "") return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const look = async (count: number) => {
      try {
        const found = await call(api.endpoints({ id: endpointId }).range.get({ query: range }));
        if (isOver) return;
        const counts = {
          delivered: found["delivered"] ?? 0,
          pending: found["pending"] ?? 0,
          held: found["held"] ?? 0,
          exhausted: found["exhausted"] ?? 0,
        };
        setAnswer({ counts, error: null });
        if (isWatching && counts.pending > 0 && count < MOST_LOOKS)
          timer = setTimeout(() => void look(count + 1), EVERY_MS);
      } catch (fault) {
        if (!isOver) setAnswer({ counts: null, error: messageOf(fault) });
      }
    };
    timer = setTimeout(() => void look(1), 200);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [endpointId, range?.from, range?.to, isWatching]);
  return answer;
}

/** For datetime-local: 2026-11-16T09:30 in the zone. The Swedish locale has this format. */
function localTime(instant: number, zone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" })
    .format(instant)
    .replace(" ", "T");
}
