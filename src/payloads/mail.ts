// Kinds of e-mails and of links in them.

export const MAIL_KINDS = ["alarm", "invitation", "reset", "test"] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** An invitation lets a new person set the first password. */
export const LINK_PURPOSES = ["invitation", "reset"] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];
