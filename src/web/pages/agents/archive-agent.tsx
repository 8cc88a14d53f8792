// Archiving an agent.
import { useLocation } from "preact-iso";
import { api, call } from "../../client.ts";
import { ConfirmButton } from "../../kit/dialog.tsx";
import { said } from "../../words.ts";

const words = said.agents.agentPage;

export function ArchiveAgent({ id, name }: { id: string; name: string }) {
  const { route } = useLocation();
  return (
    <div class="actions">
      <ConfirmButton
        title={words.archiveTitle(name)}
        text={words.archiveText}
        action={words.archive}
        onConfirm={() => call(api.agents({ id }).archive.post())}
        done={words.archived(name)}
        onDone={() => route("/dashboard/agents")}
      />
    </div>
  );
}
