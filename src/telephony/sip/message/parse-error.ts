// The one error that reading somebody else's SIP may raise. Whoever reads from the wire catches this and nothing else.

export class SipParseError extends Error {
  override readonly name = "SipParseError";
}

/** Both could speak, if they agreed on whether and how to encrypt: worth a record that says so. */
export class EncryptionRefusal extends SipParseError {}
