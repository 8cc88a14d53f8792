// What the line of a call was like, for whoever looks for a fault: the sound in figures, and the messages as a ladder.
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

/** For staff alone: messages name numbers. The server refuses everybody else. */
export function Line({ call: { call_id, status } }: { call: CallView }) {
  // The messages that matter come with a new state; each answer is also a line in the audit trail.
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
  // Where all went well the messages are for few; they open when somebody asks, and never by themselves later on.
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
