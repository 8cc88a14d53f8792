// Quality of a G.711 call as a mean opinion score from 1 to 4.4, estimated with the E-model (ITU-T G.107).

/** R of a perfect G.711 call with G.107's defaults. */
const BEST_R = 93.2;
/** G.113, appendix I: G.711 under random loss with packet loss concealment. */
const LOSS_ROBUSTNESS = 25.1;
/** Unnoticeable delay; above it the penalty grows faster. */
const UNNOTICED_DELAY_MS = 177.3;

export interface LineQuality {
  /** Share of frames that were lost or late, 0 to 1. */
  lossShare: number;
  /** Mouth to ear: network, jitter buffer and packetisation. */
  oneWayDelayMs: number;
}

export function estimateMos({ lossShare, oneWayDelayMs }: LineQuality): number {
  const lossPercent = Math.min(1, Math.max(0, lossShare)) * 100;
  const lossPenalty = (95 * lossPercent) / (lossPercent + LOSS_ROBUSTNESS);
  const delayPenalty = 0.024 * oneWayDelayMs + 0.11 * Math.max(0, oneWayDelayMs - UNNOTICED_DELAY_MS);
  return mosOfR(BEST_R - lossPenalty - delayPenalty);
}

/** G.107, annex B. */
function mosOfR(r: number): number {
  if (r <= 0) return 1;
  if (r >= 100) return 4.5;
  return Math.max(1, 1 + 0.035 * r + r * (r - 60) * (100 - r) * 7e-6);
}
