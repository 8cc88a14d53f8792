// Allow list for a language model's own words: courtesies, and function words that join grounded words.
import type { Language } from "../../speech/languages.ts";

export interface Vocabulary {
  /** Permitted letters. */
  script: RegExp;
  /** A part that fully matches one of these needs no source, because it claims nothing and agrees to nothing. */
  courtesies: readonly RegExp[];
  /** Allowed between words of one source. Contains no number, name, thing or action. */
  glue: ReadonlySet<string>;
  negations: ReadonlySet<string>;
  /** Marks conditional sentences of the owner's text, which state nothing. */
  conditions: RegExp;
  /** Marks sentences of the owner's text that state something. */
  statement: RegExp;
  /** Marks sentences addressed to the agent. */
  toAgent: RegExp;
  /** Actions the owner's text may order; the model may claim them only once done. */
  actions: RegExp;
}

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));
const whole = (...sources: string[]): RegExp[] =>
  sources.map((source) => new RegExp(`^(?:${source.replaceAll(" ", "\\s+")})$`, "u"));

const english: Vocabulary = {
  script: /^[\p{Script=Latin}\p{N}\p{P}\p{Sc}\s]*$/u,
  courtesies: whole(
    "(?:hello|good (?:morning|afternoon|evening)|goodbye)(?: ⟦name⟧)?",
    "thank you(?: (?:very|so) much)?(?: for (?:telling|calling|asking|waiting|telling me|telling us|your (?:time|patience|answer)))?(?: ⟦name⟧)?",
    "thanks|you are welcome|you are very welcome|my pleasure",
    "i (?:see|understand|hear you)(?: that)?|i understand you|all right|alright|okay|ok|right then|well|so|and",
    "i am (?:so |very )?sorry(?: (?:to hear (?:that|this)|for the (?:wait|trouble)|about that))?",
    "(?:and )?i hope (?:that )?you feel better soon",
    "that is a (?:good|fair) question|good question",
    "(?:just )?(?:one|a) moment(?: please)?|please wait(?: a moment)?|let me (?:see|look)|take your time|please take your time",
    "how are you(?: (?:feeling|doing))?(?: today)?|how do you feel(?: today)?|how was your (?:stay|visit)",
    "how do you come here|may i ask (?:how you come here|you something)|may i ask",
    "please (?:tell me|say)(?: (?:more|that again|it again))?(?: about (?:it|that))?|(?:can|could) you (?:tell me more|say that again)(?: please)?",
    "what would you like(?: to (?:ask|know|do|tell us))?|what can i do for you|how can i help(?: you)?",
    "is there anything else(?: (?:that )?you would like to (?:ask|know|tell us|say))?|anything else",
    "i am (?:an|the) automatic (?:caller|assistant|voice)(?: (?:of|for) the hospital)?|this is an automatic call(?: (?:of|for|from) the hospital)?",
    "i (?:do not|don't) know(?: that)?|(?:i am afraid )?i (?:cannot|can not|can't) (?:answer|say|tell you)(?: that)?|i am not sure",
    "please ask (?:the hospital|your doctor|the staff|at the desk)(?: about (?:it|that))?",
    "have a (?:good|nice) (?:day|evening|afternoon)|please|⟦name⟧",
  ),
  glue: set(
    "a an the and or of to in on at for with from by about as is are be can may you your it this that there here please also our we i am see us then your's",
  ),
  negations: set("no not never none nothing nobody neither nor without cannot can't don't isn't aren't won't mustn't"),
  conditions: /\b(?:if|unless|whether|when|while|until|once|except|but)\b/u,
  statement:
    /^(?:the|our|we|they|there|it|this|these|all|every|patients|visitors|please)\b|\b(?:is|are|costs?|opens?|closes?)\b/u,
  toAgent: /\b(?:you|your|yourself|say|tell|ask|note|speak|remind|agent)\b/u,
  actions:
    /^(?:book|cancel|confirm|reschedul|postpon|mov|shift|transfer|connect|sent|send|register|refund|delet|remov|record|not(?:e|ed|ing)$|sav|order|arrang|prescrib|inform|told|tell|notif|pay|paid|charg|call|com|dispatch|sign|agree|done|fix|updat|chang)/u,
};

const hindi: Vocabulary = {
  script: /^[\p{Script=Devanagari}\p{N}\p{P}\p{Sc}\s]*$/u,
  courtesies: whole(
    "(?:नमस्ते|नमस्कार|अलविदा)(?: ⟦name⟧)?(?: जी)?",
    "(?:बहुत |आपका )?(?:बहुत )?(?:धन्यवाद|शुक्रिया)(?: ⟦name⟧)?|बताने के लिए धन्यवाद|ठीक है|अच्छा|जी",
    "(?:मैं )?समझ (?:गई|गया|रही हूँ|रहा हूँ)|मुझे समझ आया",
    "(?:मुझे )?(?:खेद|अफ़सोस|अफसोस) है|यह सुनकर (?:दुख|अफ़सोस) हुआ|क्षमा कीजिए|माफ़ कीजिए",
    "एक (?:पल|क्षण|मिनट)(?: रुकिए)?|कृपया (?:एक पल )?रुकिए|आराम से बताइए",
    "(?:आज )?आप कैसे हैं|आप कैसा महसूस कर रहे हैं|कृपया (?:और|फिर से) बताइए|मैं आपके लिए क्या कर सकती हूँ",
    "क्या (?:आप )?कुछ और (?:पूछना चाहेंगे|बताना चाहेंगे|है)|आप क्या (?:जानना|पूछना) चाहेंगे",
    "मैं (?:अस्पताल की )?स्वचालित (?:सहायक|आवाज़) हूँ|मुझे (?:यह )?नहीं पता|मैं यह नहीं बता सकती",
    "कृपया (?:अस्पताल|अपने डॉक्टर) से पूछिए|आपका दिन शुभ हो|कृपया|⟦name⟧",
  ),
  glue: set("है हैं का की के को में पर से और यह वह आप आपका आपकी आपके कृपया तो भी यहाँ वहाँ जी सकते हम हमारा हमारी हमारे"),
  negations: set("नहीं मत ना न बिना कभी"),
  conditions: /(?:^|\s)(?:अगर|यदि|जब|तब तक|वरना|लेकिन)(?:\s|$)/u,
  statement: /(?:^|\s)(?:है|हैं)(?:\s|$)|^कृपया/u,
  toAgent: /(?:^|\s)(?:आप|तुम|पूछो|कहो|बताओ|बोलो)(?:\s|$)/u,
  actions: /^(?:बुक|रद्द|कैंसिल|कन्फर्म|पक्का|बदल|भेज|ट्रांसफर|दर्ज|नोट|हटा|वापस|जोड़)/u,
};

export const VOCABULARIES: Readonly<Record<Language, Vocabulary>> = { en: english, hi: hindi };
