// Limits and usage of the plan; credits and their consumption.
import { Card, Facts } from "../../kit/parts.tsx";
import { Table } from "../../kit/table.tsx";
import { formatNumber, formatTime } from "../../format.ts";
import { useSession } from "../../session.tsx";
import type { Settings, TabProps } from "./settings-data.ts";
import { said } from "../../words.ts";

const words = said.settings.planTab;

const LIMITS = [
  "api_keys",
  "webhook_endpoints",
  "inbound_daily_quota",
  "concurrent_calls",
  "requests_per_minute",
] as const;
type Limit = (typeof LIMITS)[number];

export function PlanTab({ settings }: TabProps) {
  return (
    <div class="columns">
      <PlanCard settings={settings} />
      <CreditCard settings={settings} />
    </div>
  );
}

function PlanCard({ settings: { organisation, limits, use } }: { settings: Settings }) {
  const used: Partial<Record<Limit, number>> = use;
  return (
    <Card title={words.plan}>
      <Facts
        rows={[
          [words.yourPlan, <strong class="capital">{words.names[organisation.plan] ?? organisation.plan}</strong>],
        ]}
      />
      <Table
        label={words.plan}
        class="settings-table"
        rows={LIMITS}
        keyOf={(limit) => limit}
        columns={[
          [words.limit, (limit) => <Use limit={limit} count={used[limit]} most={limits[limit]} />, { isRowHead: true }],
          [words.used, (limit) => (used[limit] === undefined ? words.notCounted : formatNumber(used[limit])), "number"],
          [words.allowed, (limit) => allowedText(limits[limit]), "number"],
        ]}
      />
      <p class="note">
        {words.changePlan} <code>ringward orgs plan</code>
      </p>
    </Card>
  );
}

const allowedText = (most: number | "unlimited") => (most === "unlimited" ? words.unlimited : formatNumber(most));

function Use({ limit, count, most }: { limit: Limit; count: number | undefined; most: number | "unlimited" }) {
  const name = words.limits[limit];
  return (
    <>
      {name}
      {count !== undefined && most !== "unlimited" && (
        <meter class="use" min={0} max={most} high={most * 0.8} optimum={0} value={count} aria-label={name} />
      )}
    </>
  );
}

function CreditCard({ settings: { credits, credit_entries } }: { settings: Settings }) {
  const { organisation } = useSession();
  return (
    <Card title={words.credits}>
      {credits.unlimited ? (
        <p>{words.unlimitedCredits}</p>
      ) : (
        <Facts rows={[[words.balance, <strong>{formatNumber(credits.balance)}</strong>]]} />
      )}
      <p class="note">
        {!credits.unlimited && words.emptyCredits} {words.grant} <code>ringward credits grant</code>
      </p>
      <h3>{words.latest}</h3>
      {credit_entries.length === 0 ? (
        <p class="note">{words.none}</p>
      ) : (
        <Table
          label={words.latest}
          class="settings-table"
          rows={credit_entries}
          keyOf={({ at, call_id }) => `${at} ${call_id ?? ""}`}
          columns={[
            [words.at, ({ at }) => formatTime(at, organisation.time_zone)],
            [
              words.reason,
              ({ call_id, reason }) =>
                call_id === null ? (
                  words.reasons.grant
                ) : (
                  <a href={`/dashboard/calls/${call_id}`}>{reason === "call" ? words.reasons.call : reason}</a>
                ),
            ],
            [words.amount, ({ amount }) => (amount > 0 ? `+${formatNumber(amount)}` : formatNumber(amount)), "number"],
          ]}
        />
      )}
    </Card>
  );
}
