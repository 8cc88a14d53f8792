// Page of one campaign: progress, results, people, and actions.
import { useLocation, useRoute } from "preact-iso";
import { useState } from "preact/hooks";
import { api, call } from "../client.ts";
import { Badge, Card, Facts, PageHead, Shown } from "../kit/parts.tsx";
import { useChanges, useLoaded } from "../data.ts";
import { formatNumber, formatTime, weekdayName } from "../format.ts";
import { useMay, useSession } from "../session.tsx";
import { said } from "../words.ts";
import { addressOf, NO_FILTERS } from "./calls/filters.ts";
import { useCalmly } from "./calls/use-live.ts";
import { CAMPAIGNS_PATH, isLive, outcomeText, stateText, toneOf, type Campaign } from "./campaigns/campaign.ts";
import { CampaignActions } from "./campaigns/campaign-actions.tsx";
import { ProgressBar } from "./campaigns/progress-bar.tsx";
import { PeopleCard, type PeopleFilter } from "./campaigns/people-card.tsx";

const words = said.campaigns.page;

export function CampaignPage() {
  const { params } = useRoute();
  const id = params["id"] ?? "";
  const campaign = useLoaded<Campaign>(() => call(api.campaigns({ campaign_id: id }).get()), [id]);
  // Reloads the list when the figures change.
  const [version, setVersion] = useState(0);
  const reload = useCalmly(() => {
    campaign.reload();
    setVersion((before) => before + 1);
  });
  useChanges("campaign", reload, id);
  useChanges("call", () => campaign.data && isLive(campaign.data) && reload());
  return (
    <Shown from={campaign} as="cards">
      {(shown) => <Whole campaign={shown} version={version} onChanged={campaign.reload} />}
    </Shown>
  );
}

function Whole({ campaign, version, onChanged }: { campaign: Campaign; version: number; onChanged: () => void }) {
  const isStaff = useMay("staff");
  const { query, path, route } = useLocation();
  const filter: PeopleFilter = { state: query["state"] ?? "", outcome: query["outcome"] ?? "" };
  const setFilter = (change: PeopleFilter) => {
    const set = new URLSearchParams(Object.entries(change).filter(([, value]) => value !== ""));
    route(set.size === 0 ? path : `${path}?${set}`, true);
  };
  return (
    <>
      <a class="call-back" href={CAMPAIGNS_PATH}>
        ← {words.back}
      </a>
      <PageHead
        title={campaign.name}
        actions={<CampaignActions campaign={campaign} isStaff={isStaff} onChanged={onChanged} />}
      />
      <div class="columns campaign-top">
        <ProgressCard campaign={campaign} filter={filter} onFilter={setFilter} />
        <PlanFacts campaign={campaign} />
      </div>
      <PeopleCard campaignId={campaign.campaign_id} filter={filter} onFilter={setFilter} version={version} />
    </>
  );
}

interface ProgressProps {
  campaign: Campaign;
  filter: PeopleFilter;
  onFilter: (filter: PeopleFilter) => void;
}

function ProgressCard({ campaign, filter, onFilter }: ProgressProps) {
  const { progress, rows } = campaign;
  const figures = [
    ["waiting", words.waiting, progress.waiting],
    ["calling", words.calling, progress.calling],
    ["done", words.done, progress.done],
    ...(progress.cancelled > 0 ? [["cancelled", words.cancelled, progress.cancelled] as const] : []),
  ] as const;
  const outcomes = Object.entries(progress.outcomes)
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => other - one);
  return (
    <Card
      title={words.progress}
      actions={
        <>
          <a href={addressOf({ ...NO_FILTERS, campaign_id: campaign.campaign_id })}>{words.toCalls}</a>
          <Badge state={toneOf(campaign.state)} text={stateText(campaign.state)} />
        </>
      }
    >
      <ProgressBar campaign={campaign} label={words.progressOf(formatNumber(progress.done), formatNumber(rows))} />
      <div class="campaign-figures">
        {figures.map(([state, label, count]) => (
          <Figure
            key={state}
            label={label}
            count={count}
            isChosen={filter.state === state && filter.outcome === ""}
            onChoose={(isChosen) => onFilter({ state: isChosen ? "" : state, outcome: "" })}
          />
        ))}
      </div>
      <h3>{words.outcomes}</h3>
      {outcomes.length === 0 && <p class="note">{words.noOutcomes}</p>}
      <div class="campaign-figures small">
        {outcomes.map(([outcome, count]) => (
          <Figure
            key={outcome}
            label={outcomeText(outcome)}
            count={count}
            isChosen={filter.outcome === outcome}
            onChoose={(isChosen) => onFilter({ state: "", outcome: isChosen ? "" : outcome })}
          />
        ))}
      </div>
    </Card>
  );
}

interface FigureProps {
  label: string;
  count: number;
  isChosen: boolean;
  /** Called with the present state. */
  onChoose: (isChosen: boolean) => void;
}

/** A figure that filters the list to the people it counts. */
function Figure({ label, count, isChosen, onChoose }: FigureProps) {
  return (
    <button type="button" class="campaign-figure" aria-pressed={isChosen} onClick={() => onChoose(isChosen)}>
      <strong>{formatNumber(count)}</strong>
      <span>{label}</span>
    </button>
  );
}

function PlanFacts({ campaign }: { campaign: Campaign }) {
  const zone = useSession().organisation.time_zone;
  const { calling_hours, retry } = campaign;
  const hours =
    calling_hours === null
      ? words.agentHours
      : words.hoursOf(
          calling_hours.days.map((day) => weekdayName(day, "short")).join(" "),
          calling_hours.start,
          calling_hours.end,
        );
  const rules = Object.entries(retry).flatMap(([outcome, rule]) => (rule ? [[outcome, rule] as const] : []));
  const retries = rules
    .filter(([, { attempts }]) => attempts > 0)
    .map(([outcome, { attempts, minutes }]) =>
      words.retryOf(said.campaigns.make.retryNames[outcome] ?? outcome, formatNumber(attempts), formatNumber(minutes)),
    );
  const noRules = rules.length === 0 ? words.agentRetries : words.noRetries;
  return (
    <Card title={words.facts}>
      <Facts
        rows={[
          [words.agent, campaign.agent_name],
          [words.created, formatTime(campaign.created_at, zone)],
          [words.starts, formatTime(campaign.start_at ?? campaign.created_at, zone)],
          campaign.finished_at !== null && [words.finished, formatTime(campaign.finished_at, zone)],
          [words.pace, words.paceOf(formatNumber(campaign.calls_per_minute))],
          [words.hours, hours],
          [words.retries, retries.length === 0 ? noRules : <Lines texts={retries} />],
        ]}
      />
    </Card>
  );
}

function Lines({ texts }: { texts: readonly string[] }) {
  return (
    <ul class="campaign-lines">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
