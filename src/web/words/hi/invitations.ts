// Hindi texts of invitations by e-mail.
import type { invitations as English } from "../en/invitations.ts";
import type { Translated } from "../translated.ts";

export const invitations: Translated<typeof English> = {
  way: "पहला साइन इन",
  byInvitation: "ई-मेल से निमंत्रण",
  byPassword: "अभी पासवर्ड बनाएँ",
  invitationHint: "उन्हें पासवर्ड बनाने का लिंक मिलेगा। वह 7 दिन तक और एक बार काम करता है।",
  invited: "व्यक्ति जोड़ दिया गया और उसे निमंत्रण मिलेगा।",
  invitationNote: "उन्हें पासवर्ड बनाने के लिंक वाला ई-मेल मिलेगा। तब तक मौजूदा पासवर्ड काम करता है।",
  sendInvitation: "निमंत्रण भेजें",
  invitationSent: "निमंत्रण भेज दिया गया।",
};
