// Player of a recording: position, state, and renewal of an expired link.
import { useEffect, useRef, useState } from "preact/hooks";
import { api, call } from "../../client.ts";
import { localPath } from "../../format.ts";
import { waveformOf, type Waveform } from "./waveform.ts";
import { said } from "../../words.ts";

/** More than the pixels of any screen width. */
const STRETCHES = 2_000;
const words = said.calls.usePlayer;

export type Player = ReturnType<typeof usePlayer>;

/** `expectedSeconds`: until the recording has loaded. */
export function usePlayer(callId: string, link: string | null, expectedSeconds: number) {
  const audio = useRef<HTMLAudioElement>(null);
  // Each reload of the call brings a new link. The player keeps its first one.
  const [source, setSource] = useState(link);
  const [position, setPosition] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const [waveform, setWaveform] = useState<Waveform | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  /** State to restore after a new link has loaded. */
  const resume = useRef<{ at: number; playing: boolean } | null>(null);
  const hasLink = link !== null;
  useEffect(() => setSource((before) => before ?? link), [hasLink]);
  useWaveform(source, setWaveform);

  useEffect(() => {
    if (!isPlaying) return undefined;
    // timeupdate fires four times a second, which is too coarse for a moving cursor.
    let frame = requestAnimationFrame(function follow() {
      setPosition(audio.current?.currentTime ?? 0);
      frame = requestAnimationFrame(follow);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying]);

  const play = () => {
    // If the browser blocks playback, the button stays as it is.
    void audio.current?.play().catch(() => undefined);
  };
  const seek = (seconds: number) => {
    setPosition(seconds);
    if (audio.current) audio.current.currentTime = seconds;
  };

  /** Links expire after five minutes; a page may stay open for longer. */
  const renew = async () => {
    const isSecondFailure = resume.current !== null;
    if (isSecondFailure) {
      setProblem(words.cannotPlay);
      return;
    }
    resume.current = { at: position, playing: isPlaying };
    try {
      const { call: fresh } = await call(api.calls({ call_id: callId }).get());
      if (fresh.call_recording === null) throw new Error(words.cannotPlay);
      // Two links created in the same second are identical.
      if (fresh.call_recording === source) audio.current?.load();
      else setSource(fresh.call_recording);
    } catch {
      setProblem(words.cannotPlay);
    }
  };

  return {
    audio,
    position,
    isPlaying,
    waveform,
    problem,
    duration: waveform?.durationSeconds ?? expectedSeconds,
    seek,
    playFrom(seconds: number) {
      seek(seconds);
      play();
    },
    toggle: () => (audio.current?.paused === false ? audio.current.pause() : play()),
    setRate(rate: number) {
      if (audio.current) audio.current.playbackRate = rate;
    },
    /** Attributes of the audio element. */
    attributes: {
      src: source === null ? undefined : localPath(source),
      onPlay: () => setPlaying(true),
      onPause: () => setPlaying(false),
      onTimeUpdate: () => setPosition(audio.current?.currentTime ?? 0),
      onSeeking: () => setPosition(audio.current?.currentTime ?? 0),
      onError: () => void renew(),
      onLoadedMetadata: () => {
        const from = resume.current;
        resume.current = null;
        if (!from) return;
        seek(from.at);
        if (from.playing) play();
      },
    },
  };
}

function useWaveform(source: string | null, onWaveform: (waveform: Waveform | null) => void): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (source === null || isDone.current) return undefined;
    const stop = new AbortController();
    const draw = async () => {
      const answer = await fetch(localPath(source), { signal: stop.signal });
      if (!answer.ok) return;
      onWaveform(waveformOf(await answer.arrayBuffer(), STRETCHES));
      isDone.current = true;
    };
    // The recording plays without its waveform too.
    draw().catch(() => undefined);
    return () => stop.abort();
  }, [source]);
}
