// The appliance: its version and health.
import { useEffect } from "preact/hooks";
import { api, call } from "../../client.ts";
import { Badge, Button, Card, Facts, Shown } from "../../kit/parts.tsx";
import { useLoaded } from "../../data.ts";
import { said } from "../../words.ts";

const words = said.settings.systemTab;

const LOOK_EVERY_MS = 15_000;

export function SystemTab() {
  const health = useLoaded(() => call(api.health.get()), []);
  useEffect(() => {
    const timer = setInterval(health.reload, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Card title={words.title} actions={<Button onClick={health.reload} label={words.look} />}>
      <Shown from={health}>
        {({ version, ready, checks }) => (
          <Facts
            rows={[
              [words.version, version],
              [
                words.ready,
                <Badge state={ready ? "active" : "failed"} text={ready ? words.isReady : words.notReady} />,
              ],
              ...Object.entries(checks).map(
                ([name, finding]) =>
                  [
                    words.checks[name] ?? name,
                    <Badge
                      state={finding === "ok" ? "active" : "failed"}
                      text={finding === "ok" ? words.ok : finding}
                    />,
                  ] as const,
              ),
            ]}
          />
        )}
      </Shown>
    </Card>
  );
}
