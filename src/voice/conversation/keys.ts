// Keys with the same meaning in every question. Questions may define more.
export const YES_KEY = "1";
export const NO_KEY = "2";
export const PERSON_KEY = "3";
export const CALL_LATER_KEY = "4";
export const STOP_RECORDING_KEY = "7";
export const NEVER_AGAIN_KEY = "9";
export const NONE_SUITS_KEY = "0";
export const REPEAT_KEY = "*";
