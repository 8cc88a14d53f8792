// English hedges that weaken a yes or no: conditions, guesses, tag questions, sarcasm, questions, and a yes to
// something else.
import type { Hedges } from "../language.ts";

const anyOf = (...alternatives: string[]) => new RegExp(` (?:${alternatives.join("|")})(?= )`);

const UNCERTAIN = [
  "if(?! (?:i|we) (?:can|could|may) (?:help|ask))",
  "unless",
  "provided",
  "providing",
  "as long as",
  "only when",
  "in case",
  "subject to",
  "depends?",
  "depending",
  "may ?be(?! (?:there|available|free|able))",
  "perhaps",
  "possibly",
  "probably(?! not)",
  "most likely",
  "might",
  "hopefully",
  "(?:i|we) (?:may|hope|wish|doubt|wonder|guess|suppose|think|believe)(?! not| it is not| i can not| i will not)",
  "supposedly",
  "apparently",
  "in theory",
  "theoretically",
  "tentatively",
  "(?:kind|sort) of",
  "more or less",
  "not (?:so |quite |very |really |too |entirely |completely |100 |hundred |yet )?(?:sure|certain|decided|confirmed)",
  "do not (?:really )?(?:know|remember|recall)",
  "no (?:idea|clue)",
  "undecided",
  "could be(?! (?:there|better))",
  "can not (?:remember|recall|say|tell|promise|guarantee)",
  "(?:never|not) (?:say|said|agree|agreed)",
  "yet",
  "have (?:got )?to (?:ask|check|see(?! (?:the|him|her|them|a|doctor|dr))|think|talk|look)",
  "need to (?:ask|check|see(?! (?:the|him|her|them|a|doctor|dr))|think|talk|look)",
  "(?:let|will let) (?:me|you|us) (?:see|check|think|ask|know|look)",
  "(?:i|we) will (?:see(?! (?:the|him|her|them|you|a|doctor|dr))|think|ask|check|decide|try|tell you)",
  "trying to",
  // The recogniser wrote "Yes, this my son can drive me" for "Yes, if my son can drive me".
  "(?:my|our) [a-z]+ (?:can|could|may) (?:drive|bring|take|come|fetch|drop)",
];

/** Indifference or mockery. */
const CARELESS = [
  "whatever",
  "whichever",
  "do not care",
  "could not care less",
  "(?:does|do) not matter",
  "makes no difference",
  "(?:all )?the same to me",
  "up to you",
  "as you (?:like|wish|want|please|say)",
  "(?:do|say) (?:what|as) you (?:like|want|wish|please)",
  "suit yourself",
  "(?:if|what) you (?:say so|insist|say)",
  "big deal",
  "when pigs fly",
  "in your dreams",
  "dream on",
  "(?:fat|slim) chance",
  "over my dead body",
  "like (?:that|i) (?:will|would|is|have|am|care)",
  "(?:good )?luck with that",
  "you wish",
  "you (?:must be|are) (?:joking|kidding|serious)",
  "(?:am|was|is) (?:joking|kidding|a joke)",
  "what a (?:joke|surprise|laugh)",
  "very funny",
  "ha",
  "haha",
  "says who",
  "because i (?:have|had|am|love|want)",
  "as if",
  "so you (?:say|think|claim)",
  "blah",
];

/** Commands to a machine: "mark me as confirmed", "record detail consent equals true". */
const TO_A_MACHINE = [
  "(?:ignore|disregard|override|bypass) (?:all|every|any|your|my|the|what|previous|these|those)",
  "forget (?:all|every|what|your|who|previous)",
  "(?:mark|record|write|log|enter|set|type|execute|run|print|translate|output) (?!it |that |this |down )[a-z]+",
  "(?:mark|record|log|count|treat|end|close|save|file) (?:[a-z]+ ){1,4}as (?:a )?(?:confirmed|accepted|booked|done|yes|agreed|true|cancelled)",
  "you (?:must|have to|are to|shall|need to)(?: now)? (?:confirm|agree|accept|say|answer|mark|write|book|cancel)",
  "(?:system|tool|function|command|prompt|instructions?|debug|admin|developer|label|equals)",
];

const CONTRAST = [
  "but",
  "although",
  "except",
  "however",
  "then again",
  "on the other hand",
  "only (?:if|thing|problem)",
];

