// One sub-band of ITU-T G.722 at 8 kHz: it predicts the next sample from the last ones, and the step of its quantiser
// follows the signal. Encoder and decoder run the very same steps, in whole numbers, or they would drift apart.
import { HIGH_STEP_GROWTH, HIGH_TWO_BIT, LOW_FOUR_BIT, LOW_STEP_GROWTH, OCTAVE_FRACTIONS } from "./g722-tables.ts";

/** Past values that the zeros of the predictor look at. */
const ZEROS = 6;

/** What tells the bands apart: of the code (four bits below, two above) what the step becomes and what was meant by it. */
interface BandKind {
  meanings: Int32Array;
  growth: Int32Array;
  /** The longest the logarithm of the step may be, and the power of two that it counts from. */
  mostLogStep: number;
  octaves: number;
  firstStep: number;
}

export const LOW_BAND: BandKind = {
  meanings: LOW_FOUR_BIT,
  growth: LOW_STEP_GROWTH,
  mostLogStep: 18_432,
  octaves: 8,
  firstStep: 32,
};

export const HIGH_BAND: BandKind = {
  meanings: HIGH_TWO_BIT,
  growth: HIGH_STEP_GROWTH,
  mostLogStep: 22_528,
  octaves: 10,
  firstStep: 8,
};

export function saturated(value: number): number {
  return value > 32_767 ? 32_767 : value < -32_768 ? -32_768 : value;
}

/** A class, because its few numbers change 16,000 times a second in each call: as fields they are the fastest. */
export class G722Band {
  /** What the next sample is expected to be. */
  prediction = 0;
  /** The quantiser's step. */
  step: number;
  private logStep = 0;
  /** The last differences, twice each and limited to 16 bits, as the sum wants them. */
  private readonly doubled = new Int32Array(ZEROS);
  private readonly zeros = new Int32Array(ZEROS);
  private zeroPrediction = 0;
  /** Poles, in 32,768ths, then the last two reconstructed values, and the last two without the poles' share. */
  private pole1 = 0;
  private pole2 = 0;
  private value1 = 0;
  private value2 = 0;
  private partial1 = 0;
  private partial2 = 0;

  constructor(private readonly kind: BandKind) {
    this.step = kind.firstStep;
  }

  /** Takes the code of one sample and looks ahead to the next (blocks 2, 3 and 4 of the standard, in both bands). */
  follow(code: number): void {
    const difference = (this.step * (this.kind.meanings[code] ?? 0)) >> 15;
    this.adaptStep(code);
    const value = saturated(this.prediction + difference);
    const partial = saturated(this.zeroPrediction + difference);
    this.adaptPoles(partial);
    this.partial2 = this.partial1;
    this.partial1 = partial;
    this.value2 = this.value1;
    this.value1 = value;
    this.zeroPrediction = this.adaptZeros(difference);
    const fromPoles =
      ((this.pole1 * saturated(this.value1 * 2)) >> 15) + ((this.pole2 * saturated(this.value2 * 2)) >> 15);
    this.prediction = saturated(saturated(fromPoles) + this.zeroPrediction);
  }

  private adaptStep(code: number): void {
    const kind = this.kind;
    const grown = ((this.logStep * 127) >> 7) + (kind.growth[code] ?? 0);
    this.logStep = grown < 0 ? 0 : grown > kind.mostLogStep ? kind.mostLogStep : grown;
    const fraction = OCTAVE_FRACTIONS[(this.logStep >> 6) & 31] ?? 0;
    const shift = kind.octaves - (this.logStep >> 11);
    this.step = (shift < 0 ? fraction << -shift : fraction >> shift) << 2;
  }

  private adaptPoles(partial: number): void {
    const sign1 = (partial ^ this.partial1) >> 31;
    const sign2 = (partial ^ this.partial2) >> 31;
    const towards = Math.min(signed(saturated(this.pole1 * 4), ~sign1), 32_767);
    const second = (towards >> 7) + signed(128, sign2) + ((this.pole2 * 32_512) >> 15);
    this.pole2 = second > 12_288 ? 12_288 : second < -12_288 ? -12_288 : second;
    // Both together stay where the filter is stable.
    const most = saturated(15_360 - this.pole2);
    const first = saturated(signed(192, sign1) + ((this.pole1 * 32_640) >> 15));
    this.pole1 = first > most ? most : first < -most ? -most : first;
  }

  /** Returns what the zeros expect next. */
  private adaptZeros(difference: number): number {
    const doubled = this.doubled;
    const zeros = this.zeros;
    const pull = difference === 0 ? 0 : 128;
    let sum = 0;
    for (let i = ZEROS - 1; i >= 0; i--) {
      const sign = ((doubled[i] ?? 0) ^ difference) >> 31;
      const zero = saturated(signed(pull, sign) + (((zeros[i] ?? 0) * 32_640) >> 15));
      const next = i === 0 ? saturated(difference * 2) : (doubled[i - 1] ?? 0);
      zeros[i] = zero;
      doubled[i] = next;
      sum += (zero * next) >> 15;
    }
    return saturated(sum);
  }
}

/** Negated where `sign` is -1, as it is where it is 0. Signs of sound are as good as random: a branch would cost twice. */
function signed(value: number, sign: number): number {
  return (value ^ sign) - sign;
}
