// Readers of spoken clock times and parts of the day. They run on text with digits, after the days were consumed ("~"
// marks their place).
import { addDays } from "../../../core/zones.ts";
import type { Expecting, Hearing } from "../meaning.ts";
import { readerOf as reader, type PartOfDay, type Piece, type Reader } from "./pieces.ts";

const HOUR = "(?<hour>1\\d|2[0-3]|0?\\d)";
const MINUTE = "(?<minute>[0-5]\\d)";
const HALF = "(?: ?(?<half>am|pm))?";
/** A number before one of these words is a count, not an hour. */
const NOT_COUNTED =
  "(?! (?:day|week|month|year|hour|minute|min|people|person|time|question|thing|of|percent|rupee|other|more|second|th)s?\\b)";

const clock = (hour: number, minute: number, half: string | undefined): Piece => ({
  kind: "time",
  hour,
  minute,
  half: half === "am" || half === "pm" ? half : null,
});

const plainTime: Reader["read"] = ({ groups = {} }) =>
  clock(Number(groups["hour"]), Number(groups["minute"] ?? 0), groups["half"]);

/** 3:45 for "quarter to four". */
const minutesTo = (hour: number, minutes: number, half: string | undefined) =>
  clock(hour === 1 ? 12 : hour - 1, 60 - minutes, half);

const part =
  (part: PartOfDay): Reader["read"] =>
  () => ({ kind: "part", part });

const MINUTES_IN_DAY = 1_440;
export const clockText = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
export const minuteOfDay = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** Adds minutes to a time, across midnight if needed. */
function instant(date: string, time: string, minutes: number): Piece {
  const total = minuteOfDay(time) + minutes;
  return {
    kind: "instant",
    date: addDays(date, Math.floor(total / MINUTES_IN_DAY)),
    time: clockText(((total % MINUTES_IN_DAY) + MINUTES_IN_DAY) % MINUTES_IN_DAY),
  };
}

const fromNow = (minutes: number, { today, nowTime }: Hearing) => instant(today, nowTime, minutes);
const counted = (text = "1") => (/^an?$/.test(text) ? 1 : text.startsWith("couple") ? 2 : Number(text));

const AFTER_NOW = "(?:in|after|within)(?: about| around| another| like| maybe)?";
const LEADING =
  "(?: (?:okay|yes|yeah|the|maybe|make|it|say|let|us|i|would|will|like|want|prefer|take|think|can|do|come|for|is|that|about|then|so|hmm|no|at|slot|one))*";
const TRAILING =
  "(?: (?:is|would|will|be|fine|good|okay|better|works|for|me|then|thanks|thank|you|one|slot|sounds|best|great|perfect|\\|))*";
/** Questions in which a bare number is an hour. */
const HOUR_WAS_ASKED: readonly Expecting[] = ["choice", "day_or_time", "callback_time"];

