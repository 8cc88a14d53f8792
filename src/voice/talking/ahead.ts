// What a talking agent says on every call, whoever is called: for a voice that takes longer to make words than to say them, so that
// they are there when the hospital's own voice fails.
import { linesIn } from "../conversation/lines/languages.ts";
import type { TalkCall } from "../conversation/model.ts";
import type { SpokenLine } from "../keypad/words.ts";

/** As many as are offered at once. */
const MOST_OFFERS = 3;

/** The likeliest first: what fills a silence, then what leads on by keys. Days and times are the keypad's stock. */
export function talkStockLines(agent: { language: string; name: string }): SpokenLine[] {
  const lines = linesIn(agent.language);
  const call: TalkCall = {
    canBook: true,
    canTransfer: true,
    isOutbound: true,
    agentName: agent.name,
    contactName: null,
    greeting: { name: "greeting", text: "", recorded: null },
    greetingAsksIdentity: false,
  };
  return [
    lines.filler,
    lines.stillThere,
    lines.cannotHear,
    lines.yesNoKeys,
    ...[lines.attendKeys, lines.bookKeys, lines.changeKeys].map((keys) => keys(call)),
    ...Object.values(lines).filter((line): line is SpokenLine => typeof line !== "function"),
    ...[lines.identity, lines.whoIsCalling, lines.fetch, lines.message].map((say) => say(call)),
    ...Array.from({ length: MOST_OFFERS }, (_, i) => lines.whichKeys(i + 1)),
  ];
}
