// Words in Latin letters that Hindi texts may have. The list may only shrink: a test finds words that no text has.

/** Products, standards and registers. */
const NAMES = `
  Calendar Connect DLT FHIR Google HL7 LDAP Make NCPR Ollama OpenAI-compatible OpenID Outlook PostgreSQL
  Ringward Speaches Swagger UI Wireshark Zapier n8n vLLM
`;

/** Examples of what people type: names of voices, languages and answers. */
const TYPED = `
  CA SHAR-ma Sharma alpha beta better emma en-IN heart hi michael omega psi same ta worse
`;

/** Terms that administrators and developers know in English, and words of protocols and files. */
const TERMS = `
  A-law AI API Access Body CSV Certificate Codec Ctrl Encrypted Encryption Endpoint Event From G722 GET GPU
  HMAC-SHA256 HTTP Header Hook ID IP Inbound JSON Jitter Key MB NAT OPD P-Asserted-Identity PBX PCM PCMA PCMU
  PEM POST QR RTP Receiver Remote-Party-ID Request SIP SRTP Scope Secret Sign Signature Signing TCP TLS
  Transport UDP URL Username WAL WAV Webhook XLSX action allowed any authority base64 basis bit body byte caller
  carrier chat code codec completions configuration constant domain drop encrypt encrypted encryption endpoint
  error event extension faulty field firewall go header hook host http https ics id inbound key law log mono ms
  no-code number parse pcap ping point-in-time purpose receiver recovery reference refused register replica
  request route scope secret sign signature signing sip space telephony time token true until user username v1
  wait wav wideband write-ahead xx
`;

export const LATIN_IN_HINDI: ReadonlySet<string> = new Set(`${NAMES} ${TYPED} ${TERMS}`.split(/\s+/).filter(Boolean));
