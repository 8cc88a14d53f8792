// Area codes of +1 outside the United States: Canada, whose numbers are called, and islands that are refused unless the
// settings allow them (costly-numbers.ts). They have time zones and no state.

const EASTERN = "America/Toronto";
const CENTRAL = "America/Winnipeg";
const MOUNTAIN = "America/Edmonton";
const PACIFIC = "America/Vancouver";
const ATLANTIC = "America/Halifax";

interface Zoned {
  zones: readonly string[];
  codes: string;
}

const CANADA: readonly Zoned[] = [
  {
    zones: [EASTERN],
    codes:
      "226 249 263 289 343 354 365 382 416 437 438 450 468 514 519 548 579 613 647 683 705 742 753 819 873 905 942",
  },
  // Islands in the Gulf of Saint Lawrence.
  { zones: [EASTERN, ATLANTIC], codes: "367 418 581" },
  { zones: [EASTERN, CENTRAL], codes: "807" },
  { zones: [CENTRAL], codes: "204 431 584" },
  // Saskatchewan has one time all year: that of its eastern neighbour in winter, of its western one in summer.
  { zones: [CENTRAL, MOUNTAIN], codes: "306 474 639" },
  { zones: [MOUNTAIN], codes: "368 403 587 780 825" },
  { zones: [MOUNTAIN, PACIFIC], codes: "236 250 257 672 778" },
  { zones: [PACIFIC], codes: "604" },
  { zones: [ATLANTIC], codes: "428 506 782 902" },
  { zones: ["America/St_Johns", ATLANTIC], codes: "709 879" },
  { zones: [EASTERN, CENTRAL, MOUNTAIN, PACIFIC], codes: "867" },
  // Newly assigned to Canada; its province was not confirmed.
  { zones: ["America/St_Johns", PACIFIC], codes: "273" },
];

const ISLANDS: readonly Zoned[] = [
  { zones: ["America/Puerto_Rico"], codes: "246 264 268 284 473 664 721 758 767 784 809 829 849 868 869" },
  { zones: ["America/Nassau"], codes: "242" },
  { zones: ["America/Cayman"], codes: "345" },
  { zones: ["America/Jamaica"], codes: "658 876" },
  { zones: ["America/Grand_Turk"], codes: "649" },
  { zones: ["Atlantic/Bermuda"], codes: "441" },
];

const byCode = (areas: readonly Zoned[]) =>
  new Map(areas.flatMap(({ zones, codes }) => codes.split(" ").map((code) => [code, zones] as const)));
const CANADIAN = byCode(CANADA);
const OF_ISLANDS = byCode(ISLANDS);

export const CANADIAN_AREA_CODES: readonly string[] = [...CANADIAN.keys()];
export const ISLAND_AREA_CODES: readonly string[] = [...OF_ISLANDS.keys()];

export const isCanadianCode = (code: string): boolean => CANADIAN.has(code);

/** Null for a code of the United States, and for one without a place. */
export function zonesOutsideUs(code: string): readonly string[] | null {
  return CANADIAN.get(code) ?? OF_ISLANDS.get(code) ?? null;
}
