// Noise gate for synthesised speech: removes faint tones in pauses with soft fades.

/** 10 ms at 8 kHz. */
const WINDOW_SAMPLES = 80;
/** −55 dBFS: quieter windows are pauses; the faintest speech sounds are louder. */
const PAUSE_BELOW = 10 ** (-55 / 20);
/** Windows kept around speech: the start of an F and the end of a breath are quiet too. */
const WINDOWS_KEPT = 2;

/** Start and end of speech, in samples. */
export interface Active {
  from: number;
  to: number;
}

/** 60 ms around the first and last sound above the edge level. */
const EDGE_WINDOWS = 6;

/**
 * Samples from −1 to 1 at 8 kHz; modified in place. Null without speech. `edgeDb`: speech starts and ends within 60 ms
 * of a window above this level, for networks that leave audible tones at the edges.
 */
export function gatePauses(samples: Float32Array, edgeDb = -Infinity): Active | null {
  const windows = Math.ceil(samples.length / WINDOW_SAMPLES);
  const isLoud = Array.from({ length: windows }, (_, window) => rmsOf(samples, window) > PAUSE_BELOW);
  // A single loud window is a click, as left by networks at the edges.
  const edge = edgesOf(samples, windows, 10 ** (edgeDb / 20));
  const isSpeech = isLoud.map(
    (is, window) =>
      is && window >= edge.from && window <= edge.to && (isLoud[window - 1] === true || isLoud[window + 1] === true),
  );
  const isKept = isSpeech.map((_, window) =>
    isSpeech.slice(Math.max(0, window - WINDOWS_KEPT), window + WINDOWS_KEPT + 1).includes(true),
  );
  for (let window = 0; window < windows; window++) {
    if (!isKept[window]) samples.fill(0, window * WINDOW_SAMPLES, (window + 1) * WINDOW_SAMPLES);
    // Fades the edges of a pause, because a jump would click.
    else if (!isKept[window - 1]) fade(samples, window, "in");
    else if (!isKept[window + 1]) fade(samples, window, "out");
  }
  const from = isKept.indexOf(true);
  if (from < 0) return null;
  return { from: from * WINDOW_SAMPLES, to: Math.min(samples.length, (isKept.lastIndexOf(true) + 1) * WINDOW_SAMPLES) };
}

function edgesOf(samples: Float32Array, windows: number, above: number): Active {
  const loud = Array.from({ length: windows }, (_, window) => window).filter(
    (window) => rmsOf(samples, window) > above && rmsOf(samples, window + 1) > above,
  );
  return { from: (loud[0] ?? 0) - EDGE_WINDOWS, to: (loud.at(-1) ?? windows) + 1 + EDGE_WINDOWS };
}

function rmsOf(samples: Float32Array, window: number): number {
  const part = samples.subarray(window * WINDOW_SAMPLES, (window + 1) * WINDOW_SAMPLES);
  return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length);
}

function fade(samples: Float32Array, window: number, direction: "in" | "out"): void {
  const start = window * WINDOW_SAMPLES;
  const length = Math.min(WINDOW_SAMPLES, samples.length - start);
  for (let i = 0; i < length; i++) {
    const share = (i + 0.5) / length;
    samples[start + i] = (samples[start + i] ?? 0) * (direction === "in" ? share : 1 - share);
  }
}
