// Backup now: begins, is watched while it runs, and can then be taken along.
import { useEffect, useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Button, Card, Facts, Problem, Shown } from "../../components/parts.tsx";
import { useLoaded } from "../../data.ts";
import { formatNumber, formatTime } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { said } from "../../words.ts";

const words = said.settings.backupCard;

const LOOK_EVERY_MS = 700;

export function BackupCard() {
  const { organisation } = useSession();
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
      <p class="note">{words.note}</p>
      <Shown from={health}>
        {({ backup }) => (
          <div class="backup">
            {error !== null && <Problem text={error} />}
            {backup?.state === "failed" && <Problem text={words.failed(backup.message)} />}
            {backup?.state === "none" && <p>{words.none}</p>}
            {backup?.state === "done" && (
              <Facts
                rows={[
                  [words.made, formatTime(backup.at, organisation.time_zone)],
                  [words.size, megabytes(backup.bytes)],
                ]}
              />
            )}
            {backup?.state === "running" && (
              <>
                <progress
                  max={Math.max(1, backup.total_bytes)}
                  value={Math.min(backup.bytes, backup.total_bytes)}
                  aria-label={words.progress}
                />
                <p role="status">{words.running}</p>
              </>
            )}
            <div class="actions">
              {backup?.state === "done" && (
                <a class="button as-link" href="/dashboard/api/backup/file" download>
                  {words.download}
                </a>
              )}
              <Button kind="primary" busy={busy || isRunning} onClick={() => void begin()}>
                {words.start}
              </Button>
            </div>
          </div>
        )}
      </Shown>
    </Card>
  );
}

function megabytes(bytes: number): string {
  return `${formatNumber(bytes / 1024 ** 2)} MB`;
}
