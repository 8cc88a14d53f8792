// Patterns of machines that answer calls: voicemail, network announcements and call-screening robots.
import type { IntentRule } from "../language.ts";
import { patterns } from "../patterns.ts";

const LISTS = { say: "say|state|record|give|tell me|provide|leave|speak" };

export const MACHINE_RULES: readonly IntentRule[] = [
  {
    says: patterns(
      [
        "{say} (your|the) (full)? name (and|with|or|followed) ... (reason|purpose|why|what|company|business)",
        "{say} (me)? (who you are|your name) and (why|what|the reason|your reason) ...",
        "your (full)? name and (why|the reason|your reason|the purpose) ...",
        "(reason|purpose) (for|of) (your|the|calling|this)? (call|calling) ... (after the|available|connect)",
        "(call|calls) (is|are|was)? (being)? (screened|screening)",
        "(screening|screens) (service|your call|this call|calls|unwanted calls|assistant|their calls)",
        "(call|google|smart|virtual|digital) (screening|screen|assistant)",
        "assistant ... (answering|screening|speaking|taking) ...",
        "(before|until) (i|we) (can|try to|will|could)? (connect|transfer|put|pass) (you|your call|this call)",
        "(see|check) if (this|that|the|they|he|she) (person|party|caller|is|are)? ... available",
        "(avoid|prevent|stop|block|filter) (unwanted|spam|nuisance|unknown|robo) (calls|callers)",
        "(does not|do not) accept (calls|unknown|anonymous) ...",
        "(to be connected|to connect|to complete your call|to be put through) (press|say|please|dial) ...",
      ],
      { lists: LISTS },
    ),
    means: { screening: 0.95 },
  },
  {
    says: patterns(
      ["^... (say|state|record) your name$", "{say} your name (now|after the tone|after the beep|at the tone)"],
      {
        lists: LISTS,
      },
    ),
    means: { screening: 0.9 },
  },
  {
    says: patterns([
      "(leave|record) (me|us|him|her)? (a|your|the|any) (brief|short|detailed|quick|voice)? (message|messages|name and number|name and telephone|name number|details)",
      "(after|at|following) the (tone|beep|signal)",
      "(voicemail|voice mail|mailbox|voice messaging|answering machine|answerphone|messaging system|automated voice)",
      "(can not|unable to|not able to) (come to|get to|answer|pick up|take) (the phone|the telephone|your call|my phone|our phone)",
      "away from (my|the|our) (phone|desk|telephone)",
      "(will|shall) (get back to you|return your call|call you back) (as soon as|when|shortly) ...",
      "(number|person|subscriber|party|customer|mobile|airtel|jio) (that)? (you|you are|you have) (calling|dialled|dialed|called|trying to reach|trying to call|looking for|wish to reach|have called|have dialled|have dialed)? (is|has)? (currently|presently|at the moment|now)? (not|unavailable|busy|switched off|out of|unreachable|speaking|does)",
      "(subscriber|customer) (you|is|that) ...",
      "(currently|is|are|presently|been) (switched off|unreachable|not reachable|unavailable to|not in service|out of coverage|out of network|not answering)",
      "out of (coverage|network) area",
      "(not|no longer) in (service|use)",
      "(forwarded|forwarding|diverted) to",
      "when you (have|are) (finished|done) (recording)? ...",
      "your call is important",
      "(nobody|no one) is (available|here) to take (your|the) call",
    ]),
    means: { machine: 0.95 },
  },
  {
    // Menus are valid only at the start of a call. Later it is a radio, or the callee reading our own menu aloud.
    says: patterns(["(press|dial) (the)? (hash|pound|star|one|two|zero|1|2|0|9) (key|for|to) ..."]),
    means: { machine: 0.95 },
    asked: ["identity", "anything"],
  },
  { says: patterns(["you have reached"]), means: { machine: 0.8 } },
];
