// The appliance: its version and health.
import { useEffect } from "preact/hooks";
import type { KeptBackupsView } from "../../../db/kept-backups/kept-backups.ts";
import { api, call } from "../../client.ts";
import { Badge, Button, Card, Facts, Shown } from "../../kit/parts.tsx";
import { useLoaded } from "../../data.ts";
import { formatTime } from "../../format.ts";
import { useSession } from "../../session.tsx";
import { said } from "../../words.ts";
import { AlarmsCard } from "./alarms-card.tsx";
import { queueDelayRows, useFigures } from "./figures.tsx";

const words = said.system;

const LOOK_EVERY_MS = 15_000;

export function SystemTab() {
  return (
    <>
      <HealthCard />
      <AlarmsCard />
    </>
  );
}

function HealthCard() {
  const { organisation } = useSession();
  const health = useLoaded(() => call(api.health.get()), []);
  const figures = useFigures();
  useEffect(() => {
    const timer = setInterval(health.reload, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Card title={words.title} actions={<Button onClick={health.reload} label={words.look} />}>
      <Shown from={health}>
        {({ version, ready, checks, kept_backups: kept }) => (
          <Facts
            rows={[
              [words.version, version],
              [
                words.ready,
                <Badge state={ready ? "active" : "failed"} text={ready ? words.isReady : words.notReady} />,
              ],
              ...Object.entries(checks).map(
                ([name, finding]) =>
                  [
                    words.checks[name] ?? name,
                    <Badge
                      state={finding === "ok" ? "active" : "failed"}
                      text={finding === "ok" ? words.ok : finding}
                    />,
                  ] as const,
              ),
              ...queueDelayRows(figures),
              ...(kept === null ? [] : backupRows(kept, organisation.time_zone)),
            ]}
          />
        )}
      </Shown>
    </Card>
  );
}

/** The backups that the server makes by itself. */
function backupRows({ last_good_at, is_late, last_drill_at, was_drill_same }: KeptBackupsView, zone: string) {
  const last = last_good_at === null ? words.noBackup : formatTime(last_good_at, zone);
  const drill = last_drill_at === null ? words.noDrill : formatTime(last_drill_at, zone);
  return [
    [words.backup, last],
    [words.backupState, <Badge state={is_late ? "failed" : "active"} text={is_late ? words.late : words.onTime} />],
    [words.drill, drill],
    ...(was_drill_same === null
      ? []
      : [
          [
            words.drillState,
            <Badge
              state={was_drill_same ? "active" : "failed"}
              text={was_drill_same ? words.drillSame : words.drillDiffers}
            />,
          ] as const,
        ]),
  ] as const;
}
