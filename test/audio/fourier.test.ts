import { expect, test } from "bun:test";
import { createFourier } from "../../src/audio/fourier.ts";

test("a tone has one frequency and its mirror, and survives the inverse", () => {
  const fourier = createFourier(64);
  const tone = Float64Array.from({ length: 64 }, (_, at) => Math.cos((2 * Math.PI * 5 * at) / 64));
  const [real, imaginary] = [tone.slice(), new Float64Array(64)];
  fourier.forward(real, imaginary);
  const strong = [...real.entries()].filter(([, value]) => Math.abs(value) > 1e-9).map(([at]) => at);
  expect(strong).toEqual([5, 59]);
  fourier.backward(real, imaginary);
  for (const [at, value] of tone.entries()) expect(real[at]).toBeCloseTo(value, 9);
});
