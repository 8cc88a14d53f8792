// Row of a recording: its purpose, play, replace by a selected or dropped file, and remove.
import { useRef, useState } from "preact/hooks";
import type { RecordedKind } from "../../../payloads/recorded-words.ts";
import { useAction } from "../../action.ts";
import { Badge, Button, Problem } from "../../kit/parts.tsx";
import { sayDone } from "../../said.ts";
import { formatDuration } from "../../format.ts";
import { useMay } from "../../session.tsx";
import { putFile } from "../../upload.ts";
import { said } from "../../words.ts";

export interface Recorded {
  kind: RecordedKind;
  file_name: string;
  seconds: number;
  digest: string;
  /** The recording does not describe the current keys. */
  is_outdated: boolean;
}

/** Name of each kind, and when it is played. */
export const kindWords = said.agents.recordedKinds;

const words = said.agents.recordingRow;

/** Same as MOST_RECORDED_BYTES of the server. Checked here to avoid a useless upload of minutes. */
const MOST_BYTES = 5 * 1_024 * 1_024;

export const recordedPath = (agentId: string, kind: RecordedKind) =>
  `/dashboard/api/agents/${encodeURIComponent(agentId)}/words/${kind}`;

export interface RecordingRowProps {
  agentId: string;
  kind: RecordedKind;
  recorded: Recorded | null;
  /** Whether the built-in voice supports the language. */
  isSpokenInstead: boolean;
  isPlaying: boolean;
  problem: string | null;
  onListen: (recorded: Recorded) => void;
  onRemove: () => void;
  onChanged: () => void;
}

export function RecordingRow(props: RecordingRowProps) {
  const { agentId, kind, recorded, isSpokenInstead, problem, onChanged } = props;
  const { name, purpose } = kindWords[kind];
  const mayEdit = useMay("staff");
  const [share, setShare] = useState(0);
  const sending = useAction();
  const send = (file: File) =>
    void sending.run(async () => {
      assertSendable(file);
      setShare(0);
      const path = `${recordedPath(agentId, kind)}?file_name=${encodeURIComponent(file.name)}`;
      await putFile({ path, type: "audio/wav", file, onProgress: setShare });
      sayDone(words.kept(name));
      onChanged();
    });
  const { isOver, ...dropTarget } = useDropTarget(send);

  return (
    <li class={`recording ${isOver ? "over" : ""}`} {...(mayEdit && dropTarget)}>
      <div>
        <h3>{name}</h3>
        <p class="note">{purpose}</p>
      </div>
      <p class="recording-file">
        {recorded ? (
          <>
            <span>{recorded.file_name}</span> <span class="note">{formatDuration(Math.max(1, recorded.seconds))}</span>
          </>
        ) : (
          <Badge state={isSpokenInstead ? "off" : "held"} text={isSpokenInstead ? words.builtIn : words.silent} />
        )}
      </p>
      {recorded?.is_outdated && <p class="notice warn recording-wide">{words.outdated}</p>}
      <RowActions {...props} busy={sending.busy} onFile={send} />
      {sending.busy && (
        <div class="recording-wide">
          <progress value={share} max={1} aria-label={words.progress(name)} />
          <span class="note">{words.sending(`${Math.round(share * 100)} %`)}</span>
        </div>
      )}
      {(sending.error ?? problem) !== null && <Problem text={sending.error ?? problem ?? ""} />}
    </li>
  );
}

type RowActionsProps = RecordingRowProps & { busy: boolean; onFile: (file: File) => void };

function RowActions({ kind, recorded, isPlaying, busy, onListen, onRemove, onFile }: RowActionsProps) {
  const { name } = kindWords[kind];
  const mayEdit = useMay("staff");
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div class="actions">
      {recorded && (
        <Button
          onClick={() => onListen(recorded)}
          aria-label={words.forKind(isPlaying ? words.stop : words.listen, name)}
          label={isPlaying ? `■ ${words.stop}` : `▶ ${words.listen}`}
        />
      )}
      {mayEdit && (
        <>
          <Button
            busy={busy}
            onClick={() => picker.current?.click()}
            aria-label={words.forKind(recorded ? words.replace : words.upload, name)}
            label={recorded ? words.replace : words.upload}
          />
          <input
            ref={picker}
            class="visually-hidden"
            type="file"
            accept=".wav,.wave,audio/wav,audio/x-wav"
            tabIndex={-1}
            aria-label={words.file(name)}
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file) onFile(file);
              // Allows choosing the same file again after a correction.
              event.currentTarget.value = "";
            }}
          />
          {recorded && (
            <Button
              kind="danger"
              onClick={onRemove}
              aria-label={words.forKind(words.remove, name)}
              label={words.remove}
            />
          )}
        </>
      )}
    </div>
  );
}

/** A file may be dropped anywhere on the row. */
function useDropTarget(onFile: (file: File) => void) {
  const [isOver, setOver] = useState(false);
  return {
    isOver,
    onDragOver(event: DragEvent) {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      event.preventDefault();
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (file) onFile(file);
    },
  };
}

function assertSendable(file: File): void {
  if (!/\.wave?$/i.test(file.name)) throw new Error(words.notWav);
  if (file.size > MOST_BYTES) throw new Error(words.tooLarge);
}
