// Hindi for the appliance's messages. The English message is the key, its values are the parameters. A message that is
// not here is explained by its code, so that no English sentence appears.

type Translate = (...values: string[]) => string;

const say =
  (hindi: string): Translate =>
  () =>
    hindi;

/** Whole messages. A test finds each in the sources of the appliance. */
export const MESSAGES: Readonly<Record<string, string>> = {
  "You are not signed in, or your session has ended.": "आप साइन इन नहीं हैं, या आपका सत्र ख़त्म हो गया।",
  "The e-mail address or the password is wrong.": "ई-मेल पता या पासवर्ड ग़लत है।",
  "The screen is locked. Give your password.": "स्क्रीन लॉक है। अपना पासवर्ड दें।",
  "Your account is disabled here. Ask an owner.": "आपका खाता यहाँ बंद है। किसी प्रशासक से कहें।",
  "This sign-in took too long, or was used already. Sign in again.":
    "साइन इन में बहुत देर लगी, या वह इस्तेमाल हो चुका। फिर से साइन इन करें।",
  "Too many sign-ins from this address. Try again later.": "इस पते से बहुत बार साइन इन हुआ। बाद में फिर कोशिश करें।",
  "Too many people are signing in right now. Try again in a few seconds.":
    "अभी बहुत से लोग साइन इन कर रहे हैं। कुछ सेकंड बाद फिर कोशिश करें।",
  "This setup code is not valid. Restart to get a new one.": "यह सेटअप कोड सही नहीं है। नया कोड पाने के लिए दोबारा शुरू करें।",
  "This appliance is already set up.": "यहाँ सेटअप पहले ही हो चुका है।",
  "A person with this e-mail address already exists.": "इस ई-मेल पते वाला व्यक्ति पहले से है।",
  "This is the last owner. Make another person an owner first.": "ये आख़िरी प्रशासक हैं। पहले किसी और को प्रशासक बनाएँ।",
  "You cannot change your own access. Ask another owner.": "अपनी अनुमति आप ख़ुद नहीं बदल सकते। दूसरे प्रशासक से कहें।",
  "This person's access is disabled. Enable it first.": "इस व्यक्ति का खाता बंद है। पहले चालू करें।",
  "Your role needs a second factor. Add another one before you remove this one.":
    "आपकी भूमिका के लिए दूसरा प्रमाण ज़रूरी है। इसे हटाने से पहले एक और जोड़ें।",
  "This link does not work, or no longer. Ask for a new one on the sign-in page.":
    "यह लिंक काम नहीं करता। साइन इन के पन्ने पर नया लिंक माँगें।",
  "This appliance sends no e-mail. An owner can set a new password.":
    "यहाँ से ई-मेल नहीं जाता। कोई प्रशासक नया पासवर्ड रख सकते हैं।",
  "This concerns the whole organisation; you act for your branches.": "यह पूरी संस्था के बारे में है; आप अपनी शाखाओं के लिए हैं।",
  "This number is on the do-not-disturb list.": "यह नंबर ‘कॉल न करें’ सूची में है।",
  "The organisation has too few credits for a call.": "कॉल के लिए क्रेडिट कम हैं।",
  "Choose an agent that can call: an outbound one with a number.": "कॉल करने वाला एजेंट चुनें, जिसके पास नंबर हो।",
  "It is outside the calling hours.": "अभी कॉल करने का समय नहीं है।",
  "This call is not under way, so there is nothing to hang up.": "यह कॉल चल नहीं रही, इसलिए काटने को कुछ नहीं है।",
  "Only a completed call can be shared.": "सिर्फ़ पूरी हुई कॉल शेयर हो सकती है।",
  "This call is not shared.": "यह कॉल शेयर नहीं की गई है।",
  "The call has not ended. Its proof is ready seconds after its end.":
    "कॉल ख़त्म नहीं हुई। ख़त्म होने के कुछ सेकंड बाद उसका प्रमाण तैयार होगा।",
  "The call was cancelled before it was dialled, so it has no proof.":
    "कॉल डायल होने से पहले रद्द हुई, इसलिए उसका प्रमाण नहीं है।",
  "This person is about to be called, or is on a call. Cancel the call first.":
    "इस व्यक्ति को कॉल जाने वाली है या चल रही है। पहले कॉल रद्द करें।",
  "This must be kept until its retention hold is released. An owner releases holds under Settings, Holds.":
    "मिटाने पर रोक हटने तक इसे रखना है। प्रशासक सेटिंग → मिटाने पर रोक में इसे हटाते हैं।",
  "Nobody on the list has to be called again.": "सूची में किसी को फिर कॉल नहीं करनी है।",
  "This campaign was taken up again meanwhile. Stop it first.": "यह अभियान इस बीच फिर शुरू हुआ। पहले उसे समाप्त करें।",
  "Calls or campaigns of this agent are planned or under way. Cancel or stop them, or wait for their end.":
    "इस एजेंट की कॉल या अभियान तय हैं या चल रहे हैं। उन्हें रद्द या समाप्त करें, या ख़त्म होने दें।",
  "This phone number is already registered.": "यह फ़ोन नंबर पहले से दर्ज है।",
  "There is already a trunk with this name. Choose another.": "इस नाम का ट्रंक पहले से है। दूसरा नाम चुनें।",
  "There is already a model server with this name. Choose another.": "इस नाम का मॉडल सर्वर पहले से है। दूसरा नाम चुनें।",
  "This window is closed on this date.": "यह OPD समय इस तारीख़ को बंद है।",
  "This window has no slot left on this date.": "इस तारीख़ को इस समय में कोई जगह नहीं बची।",
  "This place is no longer on offer.": "यह जगह अब नहीं है।",
  "This day was closed.": "यह दिन बंद कर दिया गया।",
  "These days are already open again.": "ये दिन पहले ही फिर खुल चुके हैं।",
  "This appointment was moved after the contact was told of it.": "मरीज़ को बताए जाने के बाद इस अपॉइंटमेंट का समय बदल गया।",
  "This number is already waiting for the same.": "यह नंबर इसी के लिए पहले से इंतज़ार में है।",
  "They are no longer waiting.": "वे अब इंतज़ार में नहीं हैं।",
  "They are being called about a place right now.": "उन्हें अभी एक जगह के लिए कॉल हो रही है।",
  "No place that suits is free at the moment.": "अभी कोई ठीक जगह ख़ाली नहीं है।",
  "Somebody on the list was moved, cancelled or erased meanwhile.":
    "इस बीच सूची में किसी का समय बदला, रद्द हुआ या मिटाया गया।",
  "Somebody else wrote this note. Only they or an owner can remove it.":
    "यह नोट किसी और ने लिखा है। उसे वही या कोई प्रशासक हटा सकते हैं।",
  "This person was changed meanwhile. Load the page again to see how.": "इस बीच यह बदल गया। देखने के लिए पन्ना फिर खोलें।",
  "The list was not taken: the server was started meanwhile. Try again.":
    "सूची नहीं ली गई: सर्वर इस बीच दोबारा शुरू हुआ। फिर कोशिश करें।",
  "This file has its campaign already.": "इस फ़ाइल का अभियान पहले से है।",
  "This is not a calendar file (.ics).": "यह कैलेंडर फ़ाइल (.ics) नहीं है।",
  "At least one field is needed.": "कम से कम एक खाना भरें।",
  "There is no backup yet. Make one first.": "अभी कोई बैकअप नहीं है। पहले एक बनाएँ।",
  "ai_slots must not exceed max_slots.": "AI की जगहें कुल जगहों से ज़्यादा नहीं हो सकतीं।",
  "to must not lie before from.": "अंत की तारीख़ शुरुआत से पहले नहीं हो सकती।",
  "to must lie after from.": "अंत शुरुआत के बाद होना चाहिए।",
  "There is no such branch.": "ऐसी कोई शाखा नहीं है।",
};

