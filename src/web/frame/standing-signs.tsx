// Persistent signs of every page: a chip where calls are simulated, and banners where the appliance does not answer.
import { useEffect, useState } from "preact/hooks";
import { api, call } from "../client.ts";
import { isReached, watchReach } from "../reach.ts";
import { useSession } from "../session.tsx";
import { said } from "../words.ts";

const words = said.shared.signs;
const LOOK_AGAIN_MS = 500;

/** Leads to the trunks, with which calls become real. */
export function SimulatedChip() {
  const { simulated, demo } = useSession();
  if (!simulated) return null;
  const note = demo ? words.demoNote : words.simulatedNote;
  return (
    <a class="simulated-chip" href="/dashboard/settings/trunks" title={note}>
      <span class="simulated-word">
        {demo ? words.demo : words.simulated}
        <span class="simulated-more"> · {words.noPhoneRings}</span>
      </span>
      <span class="visually-hidden">
        {" "}
        {note} {words.howToCall}
      </span>
    </a>
  );
}

/** Shown while two weeks of demo history are generated, which takes a second or two. */
export function MakingSign() {
  const { demo } = useSession();
  const [making, setMaking] = useState<{ day: number; days: number } | null>(null);
  useEffect(() => {
    if (!demo) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const look = () =>
      call(api.demo.get()).then(
        (answer) => {
          if (isGone) return;
          setMaking(answer.making);
          if (answer.making !== null) timer = setTimeout(() => void look(), LOOK_AGAIN_MS);
        },
        () => {},
      );
    void look();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [demo]);
  return (
    <div class="sign-place" role="status">
      {making !== null && <p class="sign making">{words.making(making.day, making.days)}</p>}
    </div>
  );
}

export function OfflineSign() {
  const [isThere, setIsThere] = useState(isReached);
  useEffect(() => watchReach(setIsThere), []);
  return (
    <div class="sign-place" role="alert">
      {!isThere && (
        <p class="sign offline">
          <strong>{words.offline}</strong> <span>{words.offlineNote}</span>
        </p>
      )}
    </div>
  );
}
