// Intent patterns for Hindi in Latin letters, alone or mixed with English.
import type { IntentRule } from "../language.ts";
import { patterns } from "../patterns.ts";
import { HINDI_ALARMS } from "./alarms.ts";

const lists = {
  relative:
    "beta|beti|patni|pati|bhai|behen|bahen|maa|mata|pita|papa|mummy|mammi|husband|wife|biwi|son|daughter|brother|sister|mother|father|dada|dadi|nana|nani|chacha|bahu|saas|sasur|damaad|devar|bhabhi",
  call: "phone|call",
  hai: "hai|hoon|ho|tha|thi|hoga|hogi",
  when: "kal|aaj|parso|subah|shaam|raat|dopahar|somvar|mangalvar|budhvar|guruvar|shukravar|shanivar|ravivar|us din|tab|is hafte|agle hafte",
};
const says = (...sources: string[]) => patterns(sources, { lists });
const WHO_WAS_ASKED = ["identity", "anything"] as const;

const MACHINES: readonly IntentRule[] = [
  { says: says("beep ... baad", "(sandesh|message) (chhodo|record)"), means: { machine: 0.95 } },
];

/** Read before other requests: "call kaise band karun" asks, "call band karo" is a wish. */
const NOTICES: readonly IntentRule[] = [
  {
    says: says(
      "({call}|calls) (aana|ko)? kaise (band|roke|rokun|roken|rok|ruke|rukega)",
      "kaise ... ({call}|calls) (aana|ko)? (band|roke|rokun|roken|rok)",
      "({call}|calls) (aana|ko)? (band|rok) (karo|kar|karwa)? ... (kaise|tarika|kya karo|kya karun|kya dabaun)",
    ),
    means: { how_to_stop: 0.92 },
  },
  {
    says: says(
      "(kis|kaun se|kaunse|kaun sa|kaunsa) number (par|pe|per) ... ({call}|baat|karun|karo)",
      "(aapka|apka|aapaka|aap ka|hospital ka|aspataal ka|apna|tumhara|wahan ka) {call}? number (kya|batao|bataiye|bata|do|dijiye|de|dena)",
      "(mujhe)? {call}? number (batao|bataiye|bata do|bata dijiye|do|dijiye|de do|de dijiye)",
      "(vaapas|wapas|vapas) {call} (karo)? ... (kaise|number)",
      "(main|hum)? aapko (vaapas|wapas|vapas)? {call} kaise (karo|karun|kar)",
    ),
    means: { callback_number: 0.92 },
  },
  {
    says: says(
      "(record|recording|rikord|rikording) (ko)? (karo)? (mat|band|rok|roko|rokiye|nahi) (karo|kar|karwa|chahiye)?",
      "(mat|nahi) (record|rikord) (karo|kar)?",
    ),
    means: { stop_recording: 0.93 },
  },
];

const IDENTITY: readonly IntentRule[] = [
  {
    says: says("(galat|rong|raang) (number|jagah|no)", "(yahan|idhar) koi ... nahi", "is naam (ka|ki|se) ... nahi"),
    means: { wrong_number: 0.95 },
  },
  {
    says: says(
      "main unka {relative}",
      "unka {relative} (bolo|{hai}|bol)",
      "main ... ka (beta|bhai|pati|pita)",
      "wo mera {relative}",
    ),
    means: { child_or_relative: 0.95 },
  },
  {
    says: says(
      "(mummy|papa|mammi|dadi|nani|maa) (ghar|bahar|so|kaam|nahi|to|abhi|office)",
      "mera {relative} (so|bahar|ghar|kaam|nahi)",
    ),
    means: { child_or_relative: 0.85 },
    asked: WHO_WAS_ASKED,
  },
  {
    says: says(
      "(ghar|yahan) (pe|par|mein)? nahi {hai}?",
      "(wo|ye) (abhi)? nahi {hai}",
      "wo ... (bahar|so raha|kaam pe|kaam par|office)",
      "bahar (gaye|gayi|gaya)",
    ),
    means: { not_that_person: 0.9, child_or_relative: 0.6 },
    asked: WHO_WAS_ASKED,
  },
  { says: says("main (wo|ye)? nahi (hoon|bolo)?", "main nahi"), means: { not_that_person: 0.9 }, asked: ["identity"] },
  {
    says: says(
      "(main|haan main|ji main)? (hi)? (bolo|bol) (raha)? hoon",
      "main hi {hai}",
      "^(ji|haan)? (main)? bolo raha (hoon)?$",
    ),
    means: { yes: 0.92 },
    asked: ["identity"],
  },
  {
    says: says(
      "(kis|kya) (liye|kaam|baare|baat|wajah|silsile) ...",
      "kyun ({call}|kiya|kar|kiye)",
      "kya (chahiye|hua|kaam)",
      "(kisliye|kaahe)",
    ),
    means: { what_is_it_about: 0.9 },
  },
  {
    says: says(
      "(aap|tum|ye|yeh)? kaun ({hai}|bolo|sa|si)? (raha)?",
      "kahan se ({call}|bolo|{hai})?",
      "(aapka|apka|aap ka|tumhara) naam",
      "naam kya",
      "kis (hospital|aspatal|company|clinic)",
    ),
    means: { who_is_this: 0.92 },
  },
];

