// English texts of shared calls on a call's page.

export const sharing = {
  one: {
    title: "Sharing",
    note: "A link to this call alone, for a reader without an account. The number is masked.",
    share: "Share …",
    dialog: "Share this call",
    warning: "Until the link ends, anyone who has it can read and hear this call without signing in.",
    days: "The link works for",
    choices: { "1": "1 day", "7": "7 days", "30": "30 days" } as Record<string, string>,
    confirm: "Create link",
    done: "The link is ready.",
    label: "Link to share",
    until: (time: string) => `Works until ${time}.`,
    revoke: "Revoke",
    revokeTitle: "Revoke the link?",
    revokeText: "The link stops working at once. A link that is created later is another one.",
    revoked: "The link was revoked.",
  },
  link: {
    title: "Public link",
    label: "Link to this call",
    note: "Every completed call has such a link, by the setting of the hospital. Anyone with it can hear and read the call without signing in.",
    open: "Open",
  },
};
