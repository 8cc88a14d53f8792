// Retention of personal data, and a backup for download.
import { Card, Facts } from "../../kit/parts.tsx";
import { useMay } from "../../session.tsx";
import { BackupCard } from "./backup-card.tsx";
import type { TabProps } from "./settings-data.ts";
import { said } from "../../words.ts";

const words = said.settings.dataTab;

export function DataTab({ settings }: TabProps) {
  const isOwner = useMay("owner");
  const { retention_days: days, erasure_leaves } = settings;
  return (
    <div class="columns">
      <Card title={words.title}>
        <Facts rows={[[words.kept, <strong>{days === 0 ? words.forEver : words.days(days)}</strong>]]} />
        <p class="note">
          {words.where} <code>RINGWARD_RETENTION__DAYS</code>.
        </p>
        <p class="note">
          {words.restart} {erasure_leaves.length > 0 ? words.postgresKeeps : words.goneForGood}
        </p>
      </Card>
      {isOwner && <BackupCard />}
    </div>
  );
}
