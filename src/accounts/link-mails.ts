// E-mails with a link to set a password, in the person's language.
import type { LinkPurpose } from "../payloads/mail.ts";

export interface LinkMailFacts {
  name: string;
  organisation: string;
  link: string;
}

interface Template {
  subject: (facts: LinkMailFacts) => string;
  lines: (facts: LinkMailFacts) => string[];
}

const EN: Record<LinkPurpose, Template> = {
  reset: {
    subject: () => "Set a new password for Ringward",
    lines: ({ name, link }) => [
      `Hello ${name},`,
      "",
      "You asked for a new password for Ringward. Open this link to set it:",
      "",
      link,
      "",
      "The link works once, within 30 minutes. Then sign in as usual; all other sessions end.",
      "If you did not ask for it, ignore this e-mail: your password stays as it is.",
    ],
  },
  invitation: {
    subject: ({ organisation }) => `Your access to Ringward of ${organisation}`,
    lines: ({ name, organisation, link }) => [
      `Hello ${name},`,
      "",
      `${organisation} gave you access to Ringward. Open this link to set your password:`,
      "",
      link,
      "",
      "The link works once, within 7 days. Afterwards, ask an owner for a new one.",
    ],
  },
};

const HI: Record<LinkPurpose, Template> = {
  reset: {
    subject: () => "Ringward का नया पासवर्ड बनाएँ",
    lines: ({ name, link }) => [
      `नमस्ते ${name},`,
      "",
      "आपने Ringward के लिए नया पासवर्ड माँगा है। उसे बनाने के लिए यह लिंक खोलें:",
      "",
      link,
      "",
      "यह लिंक 30 मिनट के अंदर एक बार काम करता है। फिर हमेशा की तरह साइन इन करें; बाकी सब सत्र ख़त्म हो जाते हैं।",
      "अगर आपने इसे नहीं माँगा, तो इस ई-मेल पर ध्यान न दें: आपका पासवर्ड वही रहता है।",
    ],
  },
  invitation: {
    subject: ({ organisation }) => `${organisation} के Ringward में आपका खाता`,
    lines: ({ name, organisation, link }) => [
      `नमस्ते ${name},`,
      "",
      `${organisation} ने आपको Ringward में खाता दिया है। अपना पासवर्ड बनाने के लिए यह लिंक खोलें:`,
      "",
      link,
      "",
      "यह लिंक 7 दिन के अंदर एक बार काम करता है। उसके बाद किसी प्रशासक से नया लिंक माँगें।",
    ],
  },
};

const TEMPLATES: Readonly<Record<string, Record<LinkPurpose, Template>>> = { en: EN, hi: HI };

/** English for a language without templates. */
export function linkMailOf(language: string, purpose: LinkPurpose, facts: LinkMailFacts) {
  const { subject, lines } = (TEMPLATES[language.slice(0, 2)] ?? EN)[purpose];
  return { subject: subject(facts), text: `${lines(facts).join("\n")}\n` };
}
