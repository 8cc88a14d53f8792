// Page of one agent, existing or new.
import { api, call } from "../../client.ts";
import { PageHead, Shown } from "../../kit/parts.tsx";
import { useLoaded } from "../../data.ts";
import { useMay } from "../../session.tsx";
import { AgentEditor } from "./agent-editor.tsx";
import { ArchiveAgent } from "./archive-agent.tsx";
import { AgentServers } from "./agent-servers.tsx";
import { said } from "../../words.ts";

const words = said.agents.agentPage;

/** Takes the place of an id: /dashboard/agents/new */
export const NEW_AGENT = "new";

export function AgentPage({ id }: { id: string }) {
  const isOwner = useMay("owner");
  const isStaff = useMay("staff");
  const loaded = useLoaded(
    async () => ({
      agent: id === NEW_AGENT ? null : (await call(api.agents.get())).find(({ agent_id }) => agent_id === id),
    }),
    [id],
  );
  const back = (
    <a class="back" href="/dashboard/agents">
      ← {words.back}
    </a>
  );
  return (
    <>
      {back}
      {!loaded.data && <PageHead title={words.title} />}
      <Shown
        from={loaded}
        as="cards"
        isEmpty={({ agent }) => agent === undefined}
        empty={
          <>
            <h1>{words.title}</h1>
            <p>{words.unknown}</p>
          </>
        }
      >
        {({ agent }) => (
          <>
            <AgentEditor agent={agent ?? null} />
            {agent && isOwner && <AgentServers agentId={agent.agent_id} />}
            {agent && isStaff && <ArchiveAgent id={agent.agent_id} name={agent.name} />}
          </>
        )}
      </Shown>
    </>
  );
}
