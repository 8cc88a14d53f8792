// Agents and their numbers: the list, and the editor of one agent.
import { useRoute } from "preact-iso";
import { LinkButton, PageHead } from "../kit/parts.tsx";
import { useLoaded } from "../data.ts";
import { useMay } from "../session.tsx";
import { AgentList } from "./agents/agent-list.tsx";
import { AgentPage, NEW_AGENT } from "./agents/agent-page.tsx";
import { ArchivedAgents } from "./agents/archived-agents.tsx";
import { PhoneNumbers } from "./agents/phone-numbers.tsx";
import { loadStaffing } from "./agents/staffing.ts";
import { said } from "../words.ts";

const words = said.agents.page;

export function AgentsPage() {
  const { id } = useRoute().params;
  return id === undefined ? <Overview /> : <AgentPage key={id} id={id} />;
}

function Overview() {
  const mayEdit = useMay("staff");
  const staffing = useLoaded(loadStaffing, []);
  return (
    <>
      <PageHead
        title={words.title}
        note={words.note}
        actions={mayEdit && <LinkButton kind="primary" href={`/dashboard/agents/${NEW_AGENT}`} label={words.add} />}
      />
      <AgentList staffing={staffing} />
      <PhoneNumbers staffing={staffing} />
      <ArchivedAgents onBack={staffing.reload} />
    </>
  );
}
