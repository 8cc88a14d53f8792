// Words of consent records that rooms, API, events and pages share.

/** How a person agreed. A number left with the hospital for treatment covers no promotion. */
export const CONSENT_BASES = ["written", "electronic", "verbal", "treatment", "consent_manager"] as const;
export type ConsentBasis = (typeof CONSENT_BASES)[number];

/** Where a consent, a withdrawal or a do-not-disturb entry was recorded. */
export const CONSENT_SOURCES = ["api", "dashboard", "list", "call", "cli"] as const;
export type ConsentSource = (typeof CONSENT_SOURCES)[number];

export const CONSENT_STATES = ["active", "expired", "withdrawn"] as const;
export type ConsentState = (typeof CONSENT_STATES)[number];
