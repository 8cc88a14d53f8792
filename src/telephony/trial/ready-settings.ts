// Ready-made settings for the exchange side, for the exchanges common in hospitals. The handbook shows the same texts;
// a test compares them.

export const EXCHANGES = ["asterisk", "freepbx", "freeswitch", "kamailio", "3cx", "provider"] as const;
export type Exchange = (typeof EXCHANGES)[number];

export interface ReadyFacts {
  /** The account that the exchange gives us. */
  account: string;
  /** Whether the trunk registers; otherwise the exchange trusts our address. */
  register: boolean;
  /** This machine's address, for example `10.0.0.5:5060`. */
  ourAddress: string;
  /** The trunk's host as configured in Ringward. */
  host: string;
}

/** Placeholder for the secret, which is never printed. */
const SECRET = "THE-SECRET";

const SETTINGS: Record<Exchange, (facts: ReadyFacts) => string[]> = {
  asterisk: ({ account, register, ourAddress }) => [
    "; pjsip.conf",
    `[${account}]`,
    "type=endpoint",
    "context=from-ringward   ; may dial what this context may",
    "disallow=all",
    "allow=g722,alaw,ulaw",
    `aors=${account}`,
    ...(register ? [`auth=${account}`] : []),
    "direct_media=no",
    "rtp_symmetric=yes",
    "trust_id_inbound=yes    ; shows the number of P-Asserted-Identity",
    `[${account}]`,
    "type=aor",
    ...(register
      ? [
          "max_contacts=1",
          "remove_existing=yes",
          `[${account}]`,
          "type=auth",
          "auth_type=userpass",
          `username=${account}`,
          `password=${SECRET}`,
        ]
      : [
          `contact=sip:${account}@${ourAddress}`,
          `[${account}]`,
          "type=identify",
          `endpoint=${account}`,
          `match=${ourAddress.replace(/:\d+$/, "")}`,
        ]),
    "; extensions.conf: who dials it reaches Ringward, and what Ringward may dial",
    "[from-internal]",
    `exten => ${account},1,Dial(PJSIP/${account})`,
    "[from-ringward]",
    "exten => _+X.,1,Dial(PJSIP/${EXTEN}@your-provider)",
    " same => n,Hangup(${HANGUPCAUSE})   ; or busy, unknown and refused all reach Ringward as 503",
  ],
  freepbx: ({ account }) => [
    `Extensions > Add Extension > SIP (chan_pjsip): User Extension ${account}, Secret ${SECRET}.`,
    "  Advanced: Direct Media No, RTP Symmetric Yes, Rewrite Contact Yes, Trust RPID Yes, Max Contacts 1.",
    "Connectivity > Outbound Routes: a pattern for the numbers as Ringward dials them (+91… unless number_format says",
    "  otherwise; where people dial 9 first: number_format = national, dial_prefix = 9).",
  ],
  freeswitch: ({ account }) => [
    `<!-- directory/default/${account}.xml, then: fs_cli -x reloadxml -->`,
    `<include><user id="${account}">`,
    `  <params><param name="password" value="${SECRET}"/></params>`,
    '  <variables><variable name="user_context" value="default"/></variables>',
    "</user></include>",
    `<!-- dialplan/default.xml: <condition field="destination_number" expression="^${account}$">`,
    `     <action application="bridge" data="user/${account}"/> -->`,
  ],
  kamailio: ({ account, host }) => [
    `kamctl add ${account} ${SECRET}`,
    "# kamailio.cfg checks From against the account (auth_check with flag 1): leave from_user empty.",
    `# The realm is the domain in From: from_domain = the domain that Kamailio serves (now ${host}).`,
    '# P-Asserted-Identity passes on only where the script lets it: remove_hf("P-Asserted-Identity") takes it away.',
  ],
  "3cx": ({ account }) => [
    "Users > add a user for Ringward; its IP phone settings show an Authentication ID and a password.",
    `Ringward: username = the Authentication ID, secret = that password, from_user = the extension (${account}).`,
    "Turn off “Disallow use of extension outside the LAN” only where Ringward is outside; leave audio through the PBX.",
    "Outbound rules: a rule for this extension, for the numbers as Ringward dials them (number_format, dial_prefix).",
  ],
  provider: ({ account, ourAddress }) => [
    `Ask for: registration as ${account}, or trust in ${ourAddress}; calls at once and per second; G.722 or G.711.`,
    "Numbers as they want them: number_format e164 (usual), digits or national.",
    "Who is shown: caller_id must be a number of theirs; identity_header p_asserted_identity or remote_party_id if they",
    "  want one; from_user = number where they read it from From.",
    "Calls to you: they name the number in the Request-URI or in To; both are understood.",
  ],
};

export function readySettings(exchange: Exchange, facts: ReadyFacts): string {
  return SETTINGS[exchange](facts).join("\n");
}

export function isExchange(text: string): text is Exchange {
  return (EXCHANGES as readonly string[]).includes(text);
}
