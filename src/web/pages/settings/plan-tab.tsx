// What the plan allows and how much of it is used; credits and where they went.
import { Card, Facts } from "../../kit/parts.tsx";
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

export function PlanTab({ settings }: TabProps) {
  return (
    <div class="columns">
      <PlanCard settings={settings} />
      <CreditCard settings={settings} />
    </div>
  );
}

function PlanCard({ settings: { organisation, limits, use } }: { settings: Settings }) {
  const used: Partial<Record<(typeof LIMITS)[number], number>> = use;
  return (
    <Card title={words.plan}>
      <Facts rows={[[words.yourPlan, <strong class="capital">{organisation.plan}</strong>]]} />
      <div class="table-wrap settings-table" tabIndex={0} role="region" aria-label={words.plan}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.limit}</th>
              <th scope="col" class="number">
                {words.used}
              </th>
              <th scope="col" class="number">
                {words.allowed}
              </th>
            </tr>
          </thead>
          <tbody>
            {LIMITS.map((limit) => {
              const [count, most] = [used[limit], limits[limit]];
              return (
                <tr key={limit}>
                  <th scope="row">
                    {words.limits[limit]}
                    {count !== undefined && most !== "unlimited" && (
                      <meter
                        class="use"
                        min={0}
                        max={most}
                        high={most * 0.8}
                        optimum={0}
                        value={count}
                        aria-label={words.limits[limit]}
                      />
                    )}
                  </th>
                  <td class="number">{count === undefined ? words.notCounted : formatNumber(count)}</td>
                  <td class="number">{most === "unlimited" ? words.unlimited : formatNumber(most)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p class="note">
        {words.changePlan} <code>ringward orgs plan</code>
      </p>
    </Card>
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
        <div class="table-wrap settings-table" tabIndex={0} role="region" aria-label={words.latest}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.at}</th>
                <th scope="col">{words.reason}</th>
                <th scope="col" class="number">
                  {words.amount}
                </th>
              </tr>
            </thead>
            <tbody>
              {credit_entries.map(({ at, amount, reason, call_id }) => (
                <tr key={`${at} ${call_id ?? ""}`}>
                  <td>{formatTime(at, organisation.time_zone)}</td>
                  <td>
                    {call_id === null ? (
                      words.reasons.grant
                    ) : (
                      <a href={`/dashboard/calls/${call_id}`}>{reason === "call" ? words.reasons.call : reason}</a>
                    )}
                  </td>
                  <td class="number">{amount > 0 ? `+${formatNumber(amount)}` : formatNumber(amount)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}