const joined = (list: string) => list.split(/, | or /).join(" या ");

/** Messages with values. Those of field names begin with the API's name of the field. */
const PATTERNS: readonly (readonly [english: RegExp, hindi: Translate])[] = [
  [/^[\w.[\]]+ is required\.$/, say("इसे भरना ज़रूरी है।")],
  [
    /^[\w.[\]]+ must be (?:a whole )?(?:number )?from (\d+) to (\d+)\.$/,
    (low, high) => `${low} से ${high} तक की संख्या लिखें।`,
  ],
  [/^[\w.[\]]+ must be a (?:whole )?number of at least (\d+)\.$/, (low) => `कम से कम ${low} की संख्या लिखें।`],
  [/^[\w.[\]]+ must be a (?:whole )?number of at most (\d+)\.$/, (high) => `ज़्यादा से ज़्यादा ${high} की संख्या लिखें।`],
  [/^[\w.[\]]+ must be a (?:whole )?number\.$/, say("संख्या लिखें।")],
  [
    /^[\w.[\]]+ must (?:be text that is not empty, at most|have 1 to) (\d+) characters\.$/,
    (most) => `1 से ${most} अक्षर लिखें।`,
  ],
  [/^[\w.[\]]+ must be text, at most (\d+) characters\.$/, (most) => `ज़्यादा से ज़्यादा ${most} अक्षर लिखें।`],
  [/^[\w.[\]]+ must have (\d+) to (\d+) characters\.$/, (least, most) => `${least} से ${most} अक्षर लिखें।`],
  [/^[\w.[\]]+ must have at least (\d+) characters\.$/, (least) => `कम से कम ${least} अक्षर लिखें।`],
  [/^[\w.[\]]+ must be text(?: that is not empty)?\.$/, say("यहाँ कुछ लिखें।")],
  [/^[\w.[\]]+ must be one of ([^.]+)\.$/, (list) => `इनमें से एक चुनें: ${joined(list)}।`],
  [/^[\w.[\]]+ must be a date as YYYY-MM-DD/, say("तारीख़ सही लिखें।")],
  [/^[\w.[\]]+ is not a date and time that exists\.$/, say("ऐसी तारीख़ और समय नहीं होता।")],
  [/^[\w.[\]]+ must (?:lie|be) in the future\.$/, say("आगे का समय चुनें।")],
  [/^[\w.[\]]+ must be at most (\d+) days ahead\.$/, (days) => `ज़्यादा से ज़्यादा ${days} दिन आगे का समय चुनें।`],
  [/^[\w.[\]]+ must be an IANA/, say("समय क्षेत्र सूची से चुनें, जैसे Asia/Kolkata।")],
  [/^[\w.[\]]+ must be in E\.164 format/, say("देश के कोड के साथ पूरा नंबर लिखें, जैसे +919876543210।")],
  [/^[\w.[\]]+ must be a language tag/, say("en-IN या hi जैसा कोड लिखें।")],
  [/^This is not your (?:current )?password\.$/, say("यह आपका पासवर्ड नहीं है।")],
  [/^Too many failed attempts\. Try again in /, say("बहुत बार ग़लत कोशिश हुई। थोड़ी देर बाद फिर कोशिश करें।")],
  [/^This campaign is \w+ and can no longer be /, say("इस अभियान में अब यह नहीं हो सकता।")],
  [
    /^This campaign is \w+; its rows cannot be called again yet\.$/,
    say("इस अभियान के लोगों को अभी फिर कॉल नहीं हो सकती।"),
  ],
  [/^This campaign is \w+\. Stop it first\.$/, say("पहले इस अभियान को समाप्त करें।")],
  [/^This appointment is \w+[; ]/, say("इस अपॉइंटमेंट में अब यह नहीं हो सकता।")],
  [/^This call is \w+; only a scheduled call can be changed\.$/, say("सिर्फ़ तय की हुई कॉल बदली जा सकती है।")],
  [
    /^This very list is being called already: "(.+)"\. /,
    (name) => `इसी सूची को कॉल हो रही है: “${name}”। पहले उसे समाप्त करें, या सूची बदलें।`,
  ],
  [/^There are (\d+) [a-z ]+ already\. /, (count) => `${count} पहले से हैं, इससे ज़्यादा नहीं हो सकते। पहले एक हटाएँ।`],
  [/^You have (?:saved )?(\d+) [a-z]+\. Remove one first\.$/, (count) => `आपके पास ${count} हैं। पहले एक हटाएँ।`],
  [/^There may be at most (\d+) rules\./, (most) => `ज़्यादा से ज़्यादा ${most} नियम हो सकते हैं। पहले एक हटाएँ।`],
  [/^A recording may have at most (\d+) MB\.$/, (most) => `रिकॉर्डिंग ज़्यादा से ज़्यादा ${most} MB की हो सकती है।`],
];

