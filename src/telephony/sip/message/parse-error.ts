// The only error that parsing a peer's SIP may throw. Code that reads from the wire catches this and nothing else.

export class SipParseError extends Error {
  override readonly name = "SipParseError";
}

/** Only the encryption settings are incompatible: worth a record that says so. */
export class EncryptionRefusal extends SipParseError {}
