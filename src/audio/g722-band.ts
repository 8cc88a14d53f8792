// One sub-band of ITU-T G.722 at 8 kHz: adaptive prediction with an adaptive quantiser step. Encoder and decoder must
// run identical integer arithmetic, or they drift apart.
import { HIGH_STEP_GROWTH, HIGH_TWO_BIT, LOW_FOUR_BIT, LOW_STEP_GROWTH, OCTAVE_FRACTIONS } from "./g722-tables.ts";

/** Number of zeros of the predictor. */
const ZEROS = 6;

/**
 * Parameters of a band (four-bit code for the lower, two-bit for the higher): step growth and reconstruction levels.
 */
interface BandKind {
  meanings: Int32Array;
  growth: Int32Array;
  /** Upper limit of the logarithmic step, and its scale. */
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

/** A class, because its few numbers change 16,000 times a second per call, and fields are fastest. */
export class G722Band {
  /** Predicted next sample. */
  prediction = 0;
  /** Quantiser step. */
  step: number;
  private logStep = 0;
  /** The last differences, doubled and limited to 16 bits. */
  private readonly doubled = new Int32Array(ZEROS);
  private readonly zeros = new Int32Array(ZEROS);
  private zeroPrediction = 0;
  /** Pole coefficients in 1/32,768, then the last two reconstructed values, and the last two without the poles. */
  private pole1 = 0;
  private pole2 = 0;
  private value1 = 0;
  private value2 = 0;
  private partial1 = 0;
  private partial2 = 0;

  constructor(private readonly kind: BandKind) {
    this.step = kind.firstStep;
  }

  /** Processes the code of one sample and predicts the next (blocks 2, 3 and 4 of the standard, both bands). */
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
    // Limits both coefficients to the stable region.
    const most = saturated(15_360 - this.pole2);
    const first = saturated(signed(192, sign1) + ((this.pole1 * 32_640) >> 15));
    this.pole1 = first > most ? most : first < -most ? -most : first;
  }

  /** Returns the zeros' prediction. */
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

/**
 * Negates if `sign` is -1, identity if 0. Branch-free: signs of audio are unpredictable, and a branch would cost twice
 * as much.
 */
function signed(value: number, sign: number): number {
  return (value ^ sign) - sign;
}
