// Recording of a call with its waveform, and the transcript.
import type { CallView } from "../../../calls/model.ts";
import { Button, Card, Problem } from "../../kit/parts.tsx";
import { formatClock } from "../../format.ts";
import { isUnderWay, isWaiting } from "./call-words.ts";
import { recordedSeconds } from "./recorded-seconds.ts";
import { Notices, whyNotRecorded } from "./recording-facts.tsx";
import { Transcript } from "./transcript.tsx";
import { usePlayer } from "./use-player.ts";
import { WaveformSlider } from "./waveform-slider.tsx";
import { callWork } from "./words.ts";
import { said } from "../../words.ts";

const words = said.calls.recording;

const SPEEDS = [0.75, 1, 1.25, 1.5, 2];

export function Conversation({ call, zone }: { call: CallView; zone: string }) {
  const { call_recording: link, call_transcript: lines, status } = call;
  const player = usePlayer(call.call_id, link, recordedSeconds(call));
  const isYetToEnd = isWaiting(status) || isUnderWay(status);
  if (status !== "completed" && link === null && !lines?.length) {
    return (
      <Card title={words.title}>
        <p class="note">{isYetToEnd ? words.notYet : words.notConnected}</p>
      </Card>
    );
  }
  return (
    <Card title={words.title}>
      {link === null ? (
        <p class="note">{whyNotRecorded(call, zone) ?? words.noRecording}</p>
      ) : (
        <div class="player">
          <Problem text={player.problem} />
          <audio ref={player.audio} preload="metadata" {...player.attributes} />
          <WaveformSlider
            waveform={player.waveform}
            position={player.position}
            duration={player.duration}
            onSeek={player.seek}
          />
          <div class="player-controls">
            <Button kind="primary" onClick={player.toggle} label={player.isPlaying ? words.pause : words.play} />
            <span class="clock">
              {formatClock(player.position)} / {formatClock(player.duration)}
            </span>
            <label class="speed">
              {words.speed}
              <select onChange={(event) => player.setRate(Number(event.currentTarget.value))}>
                {SPEEDS.map((speed) => (
                  <option key={speed} value={speed} selected={speed === 1}>
                    {speed}×
                  </option>
                ))}
              </select>
            </label>
            <span class="voice-legend">
              <span class="by-agent">{words.agent}</span>
              <span class="by-contact">{words.contact}</span>
            </span>
          </div>
        </div>
      )}
      <Downloads call={call} />
      <Notices {...call} />
      {lines?.length ? (
        <Transcript lines={lines} player={link === null ? null : player} recording={call.recording} />
      ) : (
        <p class="note">{words.noTranscript}</p>
      )}
    </Card>
  );
}

function Downloads({ call: { call_id, call_recording, call_transcript } }: { call: CallView }) {
  const path = `/dashboard/api/calls/${call_id}`;
  return (
    <div class="actions downloads">
      {call_recording !== null && (
        <a href={`${path}/recording`} download={`${call_id}.wav`}>
          {callWork.recording}
        </a>
      )}
      {call_transcript?.length ? (
        <>
          <a href={`${path}/transcript.txt`} download>
            {callWork.text}
          </a>
          <a href={`${path}/transcript.json`} download>
            {callWork.json}
          </a>
        </>
      ) : null}
    </div>
  );
}
