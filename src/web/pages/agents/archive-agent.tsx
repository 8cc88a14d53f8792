// Putting an agent away that is not wanted any more, or was made by mistake.
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { Confirm } from "../../kit/dialog.tsx";
import { Button } from "../../kit/parts.tsx";
import { sayDone } from "../../kit/toasts.tsx";
import { said } from "../../words.ts";

const words = said.agents.agentPage;

export function ArchiveAgent({ id, name }: { id: string; name: string }) {
  const { route } = useLocation();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <div class="actions">
      <Button kind="danger" onClick={() => setIsAsking(true)} label={words.archive} />
      <Confirm
        title={words.archiveTitle(name)}
        text={words.archiveText}
        action={words.archive}
        open={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={async () => {
          await call(api.agents({ id }).archive.post());
          sayDone(words.archived(name));
          route("/dashboard/agents");
        }}
      />
    </div>
  );
}
