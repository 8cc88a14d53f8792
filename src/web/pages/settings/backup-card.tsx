// On-demand backup: start, progress, and download. On PostgreSQL: which tools to use instead.
import { useEffect, useState } from "preact/hooks";
import type { BackupStatus } from "../../../dashboard/backups.ts";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Button, Card, Facts, LinkButton, Problem, Shown } from "../../kit/parts.tsx";
import { useLoaded } from "../../data.ts";
import { formatNumber, formatTime } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { said } from "../../words.ts";

const words = said.settings.backupCard;

const LOOK_EVERY_MS = 700;

export function BackupCard() {
  const health = useLoaded(() => call(api.health.get()), []);
  const { busy, error, run } = useAction();
  const [looks, setLooks] = useState(0);
  const isRunning = health.data?.backup?.state === "running";

  useEffect(() => {
    if (!isRunning) return;
    const timer = setTimeout(() => {
      health.reload();
      setLooks(looks + 1);
    }, LOOK_EVERY_MS);
    return () => clearTimeout(timer);
  }, [isRunning, looks]);

  const begin = async () => {
    if (await run(() => call(api.backup.post()), words.began)) health.reload();
  };
  return (
    <Card title={words.title}>
      <Shown from={health}>
        {({ backup }) =>
          backup?.state === "elsewhere" ? (
            <p class="note">{words.elsewhere}</p>
          ) : (
            <div class="backup">
              <p class="note">{words.note}</p>
              <Problem text={error} />
              {backup && <Progress backup={backup} />}
              <div class="actions">
                {backup?.state === "done" && (
                  <LinkButton href="/dashboard/api/backup/file" download label={words.download} />
                )}
                <Button kind="primary" busy={busy || isRunning} onClick={begin} label={words.start} />
              </div>
            </div>
          )
        }
      </Shown>
    </Card>
  );
}

function Progress({ backup }: { backup: BackupStatus }) {
  const { organisation } = useSession();
  const { state, at, bytes, total_bytes, message } = backup;
  if (state === "failed") return <Problem text={words.failed(message)} />;
  if (state === "none") return <p>{words.none}</p>;
  if (state === "running")
    return (
      <>
        <progress max={Math.max(1, total_bytes)} value={Math.min(bytes, total_bytes)} aria-label={words.progress} />
        <p role="status">{words.running}</p>
      </>
    );
  return (
    <Facts
      rows={[
        [words.made, formatTime(at, organisation.time_zone)],
        [words.size, megabytes(bytes)],
      ]}
    />
  );
}

function megabytes(bytes: number): string {
  return `${formatNumber(bytes / 1024 ** 2)} MB`;
}
