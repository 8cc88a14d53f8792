// Area codes of the United States (NANPA assignments): state and time zones. A code that is missing here, such as a
// toll-free or very new one, has no known state. Canada and the islands are in other-area-codes.ts.

interface Area {
  state: string;
  zones: readonly string[];
  codes: string;
}

const EASTERN = ["America/New_York"];
const CENTRAL = ["America/Chicago"];
const MOUNTAIN = ["America/Denver"];
const PACIFIC = ["America/Los_Angeles"];
/** Codes on a border of time zones: a call must be allowed on both sides. */
const EASTERN_CENTRAL = [...EASTERN, ...CENTRAL];
const CENTRAL_MOUNTAIN = [...CENTRAL, ...MOUNTAIN];
const MOUNTAIN_PACIFIC = [...MOUNTAIN, ...PACIFIC];

const AREAS: readonly Area[] = [
  { state: "AL", zones: CENTRAL, codes: "205 251 256 334 659 938" },
  // The western Aleutians have their own zone.
  { state: "AK", zones: ["America/Anchorage", "America/Adak"], codes: "907" },
  { state: "AZ", zones: ["America/Phoenix"], codes: "480 520 602 623" },
  // The Navajo Nation observes daylight saving time; the rest of Arizona does not.
  { state: "AZ", zones: ["America/Phoenix", "America/Denver"], codes: "928" },
  { state: "AR", zones: CENTRAL, codes: "327 479 501 870" },
  {
    state: "CA",
    zones: PACIFIC,
    codes:
      "209 213 279 310 323 341 350 357 369 408 415 424 442 510 530 559 562 619 626 628 650 657 661 669 707 714 738 747 760 805 818 820 831 837 840 858 909 916 925 949 951",
  },
  { state: "CO", zones: MOUNTAIN, codes: "303 719 720 748 970 983" },
  { state: "CT", zones: EASTERN, codes: "203 475 860 959" },
  { state: "DE", zones: EASTERN, codes: "302" },
  { state: "DC", zones: EASTERN, codes: "202 771" },
  {
    state: "FL",
    zones: EASTERN,
    codes: "239 305 321 324 352 386 407 561 645 656 689 727 728 754 772 786 813 863 904 941 954",
  },
  { state: "FL", zones: EASTERN_CENTRAL, codes: "448 850" },
  { state: "GA", zones: EASTERN, codes: "229 404 470 478 678 706 762 770 912 943" },
  { state: "HI", zones: ["Pacific/Honolulu"], codes: "808" },
  { state: "ID", zones: MOUNTAIN_PACIFIC, codes: "208 986" },
  { state: "IL", zones: CENTRAL, codes: "217 224 309 312 331 447 464 618 630 708 730 773 779 815 847 861 872" },
  { state: "IN", zones: EASTERN, codes: "260 317 463 765" },
  { state: "IN", zones: EASTERN_CENTRAL, codes: "219 574 812 930" },
  { state: "IA", zones: CENTRAL, codes: "319 515 563 641 712" },
  { state: "KS", zones: CENTRAL, codes: "316 913" },
  { state: "KS", zones: CENTRAL_MOUNTAIN, codes: "620 785" },
  { state: "KY", zones: EASTERN, codes: "502 859" },
  { state: "KY", zones: EASTERN_CENTRAL, codes: "270 364 606" },
  { state: "LA", zones: CENTRAL, codes: "225 318 337 504 985" },
  { state: "ME", zones: EASTERN, codes: "207" },
  { state: "MD", zones: EASTERN, codes: "227 240 301 410 443 667" },
  { state: "MA", zones: EASTERN, codes: "339 351 413 508 617 774 781 857 978" },
  { state: "MI", zones: EASTERN, codes: "231 248 269 313 517 586 616 679 734 810 947 989" },
  { state: "MI", zones: EASTERN_CENTRAL, codes: "906" },
  { state: "MN", zones: CENTRAL, codes: "218 320 507 612 651 763 924 952" },
  { state: "MS", zones: CENTRAL, codes: "228 601 662 769" },
  { state: "MO", zones: CENTRAL, codes: "235 314 417 557 573 636 660 816 975" },
  { state: "MT", zones: MOUNTAIN, codes: "406" },
  { state: "NE", zones: CENTRAL, codes: "402 531" },
  { state: "NE", zones: CENTRAL_MOUNTAIN, codes: "308" },
  { state: "NV", zones: PACIFIC, codes: "702 725" },
  { state: "NV", zones: MOUNTAIN_PACIFIC, codes: "775" },
  { state: "NH", zones: EASTERN, codes: "603" },
  { state: "NJ", zones: EASTERN, codes: "201 551 609 640 732 848 856 862 908 973" },
  { state: "NM", zones: MOUNTAIN, codes: "505 575" },
  {
    state: "NY",
    zones: EASTERN,
    codes: "212 315 329 332 347 363 516 518 585 607 624 631 646 680 716 718 838 845 914 917 929 934",
  },
  { state: "NC", zones: EASTERN, codes: "252 336 472 704 743 828 910 919 980 984" },
  { state: "ND", zones: CENTRAL_MOUNTAIN, codes: "701" },
  { state: "OH", zones: EASTERN, codes: "216 220 234 283 326 330 380 419 436 440 513 567 614 740 937" },
  { state: "OK", zones: CENTRAL, codes: "405 539 572 580 918" },
  { state: "OR", zones: PACIFIC, codes: "503 971" },
  { state: "OR", zones: MOUNTAIN_PACIFIC, codes: "458 541" },
  { state: "PA", zones: EASTERN, codes: "215 223 267 272 412 445 484 570 582 610 717 724 814 835 878" },
  { state: "RI", zones: EASTERN, codes: "401" },
  { state: "SC", zones: EASTERN, codes: "803 821 839 843 854 864" },
  { state: "SD", zones: CENTRAL_MOUNTAIN, codes: "605" },
  { state: "TN", zones: EASTERN, codes: "865" },
  { state: "TN", zones: EASTERN_CENTRAL, codes: "423" },
  { state: "TN", zones: CENTRAL, codes: "615 629 731 901 931" },
  {
    state: "TX",
    zones: CENTRAL,
    codes:
      "210 214 254 281 325 346 361 409 430 432 469 512 621 682 713 726 737 806 817 830 832 903 936 940 945 956 972 979",
  },
  { state: "TX", zones: MOUNTAIN, codes: "915" },
  { state: "UT", zones: MOUNTAIN, codes: "385 435 801" },
  { state: "VT", zones: EASTERN, codes: "802" },
  { state: "VA", zones: EASTERN, codes: "276 434 540 571 686 703 757 804 826 948" },
  { state: "WA", zones: PACIFIC, codes: "206 253 360 425 509 564" },
  { state: "WV", zones: EASTERN, codes: "304 681" },
  { state: "WI", zones: CENTRAL, codes: "262 274 353 414 534 608 715 920" },
  { state: "WY", zones: MOUNTAIN, codes: "307" },
  { state: "AS", zones: ["Pacific/Pago_Pago"], codes: "684" },
  { state: "GU", zones: ["Pacific/Guam"], codes: "671" },
  { state: "MP", zones: ["Pacific/Guam"], codes: "670" },
  { state: "PR", zones: ["America/Puerto_Rico"], codes: "787 939" },
  { state: "VI", zones: ["America/Puerto_Rico"], codes: "340" },
];

const AREA_BY_CODE = new Map(AREAS.flatMap((area) => area.codes.split(" ").map((code) => [code, area] as const)));

/** Two-letter codes of the states, the District of Columbia and the territories. */
export const US_STATES: readonly string[] = [...new Set(AREAS.map(({ state }) => state))].toSorted();

export const AREA_CODES: readonly string[] = [...AREA_BY_CODE.keys()];

/** By area code, e.g. `212`; null if its state is not known. */
export function areaOf(code: string): { state: string; zones: readonly string[] } | null {
  return AREA_BY_CODE.get(code) ?? null;
}

/** Every zone of a state; empty if there is no such state. */
export function zonesOfState(state: string): readonly string[] {
  return [...new Set(AREAS.filter((area) => area.state === state).flatMap(({ zones }) => zones))];
}
