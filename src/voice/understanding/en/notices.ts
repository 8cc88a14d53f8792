// Questions about the notices of a call in English, and the wish not to be recorded. Read before other requests: "How
// do I stop these calls?" asks, "stop these calls" is a wish.
import type { IntentRule } from "../language.ts";
import { patterns } from "../patterns.ts";
import { WORD_LISTS } from "./word-lists.ts";

const lists = {
  ...WORD_LISTS,
  kind: "phone|telephone|contact|callback|call back|return|toll free|helpline|hospital",
  reach: "call|ring|phone|reach|contact|dial|telephone|get hold of|get back to",
  calls: "calls|calling|phone calls|calls from you|call",
};
const says = (...sources: string[]) => patterns(sources, { lists });

export const NOTICE_RULES: readonly IntentRule[] = [
  {
    says: says(
      "how (do|can|could|would|should|may|to|does) (i|we|one|somebody|someone)? (make|get|go about)? (to)? (stop|stopping|end|ending|block|avoid|prevent|opt out of|opt out from|opt out|unsubscribe from|get rid of) (getting|receiving|all)? (these|your|this|the|such|those|further|more)? {calls}",
      "how (do|can|could) (i|we) (opt out|unsubscribe)",
      "what (do|should|can|must|shall) (i|we) (do|press|say|dial) ... (stop|end|opt out of) (getting|receiving)? (these|your|this|the)? {calls}",
      "(which|what) (key|button|number) ... (stop|stops|end|ends) (these|your|this|the)? {calls}",
      "is there (a|any) way to (stop|end) (getting|receiving)? (these|your|this|the)? {calls}",
    ),
    means: { how_to_stop: 0.92 },
  },
  {
    says: says(
      "(what|which) (is|was)? (the|your|a|that)? {kind}? number (can|do|should|could|may|shall|to|would|must) (i|we)? ... {reach} (you|back|on|at)?",
      "(what|which) number ... {reach} (you|the hospital|back) (back)? (on|at)?",
      "(what|which) (is|was) (your|the|that|the hospital s) {kind}? (telephone)? number (again)?$",
      "(give|tell|read) (me|us) (your|the|a|that) {kind}? number (again|once more|please)?",
      "(can|could|may) (i|we|you) (have|get|know|give me|tell me|repeat) (your|the|a|that) {kind}? number",
      "how (can|do|could|should|may) (i|we) {reach} (you|the hospital|back|you back|your hospital) (back|again|later)?",
      "(where|on which number) (can|do|should) (i|we) {reach} (you)? (back)?",
      "(a|the|your|any)? (callback|call back) number",
      "number (to|for) {reach} (you|the hospital)? back",
    ),
    means: { callback_number: 0.92 },
  },
  {
    says: says(
      "(stop|quit|end|cease|pause|halt) (the|this|your|all|that)? (recording|recordings|taping) (me|us|this|the call|our call|it)?",
      "(stop|quit) (to)? record (me|us|this|the call)?",
      "(do not|never|not to|should not|must not|can not|may not) (you)? (record|tape) (me|us|this|the call|this call|my call|it|my voice|anything|our call|that)?",
      "(turn|switch|shut) off (the|your|that|this)? (recorder|recording)",
      "(turn|switch|shut) (the|your|that|this) (recorder|recording) off",
      "(do|does|did) not (want|wish|like|agree|consent) ... (record|recorded|recording|taped)",
      "not (be|being|get|getting|to be) (recorded|taped)",
      "^(no|please no)? no recording (please)?$",
    ),
    means: { stop_recording: 0.93 },
  },
];
