// A Sunday morning at the branch, with two offers.
import type { Hearing } from "../../../src/voice/understanding/meaning.ts";

export const HEARING: Hearing = {
  expecting: "yes_no",
  offers: [],
  today: "2026-11-15",
  nowTime: "09:00",
  lastOffered: null,
  language: "en-IN",
};