const REQUESTS: readonly IntentRule[] = [
  {
    says: says(
      "{call} mat (karo|kar)",
      "mat ({call}|karo) (karo)?",
      "{call} (karo)? band",
      "(dobara|kabhi|aage se) ... (mat|nahi) (karo|kar|{call})",
      "pareshan mat",
      "number hata",
    ),
    means: { do_not_call: 0.93 },
  },
  {
    says: says(
      "(kisi|insaan|aadmi|doctor|nurse|operator|staff|manager|reception|madam) (aadmi|insaan)? (se|wale se)? baat",
      "baat (karwa|kara|karao|karwao)",
      "(asli|real) (insaan|aadmi)",
    ),
    means: { person: 0.92 },
  },
  { says: says("sunai nahi", "(awaaz|awaz) nahi (aa|sunai)?", "sun nahi"), means: { louder: 0.85, repeat: 0.8 } },
  {
    says: says("zor se", "(tez|unchi) (awaaz|bolo)", "awaaz (kam|dheemi|bahut kam|saaf nahi)"),
    means: { louder: 0.92 },
  },
  { says: says("(dheere|aaram se|aahista)", "(itna|itni) (jaldi|tez)", "jaldi (jaldi)? mat"), means: { slower: 0.92 } },
  {
    says: says(
      "phir se (bolo|batao|bataiye|kaho)?",
      "dobara (bolo|batao|bataiye|kaho|kahiye)?",
      "kya (bola|kaha|bole|boli|keh|bolo)",
      "^(haan|ji)? kya$",
      "(samajh|samjha|samjhi|samaj) ... nahi",
      "nahi (samjha|samjhi|samajh|suna)",
      "ek baar (aur|phir)",
    ),
    means: { repeat: 0.9 },
  },
  {
    says: says(
      "baad (mein|me|main) ({call}|baat|karo|bolo)?",
      "thodi der (baad|mein|se)",
      "{when} (ko)? ({call}|baat) (karo|kar)",
      "({call}|baat) (karo|kar) ({when}|baad)",
      "baje (ke)? (baad)? {call}",
      "(main)? abhi (main)? (busy|kaam|meeting|gaadi|gadi|drive|time nahi|nahi|bahar|office|khana) (hoon|mein)?",
      "(main)? busy hoon",
      "(gaadi|gadi) chala",
    ),
    means: { call_later: 0.9 },
  },
  {
    says: says(
      "^... (ek|do) (minute|second|min|sec)",
      "^(ek|do) (minute|second|min|sec)",
      "rukiye (ji|zara|jara)?",
      "(dekh|check|dekhta|dekhti) (karo|kar|ke)? (batata|batati|leta|leti|lun)",
    ),
    means: { hold_on: 0.9 },
  },
];

const ANSWERS: readonly IntentRule[] = [
  { says: says("(pata|maloom|malum) nahi"), means: {} },
  { says: says("koi (baat|dikkat|problem|pareshani|issue) nahi"), means: { yes: 0.85 } },
  {
    says: says(
      "(appointment|booking) nahi chahiye",
      "nahi chahiye (appointment|booking)",
      "radd (karo|kar)",
      "cancel (karo|kar) (do|dijiye)?",
    ),
    means: { cancel_appointment: 0.93 },
  },
  {
    says: says(
      "(koi|kisi)? (aur|dusra|alag|agle) (din|time|samay|date|tarikh|waqt)",
      "(din|time|date|samay|tarikh|appointment) (badal|change|aage|shift|badalna)",
      "aage (badha|kar|karo)",
      "badal (do|dijiye|dena|sakta)",
    ),
    means: { another_time: 0.9 },
  },
  { says: says("{when} (ko)? nahi (ho|aa)? sakta?"), means: { no: 0.7, another_time: 0.87 } },
  {
    says: says(
      "nahi (aa|ho|ja|kar) (sakta|raha)",
      "nahi (aaunga|aana|chahiye|karo|hoga|hai|jaunga)",
      "bilkul nahi",
      "kabhi nahi",
      "(ji)? nahi (ji)?",
    ),
    means: { no: 0.93 },
  },
  { says: says("mushkil (hai|hoga)"), means: { no: 0.6 } },
  {
    says: says("^(ji|haan|achha|haan ji|ji haan|theek hai|haan haan|ji ji|achha ji|achha theek hai) (ji|haan|achha)?$"),
    means: { backchannel: 0.85, yes: 0.6 },
    asked: ["anything"],
  },
  { says: says("^achha (ji)?$"), means: { yes: 0.7, backchannel: 0.7 } },
  {
    says: says(
      "(ji)? haan (ji)?",
      "(bilkul|zaroor|pakka|sahi|theek) (hai|rahega|se|ji)? (ji)?",
      "(ho jayega|ho jaega|chalega|chalegi|aa jaunga|aa jaungi|aaunga|manzoor)",
      "(kar|karo|book karo|book kar|confirm kar|confirm karo) (do|dijiye|lo|den)",
      "(kardo|kardijiye)",
    ),
    means: { yes: 0.93 },
  },
  { says: says("^ji (ji)?$", "ji"), means: { yes: 0.8 } },
  { says: says("^(na|naa)$"), means: { no: 0.8 } },
  { says: says("(dhanyavad|shukriya|alvida|phir milenge)"), means: { thanks_or_bye: 0.92 } },
];

export const HINGLISH_RULES: readonly IntentRule[] = [
  ...HINDI_ALARMS,
  ...MACHINES,
  ...NOTICES,
  ...IDENTITY,
  ...REQUESTS,
  ...ANSWERS,
];
