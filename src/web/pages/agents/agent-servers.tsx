// Model servers of an agent. Changes are saved at once, not with the agent's form.
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { SelectField } from "../../kit/field.tsx";
import { Card, Problem, Shown } from "../../kit/parts.tsx";
import { useLoaded } from "../../data.ts";
import { ROLE_WORDS } from "../model-servers/server-words.ts";
import { said } from "../../words.ts";

const words = said.agents.agentServers;

const BUILT_IN = "builtin";
const ROLES = ["language", "recognition", "voice"] as const;

export function AgentServers({ agentId }: { agentId: string }) {
  const loaded = useLoaded(
    async () => ({
      servers: await call(api["model-servers"].get()),
      choices: await call(api.agents({ id: agentId }).servers.get()),
    }),
    [agentId],
  );
  const { error, run } = useAction();
  const choose = async (role: (typeof ROLES)[number], value: string) => {
    const choice = { [role]: value === "" ? null : value };
    if (await run(() => call(api.agents({ id: agentId }).servers.put(choice)), words.kept)) loaded.reload();
  };
  if (loaded.data?.servers.length === 0) return null;
  return (
    <Card title={words.title}>
      <p class="note">{words.note}</p>
      <Problem text={error} />
      <Shown from={loaded}>
        {({ servers, choices }) =>
          ROLES.map((role) => (
            <SelectField
              key={role}
              label={ROLE_WORDS[role]}
              value={choices[role] ?? ""}
              onValue={(value) => void choose(role, value)}
              options={[
                ["", words.byDefault],
                [BUILT_IN, words.builtIn],
                ...servers
                  .filter((server) => server.role === role)
                  .map(({ server_id, name }): [string, string] => [server_id, name]),
              ]}
            />
          ))
        }
      </Shown>
    </Card>
  );
}
