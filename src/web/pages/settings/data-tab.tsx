// How long personal data stays, and a copy of everything to take along.
import { Card, Facts } from "../../components/parts.tsx";
import { useMay } from "../../session.tsx";
import { BackupCard } from "./backup-card.tsx";
import type { TabProps } from "./settings-data.ts";

const words = {
  title: "Retention",
  kept: "Personal data of finished calls",
  forEver: "Kept until somebody deletes it",
  days: (days: number) => (days === 1 ? "Erased after 1 day" : `Erased after ${days} days`),
  where: "This is set on the machine: retention.days in the configuration file, or in the environment",
  restart:
    "It holds after a restart. Erased means erased: the call with its recording, transcript, names and numbers, and its place in the counts of the overview.",
};

export function DataTab({ settings }: TabProps) {
  const isOwner = useMay("owner");
  const { retention_days: days } = settings;
  return (
    <div class="columns">
      <Card title={words.title}>
        <Facts rows={[[words.kept, <strong>{days === 0 ? words.forEver : words.days(days)}</strong>]]} />
        <p class="note">
          {words.where} <code>RINGWARD_RETENTION__DAYS</code>.
        </p>
        <p class="note">{words.restart}</p>
      </Card>
      {isOwner && <BackupCard />}
    </div>
  );
}
