// Draws the waveform of a call: the agent upwards, the contact downwards, the played part in full colour.
import type { Waveform } from "./waveform.ts";

const BAR_PX = 3;
const GAP_PX = 1;
/** A silent side still shows its baseline. */
const SMALLEST_BAR_PX = 1;
const UNHEARD_OPACITY = 0.4;

export function drawWaveform(canvas: HTMLCanvasElement, waveform: Waveform, heardShare: number): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = canvas.getContext("2d");
  if (!context || width === 0) return;
  const scale = devicePixelRatio;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const colours = [style.getPropertyValue("--voice-agent"), style.getPropertyValue("--voice-contact")];
  const bars = Math.max(1, Math.floor(width / (BAR_PX + GAP_PX)));
  const [middle, room] = [height / 2, height / 2 - 2];
  for (const [channel, peaks] of waveform.peaks.slice(0, 2).entries()) {
    context.fillStyle = colours[channel] ?? "";
    for (let bar = 0; bar < bars; bar++) {
      const length = Math.max(SMALLEST_BAR_PX, loudestOf(peaks, bar / bars, (bar + 1) / bars) * room);
      context.globalAlpha = (bar + 0.5) / bars <= heardShare ? 1 : UNHEARD_OPACITY;
      context.fillRect(bar * (BAR_PX + GAP_PX), channel === 0 ? middle - length : middle, BAR_PX, length);
    }
  }
  context.globalAlpha = 1;
  context.fillStyle = style.getPropertyValue("--text");
  context.fillRect(Math.min(width - 2, Math.max(0, heardShare * width - 1)), 0, 2, height);
}

function loudestOf(peaks: Float32Array, from: number, to: number): number {
  let loudest = 0;
  const end = Math.max(Math.floor(from * peaks.length) + 1, Math.floor(to * peaks.length));
  for (let at = Math.floor(from * peaks.length); at < end; at++) loudest = Math.max(loudest, peaks[at] ?? 0);
  return loudest;
}
