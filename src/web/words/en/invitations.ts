// English texts of invitations by e-mail.
export const invitations = {
  way: "First sign-in",
  byInvitation: "Invitation by e-mail",
  byPassword: "Set a password now",
  invitationHint: "They get a link to set a password. It works once, for 7 days.",
  invited: "The person was added and gets an invitation.",
  invitationNote: "They get an e-mail with a link to set a password. The present password works until then.",
  sendInvitation: "Send invitation",
  invitationSent: "The invitation is on its way.",
};
