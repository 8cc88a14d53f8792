// The one error that reading somebody else's SIP may raise. Whoever reads from the wire catches this and nothing else.

export class SipParseError extends Error {
  override readonly name = "SipParseError";
}
