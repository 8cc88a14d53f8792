// Recorded phrases of an agent. Changes are saved at once, not with the agent's form.
import { useRef, useState } from "preact/hooks";
import { RECORDED_KINDS, type RecordedKind } from "../../../payloads/recorded-words.ts";
import { api, call } from "../../client.ts";
import { Confirm } from "../../kit/dialog.tsx";
import { Card, Shown } from "../../kit/parts.tsx";
import { sayDone } from "../../said.ts";
import { useLoaded } from "../../data.ts";
import { recordedPath, kindWords, RecordingRow, type Recorded } from "./recording-row.tsx";
import { said } from "../../words.ts";
import { spokenLanguage } from "../../language.ts";

const words = said.agents.recordedWords;

export function RecordedWords({ agentId, language }: { agentId: string; language: string }) {
  const recorded = useLoaded(() => call(api.agents({ id: agentId }).words.get()), [agentId]);
  const [removing, setRemoving] = useState<RecordedKind | null>(null);
  const player = useRecordedPlayer(agentId);
  const isSpoken = /^(?:eng?|hin?)(?:-|$)/i.test(language);

  const remove = async (kind: RecordedKind) => {
    player.stop();
    await call(api.agents({ id: agentId }).words({ kind }).delete());
    sayDone(words.removed(kindWords[kind].name));
    recorded.reload();
  };

  return (
    <Card title={words.title}>
      <p class="note">
        {words.note} {words.files}
      </p>
      <Shown from={recorded}>
        {(list) => (
          <>
            {!isSpoken && (
              <p class={`notice ${list.length < RECORDED_KINDS.length ? "warn" : ""}`}>
                {words.otherLanguage(languageName(language))}{" "}
                {list.length < RECORDED_KINDS.length && words.stillMissing(RECORDED_KINDS.length - list.length)}
              </p>
            )}
            <ul class="rows">
              {RECORDED_KINDS.map((kind) => (
                <RecordingRow
                  key={kind}
                  agentId={agentId}
                  kind={kind}
                  recorded={list.find((recorded) => recorded.kind === kind) ?? null}
                  isSpokenInstead={isSpoken}
                  isPlaying={player.playing === kind}
                  problem={player.failed === kind ? words.cannotPlay : null}
                  onListen={player.toggle}
                  onRemove={() => setRemoving(kind)}
                  onChanged={() => {
                    player.stop();
                    recorded.reload();
                  }}
                />
              ))}
            </ul>
          </>
        )}
      </Shown>
      <audio {...player.attributes} />
      <Confirm
        title={words.removeTitle(removing ? kindWords[removing].name : "")}
        text={isSpoken ? words.removeText : words.removeToSilence}
        action={words.remove}
        open={removing !== null}
        onClose={() => setRemoving(null)}
        onConfirm={async () => removing && remove(removing)}
      />
    </Card>
  );
}

/** "Hindi" for "hi"; the tag itself if the browser does not know it. */
function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames(spokenLanguage(), { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** One player for all rows, so that only one recording plays at a time. */
function useRecordedPlayer(agentId: string) {
  const audio = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState<RecordedKind | null>(null);
  const [failed, setFailed] = useState<RecordedKind | null>(null);
  const stop = () => {
    audio.current?.pause();
    setPlaying(null);
  };
  return {
    playing,
    failed,
    stop,
    toggle(recorded: Recorded) {
      if (!audio.current) return;
      setFailed(null);
      if (playing === recorded.kind) {
        stop();
        return;
      }
      audio.current.src = `${recordedPath(agentId, recorded.kind)}?of=${recorded.digest.slice(0, 12)}`;
      setPlaying(recorded.kind);
      audio.current.play().catch((fault: unknown) => {
        // Another row took over the player, which is not an error.
        if (fault instanceof DOMException && fault.name === "AbortError") return;
        setPlaying(null);
        setFailed(recorded.kind);
      });
    },
    /** Attributes of the audio element. */
    attributes: { ref: audio, preload: "none" as const, onEnded: () => setPlaying(null) },
  };
}
