// List of agents, each linked to its page.
import { Fragment } from "preact";
import { Badge, Card, Shown } from "../../kit/parts.tsx";
import { Phone } from "../../kit/phone.tsx";
import type { Loaded } from "../../data.ts";
import type { Agent } from "./agent-form.ts";
import type { Staffing } from "./staffing.ts";
import { weekdayName } from "../../format.ts";
import { said } from "../../words.ts";

const words = said.agents.agentList;

export function AgentList({ staffing }: { staffing: Loaded<Staffing> }) {
  return (
    <Card title={words.title}>
      <Shown from={staffing} isEmpty={({ agents }) => agents.length === 0} empty={<p>{words.empty}</p>}>
        {({ agents, numbers }) => (
          <ul class="rows">
            {agents.map((agent) => (
              <li key={agent.agent_id} class="agent-row">
                <div>
                  <a class="row-title" href={`/dashboard/agents/${agent.agent_id}`}>
                    {agent.name}
                  </a>{" "}
                  <Badge state={agent.type} text={words.types[agent.type] ?? agent.type} />
                </div>
                <span class="note">
                  <NumbersOf numbers={numbers.filter((number) => number.agent_id === agent.agent_id)} />
                </span>
                <span class="note">
                  {[agent.language, hoursOf(agent), ...(agent.type === "outbound" ? [retriesOf(agent)] : [])].join(
                    " · ",
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </Card>
  );
}

function NumbersOf({ numbers }: { numbers: Staffing["numbers"] }) {
  if (numbers.length === 0) return <>{words.noNumber}</>;
  return (
    <>
      {numbers.map(({ number }, index) => (
        <Fragment key={number}>
          {index > 0 && ", "}
          <Phone number={number} />
        </Fragment>
      ))}
    </>
  );
}

function hoursOf({ calling_hours }: Agent): string {
  if (calling_hours === null) return words.alwaysOpen;
  return `${calling_hours.days.map((day) => weekdayName(day, "short")).join(" ")} ${calling_hours.start}–${calling_hours.end}`;
}

function retriesOf({ retry_attempts, retry_minutes }: Agent): string {
  return retry_attempts === 0 ? words.noRetry : words.retries(retry_attempts, retry_minutes);
}