export const CLOCK_READERS: readonly Reader[] = [
  // Relative to now.
  reader(` ${AFTER_NOW} (?:an|1) hour and (?:a )?half(?= )`, (_, hearing) => fromNow(90, hearing)),
  reader(` ${AFTER_NOW} (?<count>\\d{1,2}) and (?:a )?half hours(?= )`, ({ groups = {} }, hearing) =>
    fromNow(Number(groups["count"]) * 60 + 30, hearing),
  ),
  reader(` ${AFTER_NOW} half (?:an|1)? ?hour(?= )`, (_, hearing) => fromNow(30, hearing)),
  reader(` half an hour (?:later|from now)(?= )`, (_, hearing) => fromNow(30, hearing)),
  reader(
    ` ${AFTER_NOW} (?<count>\\d{1,2}|an?|couple(?: of)?|a couple(?: of)?) (?<unit>hour|minute|min)s?(?= )`,
    durationFromNow,
  ),
  reader(` (?<count>\\d{1,2}|an?) (?<unit>hour|minute|min)s? from now(?= )`, durationFromNow),
  reader(
    `^(?: (?:maybe|about|around|say|okay|yes|like))* (?:in )?(?<count>\\d{1,2}|half an|an?) (?<unit>hour|minute|min)s?(?= (?:\\| )?$)`,
    (said, hearing) => {
      if (hearing.expecting !== "callback_time") return null;
      return said.groups?.["count"] === "half an" ? fromNow(30, hearing) : durationFromNow(said, hearing);
    },
  ),
  reader(
    ` (?:an|1) hour (?<way>later|earlier|before)(?= )`,
    ({ groups = {} }, { lastOffered }) =>
      lastOffered && instant(lastOffered.date, lastOffered.startTime, groups["way"] === "later" ? 60 : -60),
  ),
  reader(" (?:at )?(?:the )?same time(?= )", (_, { lastOffered }) => {
    if (!lastOffered) return null;
    const minutes = minuteOfDay(lastOffered.startTime);
    return clock(Math.floor(minutes / 60) % 12, minutes % 60, minutes < 720 ? "am" : "pm");
  }),

  // Halves and quarters.
  reader(` half (?:past )?${HOUR}${HALF}(?= )`, ({ groups = {} }) => clock(Number(groups["hour"]), 30, groups["half"])),
  reader(` (?:a )?quarter (?:past|after) ${HOUR}${HALF}(?= )`, ({ groups = {} }) =>
    clock(Number(groups["hour"]), 15, groups["half"]),
  ),
  reader(` (?:a )?quarter (?:to|till|before|of) ${HOUR}${HALF}(?= )`, ({ groups = {} }) =>
    minutesTo(Number(groups["hour"]), 15, groups["half"]),
  ),
  reader(`(?<! from| between) (?<minute>5|10|20|25)(?: minutes)? past ${HOUR}${HALF}(?= )`, plainTime),
  reader(`(?<! from| between) (?<minute>5|10|20|25)(?: minutes)? (?:to|till) ${HOUR}${HALF}(?= )`, ({ groups = {} }) =>
    minutesTo(Number(groups["hour"]), Number(groups["minute"]), groups["half"]),
  ),

  // Ranges; the start counts.
  reader(
    ` (?:between|from) ${HOUR}(?:[:. ]${MINUTE})?${HALF} (?:and|to|till|until|or) (?<end>1\\d|2[0-3]|0?\\d)(?:[:. ][0-5]\\d)?(?: ?(?<endHalf>am|pm)| oclock)?(?= )`,
    ({ groups = {} }) => {
      const hour = Number(groups["hour"]);
      const shared = hour % 12 <= Number(groups["end"]) % 12 ? groups["endHalf"] : undefined;
      return clock(hour, Number(groups["minute"] ?? 0), groups["half"] ?? shared);
    },
  ),

  // Digits.
  reader(` ${HOUR}:${MINUTE}${HALF}(?= )`, plainTime),
  reader(` ${HOUR}\\.(?<minute>[0-5][05])${HALF}(?= )`, plainTime),
  reader(`(?<! \\d+) ${HOUR} ${MINUTE}${HALF}(?! \\d)${NOT_COUNTED}(?= )`, plainTime),
  reader(`(?<! \\d+) ${HOUR} (?<minute>5)${HALF}(?! \\d)${NOT_COUNTED}(?= )`, plainTime),
  reader(` (?<hour>1[0-2]|[1-9])(?<minute>[0-5][05]) ?(?<half>am|pm)(?= )`, plainTime),
  reader(`(?<= (?:at|by|around)) (?<hour>1[0-2]|[1-9])(?<minute>[0-5][05])(?= )`, plainTime),
  reader(` ${HOUR} ?(?<half>am|pm)(?= )`, plainTime),
  reader(` ${HOUR} oclock(?: ?(?<half>am|pm))?(?= )`, plainTime),
  reader(" (?:12 )?(?:noon|midday)(?= )", () => clock(12, 0, "pm")),

  // A bare hour next to a word that marks it as one.
  reader(
    `(?<= (?:at|by|around|about|after|before|from|till|until|say|approximately|past|make it)) ${HOUR}${NOT_COUNTED}(?! \\d)(?= )`,
    plainTime,
  ),
  reader(
    `(?<=~(?: at| in the)?(?: morning| afternoon| evening| night)?) ${HOUR}${NOT_COUNTED}(?! \\d)(?= )`,
    plainTime,
  ),
  reader(` ${HOUR}(?= (?:(?:on|for) )?~)`, plainTime),
  reader(` ${HOUR}(?= (?:in|at|this) (?:the )?(?:morning|afternoon|evening|night) )`, plainTime),
  reader(` ${HOUR}(?= (?:morning|afternoon|evening|night) )`, plainTime),
  reader(`(?<= (?:morning|afternoon|evening|night)) ${HOUR}${NOT_COUNTED}(?= )`, plainTime),
  reader(`(?<=^${LEADING}) ${HOUR} or (?<other>1[0-2]|[1-9])(?=${TRAILING} $)`, ({ groups = {} }, { expecting }) =>
    HOUR_WAS_ASKED.includes(expecting)
      ? [clock(Number(groups["hour"]), 0, undefined), clock(Number(groups["other"]), 0, undefined)]
      : null,
  ),
  reader(`(?<=^${LEADING}) ${HOUR}(?=${TRAILING} $)`, (said, hearing) =>
    HOUR_WAS_ASKED.includes(hearing.expecting) && Number(said.groups?.["hour"]) > 0 ? plainTime(said, hearing) : null,
  ),

  // Parts of the day.
  reader(" good (?:morning|afternoon|evening|night|day)(?= )", () => null),
  reader(" (?:after|post) (?:lunch|noon)(?= )", part("afternoon")),
  reader(" (?:before) (?:lunch|noon)(?= )", part("morning")),
  reader(" after (?:work|office|office hours|school|dinner|tea)(?= )", part("evening")),
  reader(" (?:mornings?|forenoon|breakfast time)(?= )", part("morning")),
  reader(" (?:afternoons?|lunch ?time)(?= )", part("afternoon")),
  reader(" (?:evenings?|night|nights|at night)(?= )", part("evening")),
];

function durationFromNow({ groups = {} }: RegExpExecArray, hearing: Hearing): Piece | null {
  const number = counted(groups["count"]?.replace(/^a couple.*/, "couple"));
  // "In a minute" means "wait".
  if (groups["unit"] !== "hour" && number === 1) return null;
  return fromNow(number * (groups["unit"] === "hour" ? 60 : 1), hearing);
}
