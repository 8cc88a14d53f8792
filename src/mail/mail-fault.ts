// Why an e-mail was not sent, without the server's text: it may name the recipient.

const CAUSES = ["timeout", "connection", "tls", "sign_in", "refused"] as const;
export type MailCause = (typeof CAUSES)[number];

const WORDS: Record<MailCause, string> = {
  timeout: "The mail server did not answer in time.",
  connection: "The mail server cannot be reached. Check mail.host and mail.port.",
  tls: "No TLS with the mail server. Check mail.security, mail.ca_file and the name in its certificate.",
  sign_in: "The mail server refused mail.username or mail.password.",
  refused: "The mail server refused the message.",
};

export class MailFault extends Error {
  override readonly name = "MailFault";

  constructor(
    readonly reason: MailCause,
    /** The server's reply code. */
    readonly status: number | null,
    /** Sending it again would fail again. */
    readonly isFinal: boolean,
  ) {
    super(status === null ? WORDS[reason] : `${WORDS[reason]} Its answer was ${status}.`);
  }
}

/** Codes of the SMTP client. */
const REASONS: Readonly<Record<string, MailCause>> = {
  ETIMEDOUT: "timeout",
  EDNS: "connection",
  ECONNECTION: "connection",
  ECONNREFUSED: "connection",
  ESOCKET: "connection",
  ETLS: "tls",
  EREQUIRETLS: "tls",
  EAUTH: "sign_in",
  ENOAUTH: "sign_in",
  EPROTOCOL: "refused",
  EENVELOPE: "refused",
  EMESSAGE: "refused",
};

/** Faults of the message itself; all others may be over tomorrow. */
const OF_THE_MESSAGE = ["EENVELOPE", "EMESSAGE"];
/** TLS or a sign-in is required (RFC 4954): a fault of the settings. */
const OF_THE_SETTINGS = [530, 534, 535, 538];

export function faultOf(error: unknown): MailFault {
  if (error instanceof MailFault) return error;
  const { code, responseCode, message } = (error instanceof Error ? error : {}) as {
    code?: unknown;
    responseCode?: unknown;
    message?: string;
  };
  const name = typeof code === "string" ? code : "";
  const status = typeof responseCode === "number" ? responseCode : null;
  const isOfSettings = status !== null && OF_THE_SETTINGS.includes(status);
  if (isOfSettings) return new MailFault("sign_in", status, false);
  const isFinal = OF_THE_MESSAGE.includes(name) && status !== null && status >= 500;
  return new MailFault(isOfTls(name, message ?? "") ? "tls" : (REASONS[name] ?? "connection"), status, isFinal);
}

/** The runtime reports certificates by OpenSSL's names, inside a fault of the socket. */
const isOfTls = (code: string, message: string): boolean =>
  /CERT|SSL|TLS/.test(code) || (code === "ESOCKET" && /certificate|altnames|self.signed|ssl|tls/i.test(message));
