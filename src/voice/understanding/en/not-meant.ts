// Markers of quoted and hypothetical speech in English. "I said yes" and "I suppose so" are meant literally.
import type { NotMeant } from "../language.ts";

const SOMEBODY = "(?:i|we|you|he|she|they|the patient|the caller|somebody|someone|everybody|everyone|nobody)";
const HAVE = "(?: (?:have|had|has|already|just|also|did|do|were to|was to|would|would have))*";
const ANSWERED = "(?:say|said|agree|agreed|confirm|confirmed|accept|accepted|answer|answered|reply|replied)";
const THAT = "(?: (?:that|like|as if|as though|it|this|down|so))*";

const IMAGINED = [
  " pretend(?:ing)?",
  // Excludes "I suppose I will" and "as you can imagine".
  "(?<! (?:i|we|would|can|will|may)) (?:let us )?(?:imagine|suppose|assume|presume)",
  " (?:supposing|assuming|imagining|presuming|hypothetically|what if)",
  "(?<! (?:looks|seems|sounds|feels)) as (?:if|though)",
  ` (?:act|behave|talk|continue|proceed|carry on|go on) like ${SOMEBODY}`,
  ` let us say${THAT} ${SOMEBODY}${HAVE} ${ANSWERED}`,
  ` (?:if|when|unless|until) ${SOMEBODY}${HAVE} ${ANSWERED}`,
  // Matches "Say that I said yes" but not "I would say I agree".
  `(?<! (?:i|we|would|will|let us)) (?:say|write|note|record|mark|put|log|report|enter|type|tell [a-z]+|count|treat|consider|take)${THAT} ${SOMEBODY}${HAVE} ${ANSWERED}`,
];

/** Any subject other than the speaker. */
const OTHER =
  "(?:he|she|they|you|who|nobody|no one|somebody|someone|anybody|anyone|everybody|everyone|doctor|it(?= says)|(?:my|your|our|his|her|their|the|a|an) (?!(?:appointment|booking|visit|slot|time|timing|day|date) )[a-z]+)";

/** Speech attributed to another person or denied. The words before it still count: "I never said yes" is a no. */
const QUOTED = [
  ` ${OTHER}(?: (?!i |we )[a-z]+){0,3} (?:said|says|say|told you|answered|replied|wrote|writes|claims|claimed|promised)`,
  " (?:not|never)(?: (?:ever|even|yet))* (?:say|said|agree|agreed)",
  " (?:me|him|her|them|us|you) to (?:say|answer|reply|agree)",
];

export const NOT_MEANT: NotMeant = {
  imagined: new RegExp(`(?:${IMAGINED.join("|")})(?= )`, "g"),
  quoted: new RegExp(
    `(?<=${QUOTED.join("|")})(?= )|(?<= ${OTHER}${HAVE})(?= (?:confirmed|agreed|accepted|approved) )`,
    "g",
  ),
  quotedBefore: new RegExp(
    ` \\| (?:said|says) (?!i |we |it |that |yes |no )(?:the |my |a |an |your )?[a-z]+(?= )`,
    "g",
  ),
};
