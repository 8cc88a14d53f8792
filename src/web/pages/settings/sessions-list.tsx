// Open sessions of a person, and their end: one's own in the account, another person's for owners.
import { api, call } from "../../client.ts";
import { useLoaded } from "../../data.ts";
import { formatShortTime } from "../../format.ts";
import { ConfirmButton } from "../../kit/dialog.tsx";
import { Badge, Button, Card, Shown } from "../../kit/parts.tsx";
import { Table } from "../../kit/table.tsx";
import { useAction } from "../../action.ts";
import { useSession } from "../../session.tsx";
import { said } from "../../words.ts";

const words = said.signIn.sessions;

export function OwnSessions() {
  const sessions = useLoaded(() => call(api.account.sessions.get()), []);
  const endOthers = () => call(api.account.sessions["end-others"].post());
  const recognising = useAction();
  const recognise = async (id: string) => {
    if (await recognising.run(() => call(api.account.sessions({ id }).recognise.post()))) sessions.reload();
  };
  return (
    <Card
      title={words.title}
      actions={
        (sessions.data?.length ?? 0) > 1 && (
          <ConfirmButton
            look="plain"
            title={words.endOthers}
            text={words.endOthersNote}
            action={words.endOthers}
            onConfirm={endOthers}
            done={words.ended}
            onDone={sessions.reload}
          />
        )
      }
    >
      <p class="note">{words.note}</p>
      <Shown from={sessions} as="rows">
        {(rows) => (
          <Sessions
            rows={rows}
            onEnd={(id) => call(api.account.sessions({ id }).end.post())}
            onRecognise={recognise}
            onEnded={sessions.reload}
          />
        )}
      </Shown>
    </Card>
  );
}

export function SessionsOf({ email }: { email: string }) {
  const sessions = useLoaded(() => call(api.people({ email }).sessions.get()), [email]);
  return (
    <Shown from={sessions} as="rows" isEmpty={(rows) => rows.length === 0} empty={words.nowhere}>
      {(rows) => (
        <>
          <Sessions
            rows={rows}
            onEnd={(id) => call(api.people({ email }).sessions({ id }).end.post())}
            onEnded={sessions.reload}
          />
          <ConfirmButton
            title={words.endAll}
            text={words.endAllNote}
            action={words.endAll}
            onConfirm={() => call(api.people({ email }).sessions.end.post())}
            done={words.ended}
            onDone={sessions.reload}
          />
        </>
      )}
    </Shown>
  );
}

interface OneSession {
  session_id: string;
  browser: string | null;
  system: string | null;
  address: string | null;
  method: string;
  factor: string | null;
  is_present: boolean;
  is_new_device: boolean;
  created_at: string;
  last_used_at: string;
}

interface SessionsProps {
  rows: readonly OneSession[];
  onEnd: (id: string) => Promise<unknown>;
  onRecognise?: (id: string) => unknown;
  onEnded: () => void;
}

function Sessions({ rows, onEnd, onRecognise, onEnded }: SessionsProps) {
  const zone = useSession().organisation.time_zone;
  const nameOf = ({ browser, system }: OneSession) => words.device(browser, system);
  return (
    <Table
      label={words.title}
      class="settings-table"
      narrow="cards"
      rows={rows}
      keyOf={({ session_id }) => session_id}
      columns={[
        [
          words.where,
          (row) => (
            <>
              {nameOf(row)} {row.is_present && <small>({words.present})</small>}{" "}
              {row.is_new_device && !row.is_present && <Badge state="held" text={words.newDevice} />}
            </>
          ),
          { isRowHead: true },
        ],
        [words.address, ({ address }) => address ?? words.unknown],
        [words.how, ({ method, factor }) => words.proofs(words.methods[method] ?? method, factorWord(factor))],
        [words.since, ({ created_at }) => formatShortTime(created_at, zone)],
        [words.lastUsed, ({ last_used_at }) => formatShortTime(last_used_at, zone)],
        [
          words.end,
          (row) =>
            !row.is_present && (
              <>
                {row.is_new_device && onRecognise && (
                  <Button kind="quiet" onClick={() => onRecognise(row.session_id)} label={words.mine} />
                )}
                <ConfirmButton
                  look="quiet"
                  about={words.endOf(nameOf(row))}
                  title={words.endOf(nameOf(row))}
                  text={words.endNote}
                  action={words.end}
                  onConfirm={() => onEnd(row.session_id)}
                  done={words.ended}
                  onDone={onEnded}
                />
              </>
            ),
          { class: "number", isTitleHidden: true },
        ],
      ]}
    />
  );
}

const factorWord = (factor: string | null): string | null =>
  factor === null ? null : (words.factors[factor] ?? factor);
