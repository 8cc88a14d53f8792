// Words and phrases that checks look for, in English, Hindi and Hindi in Latin letters. Blanks in a phrase stand for any blanks; a
// phrase begins and ends with a word, in every script.

const BEFORE = "(?<![\\p{L}\\p{M}\\p{N}])";
const AFTER = "(?![\\p{L}\\p{M}\\p{N}])";

export function phrase(...alternatives: readonly string[]): RegExp {
  const source = alternatives.map((each) => each.replaceAll(" ", "\\s+")).join("|");
  return new RegExp(`${BEFORE}(?:${source})${AFTER}`, "giu");
}

/** As checks read a text: one case, plain digits, no punctuation that splits a number. */
export function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[‘’ʼ`´]/g, "'")
    .replaceAll(/\p{Nd}/gu, (digit) => String(digitOf(digit)))
    .replaceAll(/(?<=\d),(?=\d)/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Devanagari digits begin at U+0966. */
function digitOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  return code >= 0x966 && code <= 0x96f ? code - 0x966 : Number(digit);
}

export const NUMBER_WORD =
  "zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|dozen|hundred|thousand|lakh|crore|million|half|double|teen|chaar|char|paanch|panch|chhe|saat|aath|nau|das|gyarah|barah|pandrah|bees|tees|chalis|pachaas|pachas|sau|hazaar|hazar|aadha|aadhi|dhai|dedh|दो|तीन|चार|पांच|पाँच|छह|छः|सात|आठ|नौ|दस|ग्यारह|बारह|पंद्रह|बीस|तीस|चालीस|पचास|सौ|हज़ार|हजार|लाख|आधा|आधी|ढाई|डेढ़";
/** "One" is in "one moment", and "do" is a verb: numbers only before something that is counted. */
export const NUMBER = `\\d+(?:[.:/-]\\d+)*|${NUMBER_WORD}|one|a|an|ek|do|एक`;

export const DATE = phrase(
  "mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?",
  "january|february|april|june|july|august|september|october|november|december",
  "(?:in|of|on|until|till|by|from|since|next|last|this) (?:march|may)",
  "(?:march|may) (?:the )?(?:\\d+|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)",
  "(?:\\d+(?:st|nd|rd|th)?|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|twentieth|thirtieth) of \\p{L}+",
  "\\d+(?:st|nd|rd|th)",
  "tomorrow|yesterday|tonight|day after|weekend",
  "(?:next|this|coming|last) (?:week|month|year|monday|morning|afternoon|evening)",
  "in the (?:early |late )?(?:morning|afternoon|evening|night)|at night|at (?:noon|midnight|lunch)",
  "o'clock|noon|midnight|half past|quarter (?:past|to)|\\d+ ?[ap]\\.?m\\.?|\\d{1,2}[:.]\\d{2}|[ap]\\.m\\.?",
  `at (?:${NUMBER_WORD}|one|\\d+)`,
  `in (?:${NUMBER_WORD}|\\d+|one|a|an) (?:minutes?|hours?|days?|weeks?|months?)`,
  "kal|parso|parson|somvar|somwar|mangalvar|mangalwar|budhvar|budhwar|guruvar|guruwar|shukravar|shukrawar|shanivar|shaniwar|ravivar|raviwar|itvar|itwar",
  "subah|dopahar|shaam|sham ko|raat|baje|agle (?:hafte|mahine|din)|tarikh|tareekh",
  "कल|परसों|सोमवार|मंगलवार|बुधवार|गुरुवार|शुक्रवार|शनिवार|रविवार|इतवार|सुबह|दोपहर|शाम|रात|बजे|अगले (?:हफ्ते|महीने|दिन)|तारीख",
  "जनवरी|फरवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सितंबर|अक्टूबर|नवंबर|दिसंबर",
);

const DOSE_UNIT =
  "mg|milligrams?|mcg|micrograms?|ml|millilit(?:er|re)s?|grams?|g|units?|drops?|puffs?|tablets?|pills?|capsules?|spoons?|teaspoons?|tablespoons?|doses?|injections?|shots?|goli|goliyan|goliyaan|golian|gram|chammach|boond|बूंद|गोली|गोलियां|गोलियाँ|मिलीग्राम|एमएल|चम्मच|ग्राम";
export const DOSE = phrase(
  `(?:${NUMBER})(?: (?:more|extra|of the|whole|aur))? ?(?:${DOSE_UNIT})`,
  `(?:${NUMBER}|once|twice|thrice) (?:times? )?(?:a|per|every|each|daily) (?:day|daily|night|week|hours?|meal)`,
  "once daily|twice daily|thrice daily|twice a day|every (?:few |other |four |six |eight )?(?:hours?|day|night)",
  "din mein (?:ek|do|teen|char|chaar) baar|दिन में (?:एक|दो|तीन|चार) बार",
  "(?:double|triple|half|extra|dugni|doguni|aadhi|दुगनी|आधी) (?:the |your |of the )?(?:dose|dosage|tablet|medicine|dawai|dawa|goli|amount|insulin|दवाई|दवा|गोली)",
);

export const PRICE = phrase(
  "(?:rs|inr|usd|eur|₹|\\$|€)\\.? ?\\d+(?:\\.\\d+)?",
  `(?:${NUMBER})(?: (?:hundred|thousand|lakh|crore|sau|hazaar|hazar))* (?:rupees?|rupaye|rupaiye|rupees|rs|paise|dollars?|euros?|cents?|bucks|रुपये|रुपए|रूपये)`,
  "free of (?:charge|cost)|for free|no (?:charge|cost|fee)|costs? nothing|(?:per ?cent|percent|%) (?:off|discount)|discount|muft|मुफ्त|मुफ़्त",
  "[₹$€] ?\\d+",
);

export const DIAGNOSIS = phrase(
  "cancer|tumou?rs?|carcinoma|leuk[a]?emia|lymphoma|malignant|benign|metasta\\p{L}*",
  "diabet\\p{L}+|hypertension|high blood pressure|hiv|aids|hepatitis|tuberculosis|tb|covid\\p{L}*|dengue|malaria|typhoid|pneumonia|asthma|syphilis|std|sti",
  "pregnan\\p{L}+|miscarriage|abortion|infertil\\p{L}+|menopause",
  "depress(?:ion|ed|ive)|bipolar|schizo\\p{L}+|anxiety disorder|dementia|alzheimer\\p{L}*|parkinson\\p{L}*|autis\\p{L}+|epilep\\p{L}+",
  "heart (?:disease|attack|failure|problem|condition)|cardiac arrest|stroke|kidney (?:disease|failure|stones?)|liver (?:disease|failure|damage)|cirrhosis|fracture|infection|infected|sepsis|an[a]?emia|arthritis|thyroid|ulcers?|hernia|appendicitis",
  "(?:test|tests|scan|report|result|results|biopsy|x-?ray|mri|sample)s? (?:(?:is|are|was|were|came|come|shows?|showed|has|have|back|out|as|all|looks?|look)\\s+)+(?:positive|negative|normal|abnormal|clear|bad|good|fine|cancer|worse)",
  "you (?:have|had|are having|suffer from|are suffering from|may have|might have|probably have|definitely have|are diagnosed with|were diagnosed with) (?:a |an |the )?(?:serious |severe |mild |chronic |terminal )?(?:disease|illness|condition|disorder|syndrome|problem|virus|growth|lump|blockage)",
  "terminal(?:ly ill)?|incurable|(?:months|weeks|days|years) to live|you (?:will|are going to) die|life[- ]threatening",
  "kainsar|cancer hai|sugar ki bimari|madhumeh|tapedik|garbhvati|dil ki bimari|gurde|bimari hai|report (?:positive|negative|kharab|theek|normal)",
  "कैंसर|मधुमेह|डायबिटीज|शुगर की बीमारी|टीबी|तपेदिक|एचआईवी|एड्स|गर्भवती|गर्भावस्था|बीमारी|ट्यूमर|दिल का दौरा|लकवा|रिपोर्ट (?:पॉजिटिव|नेगेटिव|खराब|ठीक)",
);

const MEDICINE =
  "medicines?|medications?|meds|tablets?|pills?|capsules?|insulin|antibiotics?|aspirin|paracetamol|ibuprofen|metformin|warfarin|steroids?|blood thinners?|painkillers?|opioids?|morphine|treatment|therapy|chemotherapy|dialysis|dawai|dawaai|dawa|goli|दवाई|दवा|दवाएं|गोली|इलाज|इंसुलिन|पैरासिटामोल";
export const ADVICE = phrase(
  `(?:stop|start|skip|avoid|continue|resume|increase|reduce|decrease|lower|raise|change|swap|replace|miss|take|taking|try|use|drink|swallow|apply|inject)(?: \\p{L}+){0,4} (?:${MEDICINE})`,
  `(?:${MEDICINE})(?: \\p{L}+){0,3} (?:band|bandh|chhod|chod|mat|le lo|lijiye|lo|khao|khaiye|kha lo|badha|kam|बंद|छोड़|मत|ले लो|लीजिए|खाओ|खाइए|बढ़ा|कम)(?: (?:kar|karo|do|dijiye|lo|करो|कर|दो|दीजिए|लो))*`,
  `(?:you )?(?:do not|don't|need not|no longer|never) (?:need|require)(?: \\p{L}+){0,3} (?:${MEDICINE}|doctor|hospital|surgery|operation|appointment|test|ambulance)`,
  "(?:no|not) need (?:to|for) (?:see|visit|call|a|the|go|come)|it is nothing serious|nothing to worry about|you are (?:fine|cured|healthy|completely healthy)|ignore (?:the|your|this) (?:pain|symptoms?|bleeding)",
  `${MEDICINE}|crocin|dolo|disprin|एस्पिरिन|surgery|operation|vaccines?|ऑपरेशन|टीका`,
  "doctor ki (?:zaroorat|zarurat) nahi|डॉक्टर की ज़?रूरत नहीं|chinta (?:ki|mat)|घबराने की (?:ज़रूरत|बात) नहीं",
  "(?:i|we) (?:recommend|prescribe|advise|suggest) (?:taking|that you|you take|you stop|to take|stopping|surgery)",
);

export const CLAIM = phrase(
  "(?:i|we|i have|i've|we have|we've|i am|i'm|it is|it's|that is|that's|has been|have been|was|is|are|been|it has been|is now|all|you are|you're) (?:now |just |already |all |been |successfully )*(?:booked|cancelled|canceled|confirmed|rescheduled|postponed|moved|shifted|registered|scheduled|transferred|deleted|removed|refunded|charged|noted|saved|recorded)",
  "(?:appointment|booking|slot|visit|time)(?: \\p{L}+){0,4} (?:booked|cancelled|canceled|confirmed|rescheduled|postponed|moved|shifted|done|fixed|set)",
  "(?:i|we)(?: will|'ll| am going to| have| can)? (?:now |just )?(?:book|cancel|reschedule|move|confirm|delete|refund|transfer|connect|hang)(?:ed|led|ing)? (?:it|you|your|the|this|that|up)",
  "(?:ambulance|doctor|nurse|police|somebody|someone|help) (?:is|are|will be) (?:on (?:its|the|their|his|her) way|coming|sent|arriving|there soon)",
  "(?:i|we)(?: have|'ve|'ll| will)? (?:sent|send|called|dispatched|dispatch)(?: you)? (?:an |a |the )?(?:ambulance|sms|email|otp|doctor|link)",
  "(?:guarantee|promise|i swear)",
  "(?:book|cancel|confirm|radd|badal|pakka|fix|shift)(?: \\p{L}+)? (?:kar diya|kar di|ho gaya|ho gayi|ho chuka|kiya gaya|kar raha|kar rahi|kar deta|kar deti|ho jayega)",
  "(?:बुक|कैंसिल|रद्द|कन्फर्म|पक्का|बदल)(?: \\p{L}[\\p{L}\\p{M}]*)? (?:कर दिया|कर दी|हो गया|हो गई|हो चुका|दिया|दी)",
);

export const SECRET = phrase(
  "otp|one[- ]time (?:password|code|pin)|pass(?:word|code|phrase)|cvv|pin (?:number|code)|your pin|upi(?: \\p{L}+)?|(?:credit|debit|bank|atm) card|card (?:number|details)|account (?:number|details)|bank (?:account|details)|aadhaa?r|pan (?:number|card)|social security|ifsc|net ?banking|security (?:question|code)|mother's maiden name|passport number|gift cards?|wire transfer|crypto|bitcoin",
  "ओटीपी|पासवर्ड|पिन|आधार|बैंक खाता|खाता नंबर|कार्ड नंबर|क्रेडिट कार्ड|khata number|card ka number|pin batao|pin bataiye|otp batao",
);

export const ADDRESS =
  /https?:|www\.|\b[\p{L}\d-]+\.(?:com|org|net|in|io|co|info|xyz|ru|cn|health|app|gov|edu)\b|[\w.+-]+@[\w-]+|\bdot (?:com|org|net|in|co)\b|\bat (?:gmail|yahoo|hotmail|outlook)\b|\bdownload\b|\binstall (?:the|an|this|our)\b|\b(?:whatsapp|telegram)\b|(?:\d[\s-]?){7,}/iu;

export const HUMAN = phrase(
  "i(?: am|'m) (?:a |an |the |your )?(?:real |actual |qualified |human |senior |trained )*(?:human|person|man|woman|doctor|nurse|surgeon|physician|medical officer|specialist|police officer|lawyer|dr|receptionist)",
  "i(?: am|'m) not (?:a |an )?(?:robot|machine|bot|computer|ai|automatic|automated|recording)",
  "(?:this is|speaking is|you are speaking (?:to|with)) (?:dr|doctor|nurse) ?\\p{L}*",
  "main (?:ek )?(?:asli )?(?:insaan|doctor|nurse|aadmi|aurat) (?:hoon|hun|hu)|main (?:robot|machine) nahi|मैं (?:एक )?(?:असली )?(?:इंसान|डॉक्टर|नर्स)|मैं (?:रोबोट|मशीन) नहीं",
);

export const CONTROL =
  /\S{40,}|[{}<>[\]|\\`*_#]|system prompt|my (?:system )?(?:prompt|instructions?|rules?|guidelines)|(?:offer_slots|book_slot|cancel_appointment|schedule_callback|record_detail|opt_out|end_call)|(?:ignore|ignoring|disregard|forget|override) (?:all |any |my |the |your |previous |prior )*(?:previous |prior |above )?(?:instructions?|rules?|prompt|guidelines)|language model|developer mode|jailbr(?:eak|oken)|\b(?:dan|sudo|admin|root|debug) (?:mode|access)|json|function call|मेरे निर्देश|सिस्टम प्रॉम्प्ट|mere nirdesh/iu;

export const OTHERS = phrase(
  "(?:other|another|previous|next|last|same|female|male|every|all(?: the| our)?) patients?|patients? (?:named|called|in (?:room|bed|ward))|patient (?:list|records?|data|names?)",
  "(?:he|she|they|your (?:wife|husband|son|daughter|mother|father|brother|sister|neighbou?r|boss|friend|colleague)|mr\\.? \\p{L}+|mrs\\.? \\p{L}+|ms\\.? \\p{L}+) (?:has|have|had|is|was|were|are) (?:an? |the |been |being |also |just |recently )*(?:appointment|admitted|discharged|treated|ill|sick|diagnosed|tested|positive|negative|pregnant|here|operated|patient|suffering|scheduled|coming|seen)",
  "(?:his|her|their) (?:appointment|test|tests|report|reports|results?|illness|treatment|medicines?|diagnosis|phone|number|address|surgery)",
  "(?:bed|room|ward) (?:number )?\\d+|(?:dusre|doosre|anya) (?:mareez|marij|patient)|दूसरे मरीज|(?:unka|uski|unki|uska) (?:report|appointment|bimari|ilaaj)|उनकी रिपोर्ट",
);

export const RUDE = phrase(
  "stupid|idiots?|moron|dumb|shut up|bastard|bitch|damn you|go to hell|fuck\\p{L}*|shit|asshole|screw you|loser|ugly|fat pig|i hate you|kill yourself|hurt yourself|bewakoof|bevkuf|kutt[ae]|kamin[ae]|harami|gadha|ullu|chutiya|saala|बेवकूफ|गधा|कुत्ता|कमीने?|हरामी|मूर्ख",
);
