// In-place fast Fourier transform for sizes that are powers of two.

export interface Fourier {
  /** Replaces real and imaginary parts by the spectrum. */
  forward(real: Float64Array, imaginary: Float64Array): void;
  /** Inverse transform, with normalisation. */
  backward(real: Float64Array, imaginary: Float64Array): void;
}

export function createFourier(size: number): Fourier {
  const cosines = Float64Array.from({ length: size / 2 }, (_, at) => Math.cos((2 * Math.PI * at) / size));
  const sines = Float64Array.from({ length: size / 2 }, (_, at) => Math.sin((2 * Math.PI * at) / size));
  const mirrored = mirroredPlaces(size);

  /** Cooley–Tukey algorithm with bit reversal first. */
  function transform(real: Float64Array, imaginary: Float64Array, direction: 1 | -1): void {
    for (let at = 0; at < size; at++) {
      const other = mirrored[at] ?? 0;
      if (other <= at) continue;
      swap(real, at, other);
      swap(imaginary, at, other);
    }
    for (let length = 2; length <= size; length *= 2) {
      const half = length / 2;
      const step = size / length;
      for (let from = 0; from < size; from += length) {
        for (let i = 0; i < half; i++) {
          const low = from + i;
          const high = low + half;
          const cosine = cosines[i * step] ?? 0;
          const sine = direction * (sines[i * step] ?? 0);
          const x = (real[high] ?? 0) * cosine - (imaginary[high] ?? 0) * sine;
          const y = (real[high] ?? 0) * sine + (imaginary[high] ?? 0) * cosine;
          real[high] = (real[low] ?? 0) - x;
          imaginary[high] = (imaginary[low] ?? 0) - y;
          real[low] = (real[low] ?? 0) + x;
          imaginary[low] = (imaginary[low] ?? 0) + y;
        }
      }
    }
  }

  return {
    forward: (real, imaginary) => transform(real, imaginary, -1),
    backward(real, imaginary) {
      transform(real, imaginary, 1);
      for (let at = 0; at < size; at++) {
        real[at] = (real[at] ?? 0) / size;
        imaginary[at] = (imaginary[at] ?? 0) / size;
      }
    },
  };
}

/** Bit-reversed indexes. */
function mirroredPlaces(size: number): Uint16Array {
  const places = new Uint16Array(size);
  for (let at = 0; at < size; at++) {
    let mirrored = 0;
    for (let bit = 1; bit < size; bit *= 2) mirrored = mirrored * 2 + (at & bit ? 1 : 0);
    places[at] = mirrored;
  }
  return places;
}

function swap(values: Float64Array, one: number, other: number): void {
  const kept = values[one] ?? 0;
  values[one] = values[other] ?? 0;
  values[other] = kept;
}