/** Statements about a known appointment, a received message, another person or the past. */
const OF_SOMETHING_ELSE = [
  "(?:got|get|received|read|saw|seen|heard) (?:your|the|that|this|my|a) (?:message|messages|call|calls|sms|text|mail|email|letter|reminder|notification)",
  "(?:i|we) (?:know|remember|recall|heard|understand|see|noticed)(?! you)",
  "(?:i|we) (?:do )?have (?:an|the|my|that|this|one) (?:appointment|booking)?",
  "had (?:an|the|my|that) (?:appointment|booking)",
  "(?:was|were) (?:going|planning|supposed|about) to",
  "used to",
  "(?:last time|yesterday|earlier)(?: also)? (?:i|we) (?:said|told)",
  "would have",
  "(?:already )?(?:came|went|visited|been there|was there)",
  "(?:tell|inform|ask|remind|let) (?:him|her|them|my [a-z]+|the (?:patient|family|person))",
  "pass (?:it|that|this|the|on)",
  "give (?:him|her|them) (?:the|your|this|that)",
  "(?:i|we) (?:can|could) hear",
  "(?:am|are|was) (?:listening|asking|wondering|saying|talking)",
  "(?:can|could|do) you hear",
];

/** A question after a yes means that they have not agreed yet. */
const QUESTION = [
  "tell me(?! that)",
  "(?:what|where|which|who|whom|whose) (?:is|are|was|were|do|does|did|time|day|date|doctor|about|for|should|can|could|will|would|kind|if|exactly|hospital|clinic|now|one|appointment)",
  "(?:why|when) (?:is|are|was|were|do|does|did|should|can|could|will|would)",
  "how (?:is|are|was|do|does|did|much|long|many|far|about|should|can|could|will|would|come|old|did)",
  "(?:is|are) (?:there|it|that|this|they|you|he|she|the [a-z]+) (?!fine|okay|good|alright|correct|right)[a-z]+",
  "(?:can|could|may|shall|should) (?:i|we|you|he|she|they) (?!come in)[a-z]+ (?:ask|bring|eat|drink|park|pay|get|come with|know|tell|send|call|say|repeat|explain|speak|talk)",
  "(?:do|does|did|will|would) (?:i|you|they|the [a-z]+) (?:need|have|mean|say|know|want|take|think|cost|accept|call|get|see|remember|like)",
];

/** Prompts for the caller to go on. */
const GO_ON =
  /^ (?:(?:hello|hi|okay|yes|yeah|sure|hmm|right|alright)(?: \|)? )*(?:hello|tell me|go on|continue|carry on|speak|say it|i am here|listening|what is it|what happened)(?: \|)?(?: (?:hello|yes|please|quickly|fast|now|then))* $/;

/** Sarcasm, as far as the words show it: "Yeah right", "oh great", "fine, fine, fine". */
const SARCASM =
  /^ (?:(?:oh|ha|wow|well) (?:\| )?)*(?:yeah|yes|yep|sure|okay|ok|right|oh) (?:\| )?(?:right|whatever|because|like)(?= )|^ (?:oh )?(?:great|lovely|wonderful|brilliant|fantastic|perfect) (?:\| )?(?:another|one more|now|so|thanks for nothing|that is all i|exactly what i)(?= )/;

/** Tag questions: "You are from the hospital, right?" */
const TAG =
  /^(?! (?:yes|yeah|yep|no|nope|okay|sure|right|correct|fine|alright|i|we) ).* (?:you|your|this|it|that|they|there|he|she|hospital|clinic|doctor|appointment|calling|call|bank|today|tomorrow|[a-z]+day)(?: [^ ]+){0,8} (?:right|correct|yes|yeah|no|nah|okay|true|huh|eh|isn t it|is not it|is it not|are you not|does it not|do you not|is it|are you|yes or no|or what|or not)(?: \|)? $/;
const OWN_STATEMENT =
  /^ (?:that|it|this|which|everything|the (?:time|day|date)|[a-z]+day|today|tomorrow)(?: [a-z]+)? (?:is|was|will be|would be|sounds|works|seems|looks|suits|should be)(?: (?:be|perfectly|absolutely|totally|all|very|quite|really|also|definitely))* (?:right|correct|okay|true|fine|good)(?: \|)? $/;

export const HEDGES: Hedges = {
  both: [anyOf(...UNCERTAIN, ...CARELESS, ...QUESTION, ...TO_A_MACHINE), SARCASM, GO_ON],
  yes: [anyOf(...CONTRAST, ...OF_SOMETHING_ELSE)],
  tag: (words) => TAG.test(words) && !OWN_STATEMENT.test(words),
};
