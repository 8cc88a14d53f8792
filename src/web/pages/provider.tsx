// Sign-in with the hospital's provider: the way there, and the page to which the provider sends people back.
import { useEffect, useState } from "preact/hooks";
import { api, call, messageOf } from "../client.ts";
import { DoorBrand } from "../kit/door.tsx";
import { Button, Problem } from "../kit/parts.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { tellOtherTabs } from "../leaving.ts";
import { said } from "../words.ts";
import { FactorStep, SetUpStep } from "./second-step.tsx";

const words = said.signIn.provider;

interface ProviderButtonProps {
  name: string;
  busy: boolean;
  /** Runs the work and shows its error. */
  run: (work: () => Promise<unknown>) => unknown;
}

export function ProviderButton({ name, busy, run }: ProviderButtonProps) {
  const go = async () => {
    const { url } = await call(api["sign-in"].oidc.begin.post());
    location.assign(url);
  };
  return <Button busy={busy} onClick={() => run(go)} label={words.signInWith(name)} />;
}

type State =
  | { kind: "asking" }
  | { kind: "fault"; message: string }
  | { kind: "factor"; ways: { code: boolean; passkey: boolean } }
  | { kind: "set_up" };

/** Code and state are used once and leave the address bar at once. */
function takeReturned() {
  const given = new URLSearchParams(location.search);
  history.replaceState(null, "", location.pathname);
  const names = ["code", "state", "iss", "error"] as const;
  return Object.fromEntries(names.flatMap((name) => (given.has(name) ? [[name, given.get(name) ?? ""]] : [])));
}

const enter = () => {
  tellOtherTabs("signed-in");
  location.replace("/dashboard");
};
const back = () => location.replace("/dashboard");

export function ProviderPage() {
  const [state, setState] = useState<State>({ kind: "asking" });
  const finish = async () => {
    try {
      const answer = await call(api["sign-in"].oidc.finish.post(takeReturned()));
      if (answer.next === "open") enter();
      else setState(answer.next === "factor" ? { kind: "factor", ways: answer.ways } : { kind: "set_up" });
    } catch (error) {
      setState({ kind: "fault", message: messageOf(error) });
    }
  };
  useEffect(() => void finish(), []);
  if (state.kind === "factor") return <FactorStep ways={state.ways} onDone={enter} onBack={back} />;
  if (state.kind === "set_up") return <SetUpStep onDone={enter} onBack={back} />;
  return (
    <main class="door">
      <DoorBrand />
      {state.kind === "asking" ? (
        <Skeleton />
      ) : (
        <div class="card">
          <h1>{words.failed}</h1>
          <Problem text={state.message} />
          <a href="/dashboard">{words.back}</a>
        </div>
      )}
    </main>
  );
}
