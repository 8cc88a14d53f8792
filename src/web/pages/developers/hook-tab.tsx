// The inbound hook: a secret URL with which other tools start, cancel and delete calls.
import { useState } from "preact/hooks";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Confirm } from "../../kit/dialog.tsx";
import { CheckBox } from "../../kit/field.tsx";
import { Button, Card, Facts, Problem, Shown } from "../../kit/parts.tsx";
import { sayDone } from "../../said.ts";
import { useLoaded } from "../../data.ts";
import { formatNumber } from "../../format.ts";
import { useMay } from "../../session.tsx";
import { CopyCode } from "../../kit/copy-code.tsx";
import { curlLine, noCodeFields } from "./curl-line.ts";
import { OnceCard } from "./once-card.tsx";
import { said } from "../../words.ts";

const words = said.developers.hookTab;

interface NewHook {
  url: string;
  signing_secret: string;
}

export function HookTab() {
  const isOwner = useMay("owner");
  const [made, setMade] = useState<NewHook | null>(null);
  const [isAsking, setAsking] = useState(false);
  const making = useAction();
  const loaded = useHook();

  const make = async () => {
    setMade(await call(api.hook.regenerate.post()));
    loaded.reload();
  };
  return (
    <>
      {made && (
        <OnceCard
          key={made.url}
          title={words.madeTitle}
          secrets={[
            [words.url, made.url],
            [words.secret, made.signing_secret],
          ]}
          onDone={() => setMade(null)}
        />
      )}
      <Card
        title={words.title}
        actions={isOwner && loaded.data?.hook && <Button onClick={() => setAsking(true)} label={words.regenerate} />}
      >
        <p class="note">{words.note}</p>
        <Shown
          from={loaded}
          isEmpty={({ hook }) => hook === null}
          empty={
            <>
              <p>{isOwner ? words.none : words.noneForStaff}</p>
              <Problem text={making.error} />
              {isOwner && (
                <Button kind="primary" busy={making.busy} onClick={() => making.run(make)} label={words.make} />
              )}
            </>
          }
        >
          {({ hook, agentId, baseUrl }) =>
            hook && (
              <>
                <Facts
                  rows={[
                    [words.status, words.ready],
                    [words.today, <Quota key="quota" used={hook.used_today} quota={hook.daily_quota} />],
                  ]}
                />
                <Signature isRequired={hook.signature_required} onChanged={loaded.reload} />
                <Example
                  made={made}
                  address={`${baseUrl}/v1/hooks/YOUR_TOKEN`}
                  agentId={agentId}
                  isSigned={hook.signature_required}
                />
              </>
            )
          }
        </Shown>
      </Card>
      <Confirm
        title={words.regenerateTitle}
        text={words.regenerateText}
        action={words.regenerate}
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={make}
      />
    </>
  );
}

/** The hook, and the data of the example. */
function useHook() {
  return useLoaded(async () => {
    const [{ hook }, agents, { base_url }] = await Promise.all([
      call(api.hook.get()),
      call(api.agents.get()),
      call(api.developers.catalogue.get()),
    ]);
    return { hook, baseUrl: base_url, agentId: agents.find(({ type }) => type === "outbound")?.agent_id ?? "agt_…" };
  }, []);
}

interface ExampleProps {
  made: NewHook | null;
  /** Stands for the hook's own URL, which is shown only once. */
  address: string;
  agentId: string;
  isSigned: boolean;
}

function Example({ made, address, agentId, isSigned }: ExampleProps) {
  const secret = isSigned ? (made?.signing_secret ?? "YOUR_SECRET") : null;
  return (
    <>
      <h3>{words.example}</h3>
      <p class="note">{made ? words.exampleReady : words.exampleNote}</p>
      <CopyCode label={words.example} code={curlLine({ url: made?.url ?? address, agentId, secret })} />
      <h3>{words.noCode}</h3>
      <p class="note">{words.noCodeNote}</p>
      <CopyCode label={words.noCode} code={noCodeFields(made?.url ?? address, agentId)} />
    </>
  );
}

function Signature({ isRequired, onChanged }: { isRequired: boolean; onChanged: () => void }) {
  const isOwner = useMay("owner");
  // Optimistic update: shows the ticked value before the response, and the stored one after an error.
  const [wanted, setWanted] = useState<boolean | null>(null);
  const signing = useAction();
  const requireSignature = async (required: boolean) => {
    setWanted(required);
    const isDone = await signing.run(async () => {
      await call(api.hook.signature.put({ required }));
      sayDone(required ? words.signatureOn : words.signatureOff);
      onChanged();
    });
    if (!isDone) setWanted(null);
  };
  return (
    <>
      <div>
        <CheckBox
          label={words.signature}
          disabled={!isOwner || signing.busy}
          checked={wanted ?? isRequired}
          onChecked={requireSignature}
        />
        <p class="note">{words.signatureNote}</p>
      </div>
      <Problem text={signing.error} />
    </>
  );
}

function Quota({ used, quota }: { used: number; quota: number | null }) {
  if (quota === null) return <>{words.unlimited}</>;
  return (
    <span class="quota">
      {words.ofQuota(formatNumber(used), formatNumber(quota))}{" "}
      <meter aria-label={words.quota} min={0} max={quota} high={quota * 0.8} value={used} />
    </span>
  );
}
