// The waveform as a slider: click, drag or arrow keys set the position.
import { useEffect, useRef } from "preact/hooks";
import { formatClock } from "../../format.ts";
import type { Waveform } from "./waveform.ts";
import { drawWaveform } from "./waveform-drawing.ts";
import { said } from "../../words.ts";

const words = said.calls.waveformSlider;

const STEP_SECONDS = 5;
const LEAP_SECONDS = 30;

interface SliderProps {
  waveform: Waveform | null;
  position: number;
  duration: number;
  onSeek: (seconds: number) => void;
}

export function WaveformSlider({ waveform, position, duration, onSeek }: SliderProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const heardShare = duration === 0 ? 0 : position / duration;
  const draw = () => {
    if (canvas.current && waveform) drawWaveform(canvas.current, waveform, heardShare);
  };
  const latest = useRef(draw);
  latest.current = draw;
  useEffect(draw, [waveform, heardShare]);
  useEffect(() => {
    const redraw = () => latest.current();
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const sizes = new ResizeObserver(redraw);
    if (canvas.current) sizes.observe(canvas.current);
    scheme.addEventListener("change", redraw);
    return () => {
      sizes.disconnect();
      scheme.removeEventListener("change", redraw);
    };
  }, []);

  const seekTo = (seconds: number) => onSeek(Math.min(duration, Math.max(0, seconds)));
  const seekToPointer = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    seekTo(((event.clientX - left) / width) * duration);
  };
  const keys: Record<string, number> = {
    ArrowLeft: position - STEP_SECONDS,
    ArrowDown: position - STEP_SECONDS,
    ArrowRight: position + STEP_SECONDS,
    ArrowUp: position + STEP_SECONDS,
    PageDown: position - LEAP_SECONDS,
    PageUp: position + LEAP_SECONDS,
    Home: 0,
    End: duration,
  };
  return (
    <div
      class="waveform"
      role="slider"
      tabIndex={0}
      aria-label={words.label}
      aria-valuemin={0}
      aria-valuemax={Math.round(duration)}
      aria-valuenow={Math.round(position)}
      aria-valuetext={words.value(formatClock(position), formatClock(duration))}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        seekToPointer(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) seekToPointer(event);
      }}
      onKeyDown={(event) => {
        const target = keys[event.key];
        if (target === undefined) return;
        event.preventDefault();
        seekTo(target);
      }}
    >
      <canvas ref={canvas} aria-hidden="true" />
    </div>
  );
}
