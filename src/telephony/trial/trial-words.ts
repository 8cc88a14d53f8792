// Findings of a trunk trial in words: what works, and what to change on which side. Pure functions.
import { fromUserOf } from "../sip/trunk/caller-identity.ts";
import { accountUserOf } from "../../trunks/trunk-settings.ts";
import { CERTIFICATE_REFUSED } from "../sip/transport/stream-link.ts";
import { numberToDial } from "../sip/trunk/number-form.ts";
import { callRefusedWords } from "../sip/trunk/refused-call.ts";
import type { CallEnding } from "../sip/call/user-agent-port.ts";
import type { TrialFacts } from "./trunk-trial.ts";
import type { TrunkSettings } from "../../trunks/trunk-settings.ts";

export interface TrialFinding {
  step: "address" | "registration" | "options" | "call" | "inbound";
  /** `none`: not tried. `unsure`: the result proves neither. */
  state: "ok" | "FAIL" | "unsure" | "none";
  message: string;
  /** What to change in Ringward, and what at the exchange. */
  here: string | null;
  there: string | null;
}

export interface TrialCircumstances {
  trunk: TrunkSettings;
  /** The number that was called. */
  called: string | null;
  /** The number whose agent answers calls to the account name; null if none does. */
  rungByAccount: string | null;
}

type Words = Omit<TrialFinding, "step">;

const ok = (message: string): Words => ({ state: "ok", message, here: null, there: null });
const none = (message: string): Words => ({ state: "none", message, here: null, there: null });
const fails = (message: string, here: string | null, there: string | null): Words => ({
  state: "FAIL",
  message,
  here,
  there,
});
const unsure = (message: string, here: string, there: string): Words => ({ state: "unsure", message, here, there });

export function trialFindings(facts: TrialFacts, circumstances: TrialCircumstances): TrialFinding[] {
  return [
    { step: "address", ...addressWords(facts, circumstances) },
    { step: "registration", ...registrationWords(facts, circumstances) },
    { step: "options", ...optionsWords(facts) },
    { step: "call", ...callWords(facts, circumstances) },
    { step: "inbound", ...inboundWords(circumstances) },
  ];
}

function addressWords({ address, options }: TrialFacts, { trunk }: TrialCircumstances): Words {
  if (address !== null) return ok(`${trunk.host} is ${trunk.transport} ${address}.`);
  const problem = options.kind === "silent" ? options.problem : null;
  return fails(problem ?? `${trunk.host} has no address.`, "Check host and port, and this machine's DNS.", null);
}

function registrationWords({ registration }: TrialFacts, { trunk }: TrialCircumstances): Words {
  const account = accountUserOf(trunk) ?? "";
  if (registration.kind === "not_wanted") return none("This trunk does not register: it is trusted by its address.");
  if (registration.kind === "registered") {
    return ok(`Registered as ${account}${registration.by === "server" ? ", by the server that runs" : ""}.`);
  }
  return fails(
    registration.problem ?? "The trunk does not answer our registration.",
    "Check username and secret; where the exchange has another name for the password, from_user is the extension.",
    `The account ${account} must exist there, with this secret, and may register from this machine's address.`,
  );
}

function optionsWords({ options, registration }: TrialFacts): Words {
  if (options.kind === "answered") return ok(`Answered after ${Math.round(options.roundTripMs)} ms.`);
  if (registration.kind === "registered") {
    return fails(
      "It registers us, and does not answer OPTIONS.",
      "Set options_seconds to 0, or it counts as silent.",
      "Let it answer OPTIONS.",
    );
  }
  const problem = options.problem ?? "It does not answer.";
  // The problem text already says what to do about a certificate.
  if (problem.includes(CERTIFICATE_REFUSED)) return fails(problem, null, null);
  return fails(
    problem,
    "Check host, port and transport.",
    "Check its firewall, and that it listens for this transport on this port.",
  );
}

function callWords({ call, registration }: TrialFacts, circumstances: TrialCircumstances): Words {
  if (call.kind === "not_wanted") return none("Not tried. --number +91… makes a silent call.");
  if (call.kind === "not_tried") return none("Not tried: first mend what is above.");
  const { ending, hasRung, wasAnswered, heardPackets } = call;
  if (wasAnswered && heardPackets > 0) return ok("Answered, and audio came.");
  if (wasAnswered) {
    // An idle extension sends no audio either (Asterisk's Wait, silence suppression), so this alone does not prove a
    // closed port.
    return unsure(
      "Answered, but no audio came. That is normal where the other side says and plays nothing.",
      "Call a number that speaks or plays music. Where that is silent too, open the audio ports (telephony.sip.rtp_port_from to rtp_port_to); behind NAT set telephony.sip.external_address, and symmetric_rtp where the exchange is behind one.",
      "Where that is silent too, let audio go through the exchange (Asterisk: direct_media=no, rtp_symmetric=yes).",
    );
  }
  const isRegistered = registration.kind === "registered";
  return hasRung || ROUTED.has(ending.outcome ?? "")
    ? ok(`The exchange put the call through: ${ending.message}`)
    : refusedWords(ending, isRegistered, circumstances);
}

/** Sent by the called telephone, so everything before it works. */
const ROUTED: ReadonlySet<string> = new Set(["busy", "no_answer"]);

function refusedWords(
  { by, sipCode, message }: CallEnding,
  isRegistered: boolean,
  { trunk, called }: TrialCircumstances,
): Words {
  const told = `${message}${sipCode === null ? "" : ` (SIP ${sipCode})`}`;
  if (by === "us") return fails(told, null, null);
  const user = fromUserOf(trunk) ?? "the number";
  switch (sipCode) {
    case 401:
    case 407: {
      const why = callRefusedWords({ ...trunk, isRegistered });
      return fails(
        why === null ? told : `${why} (SIP ${sipCode})`,
        fromUserOf(trunk) === accountUserOf(trunk)
          ? "Check username and secret."
          : `Calls come from the user ${user}: leave from_user empty, or set it to the account's name.`,
        `It must find the account by the From user ${user}, and ask it for the same secret (Asterisk: identify_by=username).`,
      );
    }
    case 403:
      return fails(
        told,
        "Check caller_id and identity_header: many refuse a number that is not theirs.",
        "The account must be allowed to dial out (its context, class of service or outbound route).",
      );
    case 404:
    case 484:
      return fails(
        `${told} It was dialled as ${called === null ? "" : numberToDial(called, trunk)}.`,
        "Change number_format and dial_prefix to what people dial at the exchange.",
        "Or give it a route for numbers in this form.",
      );
    case 488:
    case 606:
      return fails(told, null, "Allow G.711 for this account: PCMA (alaw) or PCMU (ulaw).");
    case null:
      return fails(told, "Check transport, port and the firewall.", "Look whether the INVITE arrives there.");
    default:
      return fails(told, null, "Its own log says why it refused the call.");
  }
}

function inboundWords({ trunk, rungByAccount }: TrialCircumstances): Words {
  const name = accountUserOf(trunk) ?? "ringward";
  if (rungByAccount !== null) return ok(`Whoever dials ${name} at the exchange reaches the agent of ${rungByAccount}.`);
  return none(
    `Nobody answers who dials ${name} at the exchange. For that, put a number with an inbound agent on this trunk; with several, say which: --extensions ${name}=+91…`,
  );
}