/** Null if this message has no Hindi of its own. */
export function faultInHindi(message: string): string | null {
  const whole = MESSAGES[message];
  if (whole !== undefined) return whole;
  for (const [english, hindi] of PATTERNS) {
    const found = english.exec(message);
    if (found) return hindi(...found.slice(1));
  }
  return null;
}

/** What each code means, for the other messages. */
export const CODES: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: "भेजी गई जानकारी में कुछ ठीक नहीं है। खानों को देखकर फिर कोशिश करें।",
  UNAUTHORIZED: "आप साइन इन नहीं हैं, या ई-मेल पता या पासवर्ड ग़लत है।",
  INSUFFICIENT_CREDITS: "क्रेडिट कम हैं।",
  INSUFFICIENT_SCOPE: "इसकी अनुमति आपको नहीं है। किसी प्रशासक से कहें।",
  PLAN_LIMIT_REACHED: "आपके प्लान में इससे ज़्यादा नहीं हो सकता।",
  NOT_FOUND: "यह यहाँ नहीं मिला। हो सकता है किसी ने हटा दिया हो।",
  METHOD_NOT_ALLOWED: "यह यहाँ नहीं हो सकता। पन्ना फिर से खोलकर देखें।",
  NOT_ACCEPTABLE: "यह इस रूप में नहीं मिल सकता।",
  REQUEST_TIMEOUT: "इसमें बहुत देर लगी। फिर कोशिश करें।",
  CALL_NOT_CANCELLABLE: "यह कॉल अब रद्द नहीं हो सकती।",
  SLOT_FULL: "यह समय भर चुका है।",
  CONFLICT: "अभी यह नहीं हो सकता, क्योंकि इस बीच कुछ बदल गया या यह पहले से है। पन्ना फिर से खोलकर देखें।",
  RETENTION_HOLD: "इसे रखना ज़रूरी है, इसलिए अभी नहीं मिट सकता।",
  IDEMPOTENCY_IN_PROGRESS: "यही काम अभी चल रहा है।",
  PRECONDITION_FAILED: "इस बीच किसी और ने इसे बदल दिया। पन्ना फिर से खोलकर देखें।",
  PAYLOAD_TOO_LARGE: "यह बहुत बड़ा है।",
  URI_TOO_LONG: "यह पता बहुत लंबा है।",
  UNSUPPORTED_MEDIA_TYPE: "इस तरह की फ़ाइल नहीं ली जाती।",
  RANGE_NOT_SATISFIABLE: "फ़ाइल का यह हिस्सा नहीं है।",
  INVALID_PHONE_NUMBER: "यह फ़ोन नंबर सही नहीं है। देश के कोड के साथ लिखें, जैसे +919810012345.",
  UNSUPPORTED_COUNTRY: "इस देश के नंबर पर कॉल नहीं हो सकती।",
  IDEMPOTENCY_KEY_REUSED: "यही काम अलग जानकारी के साथ पहले हो चुका है।",
  RATE_LIMITED: "बहुत जल्दी-जल्दी कोशिश हुई। थोड़ा रुककर फिर कोशिश करें।",
  QUOTA_EXCEEDED: "आज की सीमा पूरी हो गई।",
  INTERNAL: "हमारी तरफ़ कुछ गड़बड़ हो गई। फिर कोशिश करें।",
  UNAVAILABLE: "अभी यह नहीं हो सकता। थोड़ी देर में फिर कोशिश करें।",
};
