// New campaign on one page: agent, list, findings, schedule. Only the last button creates it.
import { useLocation } from "preact-iso";
import { useRef, useState } from "preact/hooks";
import { useAction } from "../action.ts";
import { api, call } from "../client.ts";
import { Button, Card, PageHead, Problem, Shown } from "../kit/parts.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { sayDone } from "../said.ts";
import { useLoaded } from "../data.ts";
import { formatDate, formatNumber, todayIn } from "../format.ts";
import { useSession } from "../session.tsx";
import { said } from "../words.ts";
import { CAMPAIGNS_PATH } from "./campaigns/campaign.ts";
import { useAskedList, type Choices, type ListSource, type ListView } from "./campaigns/asked-list.ts";
import { MappingCard } from "./campaigns/mapping-card.tsx";
import { nameOfFile, NEW_PLAN, newKey, planBody, planFaults, type Plan } from "./campaigns/plan.ts";
import { DialAheadNote, useDialAhead, type DialAheadInput } from "./dial-ahead.tsx";
import { PlanCard } from "./campaigns/plan-card.tsx";
import { ReportCard } from "./campaigns/list-report.tsx";
import { SourceCard } from "./campaigns/list-source.tsx";

const words = said.campaigns.make;
const NO_SOURCE: ListSource = { kind: "file", file: null, text: "" };

export function NewCampaignPage() {
  const agents = useLoaded(async () => (await call(api.agents.get())).filter(({ type }) => type === "outbound"), []);
  return (
    <>
      <a class="call-back" href={CAMPAIGNS_PATH}>
        ← {words.back}
      </a>
      <PageHead title={words.title} />
      <Shown from={agents} isEmpty={(all) => all.length === 0} empty={words.noAgents}>
        {(all) => <Making agents={all} />}
      </Shown>
    </>
  );
}

function Making({ agents }: { agents: readonly { agent_id: string; name: string }[] }) {
  const zone = useSession().organisation.time_zone;
  const [agentId, setAgentId] = useState(agents.length === 1 ? (agents[0]?.agent_id ?? "") : "");
  const [source, setSource] = useState<ListSource>(NO_SOURCE);
  const [choices, setChoices] = useState<Choices>({});
  const [plan, setPlan] = useState<Plan>({ ...NEW_PLAN, name: formatDate(todayIn(zone)) });
  const list = useAskedList(agentId, source, choices);

  const changeSource = (change: Partial<ListSource>) => {
    setSource((before) => ({ ...before, ...change }));
    // Another list has other columns.
    setChoices({});
    if (change.file) setPlan((before) => ({ ...before, name: nameOfFile(change.file?.name ?? "") || before.name }));
  };
  const changeAgent = (chosen: string) => {
    setAgentId(chosen);
    // Another agent has other placeholders.
    setChoices(({ mapping: _, ...kept }) => kept);
  };
  return (
    <>
      <SourceCard agents={agents} agentId={agentId} onAgent={changeAgent} source={source} onSource={changeSource} />
      <Problem text={list.problem} />
      {list.isReading && list.view === null && <Skeleton shape="cards" label={words.reading} />}
      {list.view !== null && (
        <div class="campaign-steps" aria-busy={list.isReading}>
          <MappingCard view={list.view} choices={choices} onChoices={setChoices} />
          <ReportCard view={list.view} downloadFaulty={list.downloadFaulty} />
          {list.view.rows.length > 0 && (
            <Planning
              agentId={agentId}
              view={list.view}
              isReading={list.isReading}
              plan={plan}
              set={(change) => setPlan((before) => ({ ...before, ...change }))}
              zone={zone}
            />
          )}
        </div>
      )}
    </>
  );
}

interface PlanningProps {
  agentId: string;
  view: ListView;
  isReading: boolean;
  plan: Plan;
  set: (change: Partial<Plan>) => void;
  zone: string;
}

function Planning({ agentId, view, isReading, plan, set, zone }: PlanningProps) {
  const { route } = useLocation();
  const { busy, error, fields, run } = useAction(["name", "calls_per_minute", "start_at"]);
  const [wrong, setWrong] = useState<Record<string, string>>({});
  // Idempotency key: a repeated submission, after a lost response, creates the campaign once.
  const sent = useRef({ text: "", key: "" });
  const people = view.rows.length;

  const ahead = useDialAhead(aheadOf(agentId, view.rows, plan, zone));

  const start = async () => {
    const found = planFaults(plan);
    setWrong(found);
    if (Object.keys(found).length > 0) return;
    const body = { ...planBody(plan, zone), agent_id: agentId, rows: view.rows };
    const text = JSON.stringify(body);
    if (sent.current.text !== text) sent.current = { text, key: newKey() };
    const headers = { "idempotency-key": sent.current.key };
    await run(async () => {
      const made = await call(api.campaigns.post(body, { headers }));
      const refused = made.refused.length;
      sayDone(refused === 0 ? words.done : words.refusedSome(formatNumber(refused)));
      route(`${CAMPAIGNS_PATH}/${made.campaign_id}`);
    });
  };
  return (
    <form
      class="campaign-steps"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <PlanCard plan={plan} people={people} zone={zone} faults={{ ...fields, ...wrong }} set={set} />
      <Problem text={error} />
      <Card>
        <DialAheadNote ahead={ahead} {...(people > MOST_ASKED && { sample: MOST_ASKED })} />
        <div class="actions">
          <Button
            kind="primary"
            type="submit"
            busy={busy}
            disabled={isReading}
            label={plan.when === "now" ? words.start(formatNumber(people)) : words.startLater(formatNumber(people))}
          />
        </div>
      </Card>
    </form>
  );
}

/** People who are asked about; their hours are rarely different from those of the others. */
const MOST_ASKED = 100;

function aheadOf(agentId: string, rows: ListView["rows"], plan: Plan, zone: string): DialAheadInput | null {
  if (agentId === "" || (plan.when === "later" && plan.laterAt === "")) return null;
  const { start_at, calling_hours } = planBody(plan, zone);
  const callees = rows.slice(0, MOST_ASKED).map(({ user_number, user_time_zone = null, user_region = null }) => ({
    user_number,
    user_time_zone,
    user_region,
  }));
  return {
    agent_id: agentId,
    callees,
    ...(start_at && { scheduled_time: start_at }),
    ...(calling_hours && { calling_hours }),
  };
}
