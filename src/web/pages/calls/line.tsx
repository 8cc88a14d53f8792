// Diagnostics of a call's line: audio quality, and the SIP messages as a ladder diagram.
import { useState } from "preact/hooks";
import type { CallView } from "../../../calls/model.ts";
import type { LineView } from "../../../calls/life/line-service.ts";
import { api, call } from "../../client.ts";
import { Button, Card, LinkButton, Problem } from "../../kit/parts.tsx";
import { useLoaded } from "../../data.ts";
import { isUnderWay } from "./call-words.ts";
import { Ladder } from "./ladder.tsx";
import { LineFigures } from "./line-figures.tsx";
import { said } from "../../words.ts";

const words = said.calls.line;

/** For staff only, because messages contain numbers. The server enforces this. */
export function Line({ call: { call_id, status } }: { call: CallView }) {
  // Reloads only when the status changes: the relevant messages come then, and each request adds an audit entry.
  const loaded = useLoaded<LineView>(() => call(api.calls({ call_id }).line.get()), [call_id, status]);
  const isLive = isUnderWay(status);
  if (loaded.data === null && loaded.error === null) return null;
  if (loaded.data !== null && !hasLine(loaded.data) && !isLive && loaded.error === null) return null;
  return (
    <Card title={words.title} actions={isLive && <Button onClick={loaded.reload} label={words.refresh} />}>
      <Problem text={loaded.error} onRetry={loaded.reload} />
      {loaded.data !== null && (
        <Shown line={loaded.data} callId={call_id} isLive={isLive} isFailed={status === "failed"} />
      )}
    </Card>
  );
}

const hasLine = ({ messages, media, has_capture }: LineView) => messages.length > 0 || media !== null || has_capture;

function Shown(props: { line: LineView; callId: string; isLive: boolean; isFailed: boolean }) {
  const { line, callId, isLive, isFailed } = props;
  // Few users need the messages of a successful call. They open on request, and never by themselves later.
  const [isOpenAtFirst] = useState(isLive || isFailed);
  if (!hasLine(line)) return <p class="note">{words.nothingYet}</p>;
  const file = `/dashboard/api/calls/${callId}/line`;
  return (
    <>
      <LineFigures line={line} isLive={isLive} />
      {line.messages.length > 0 && (
        <details class="ladder-box" open={isOpenAtFirst}>
          <summary>{words.messages(line.messages.length)}</summary>
          <Ladder line={line} />
        </details>
      )}
      <div class="actions">
        {line.messages.length > 0 && <LinkButton href={`${file}.txt`} download label={words.asText} />}
        <LinkButton href={`${file}.pcap`} download label={words.asPackets} />
      </div>
      <p class="note">{line.has_capture ? words.withAudio : words.withoutAudio}</p>
    </>
  );
}
