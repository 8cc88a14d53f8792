// Deterministic noise for the decoder's breath and hiss. Seeded by the sentence, so that the same words give the same
// samples on every machine.

/** Box–Muller transform: two uniform numbers give two normal ones. */
export function normalNoise(length: number, seed: number): Float32Array {
  const even = evenNumbers(seed);
  const noise = new Float32Array(length);
  for (let i = 0; i < length; i += 2) {
    const radius = Math.sqrt(-2 * Math.log(1 - even()));
    const angle = 2 * Math.PI * even();
    noise[i] = radius * Math.cos(angle);
    if (i + 1 < length) noise[i + 1] = radius * Math.sin(angle);
  }
  return noise;
}

/** Uniform numbers from 0 to 1: the "small fast counter" generator of Bob Jenkins and others. */
function evenNumbers(seed: number): () => number {
  let [a, b, c, counter] = [0, seed | 0, 0x9e3779b9, 1];
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 12; i++) next();
  return next;
}
