// Configuration of the test Asterisk: transports on loopback, accounts as printed by `ringward trunks try --for
// asterisk`, two desk phones, and people who answer, are busy, keep ringing or refuse. Everything else is Debian's
// default.
import { join } from "node:path";

/** At this address Ringward is identified by its From user, at the other by its address. */
/** Lines of an account in the two files. */
export interface AccountFiles {
  pjsip: string;
  extensions: string;
}

export const LOOPBACK = "127.0.0.1";
/** The provider behind the exchange, played by the same Asterisk. */
export const PROVIDER_ADDRESS = "127.0.0.2";
export const TRUSTED_ADDRESS = "127.0.0.3";
export const LOOPBACK_6 = "::1";

export interface AsteriskPorts {
  /** UDP and TCP. */
  sip: number;
  tls: number;
  rtp: { from: number; to: number };
}

/** Hangup cause in the dialplan, and the SIP status that Asterisk maps it to (hangup_cause2sip of chan_pjsip). */
export const REFUSALS = [
  { sipCode: 404, cause: 1 },
  { sipCode: 408, cause: 18 },
  { sipCode: 480, cause: 19 },
  { sipCode: 403, cause: 21 },
  { sipCode: 410, cause: 22 },
  { sipCode: 484, cause: 28 },
  { sipCode: 486, cause: 17 },
  { sipCode: 488, cause: 58 },
  { sipCode: 500, cause: 38 },
  { sipCode: 502, cause: 27 },
  { sipCode: 503, cause: 34 },
  { sipCode: 603, cause: 16 },
] as const;

const person = (lastFour: number) => `+91980000${String(lastFour).padStart(4, "0")}`;

/** People reachable behind the exchange. */
export const PEOPLE = {
  talks: person(1),
  pressesOne: person(2),
  pressesThree: person(3),
  ringsOn: person(4),
  speaksEarly: person(5),
  staysOn: person(6),
  hangsUp: person(7),
  echoes: person(8),
  /** Answers and sends no audio. */
  saysNothing: person(9),
  desk1: person(6001),
  desk2: person(6002),
  /** Without exchange features, which keep audio there. */
  deskAlone: person(6003),
  refuses: (sipCode: number) => person(9_000 + sipCode),
  /** Ten people who press 1, because no number is called twice at once. */
  pressesOneToo: (at: number) => person(100 + at),
};
const ANY_WHO_PRESSES_ONE = `_${PEOPLE.pressesOneToo(0).slice(0, -1)}X`;

export const SENDS_AWAY = "700";
export const DESK_SECRET = "desk-secret";

type Steps = readonly string[];
const extension = (name: string, steps: Steps) =>
  steps.map((step, i) => (i === 0 ? `exten => ${name},1,${step}` : ` same => n,${step}`)).join("\n");

/** Records the audio, by called number. */
const hears = (inside: string) => [
  "Answer()",
  `MixMonitor(${inside}/heard/\${EXTEN}-both.wav,r(${inside}/heard/\${EXTEN}.wav))`,
];

function peopleSteps(inside: string): [string, Steps][] {
  const words = `Playback(${inside}/sounds/words)`;
  return [
    [PEOPLE.talks, [...hears(inside), words, "Wait(60)"]],
    [PEOPLE.pressesOne, [...hears(inside), words, "SendDTMF(1)", "Wait(60)"]],
    [ANY_WHO_PRESSES_ONE, ["Answer()", words, "SendDTMF(1)", "Wait(60)"]],
    [PEOPLE.pressesThree, [...hears(inside), "Wait(4)", "SendDTMF(3)", "Wait(60)"]],
    [PEOPLE.ringsOn, ["Ringing()", "Wait(120)"]],
    [
      PEOPLE.speaksEarly,
      ["Progress()", `Playback(${inside}/sounds/words,noanswer)`, ...hears(inside), words, "Wait(60)"],
    ],
    [PEOPLE.staysOn, [...hears(inside), words, "MusicOnHold()"]],
    [PEOPLE.hangsUp, [...hears(inside), "Wait(3)", "Hangup()"]],
    [PEOPLE.echoes, ["Answer()", "Echo()"]],
    [PEOPLE.saysNothing, ["Answer()", "Wait(60)"]],
    ...REFUSALS.map(({ sipCode, cause }): [string, Steps] => [PEOPLE.refuses(sipCode), [`Hangup(${cause})`]]),
  ];
}

const transport = (name: string, protocol: string, bind: string, more: readonly string[] = []) =>
  [`[transport-${name}]`, "type=transport", `protocol=${protocol}`, `bind=${bind}`, ...more].join("\n");

function desk(name: string): string {
  return [
    `[${name}]`,
    "type=endpoint",
    "context=from-internal",
    "disallow=all",
    "allow=ulaw,alaw",
    `aors=${name}`,
    `auth=${name}`,
    // Asterisk's default: audio bypasses it if Ringward's account allows it too.
    "direct_media=yes",
    `[${name}]`,
    "type=aor",
    "max_contacts=1",
    "remove_existing=yes",
    `[${name}]`,
    "type=auth",
    "auth_type=userpass",
    `username=${name}`,
    `password=${DESK_SECRET}`,
  ].join("\n");
}

/**
 * The provider: calls to it leave from one address of this machine and arrive at another endpoint of the same Asterisk.
 */
const provider = ({ sip }: AsteriskPorts) =>
  [
    "[your-provider]",
    "type=endpoint",
    "transport=transport-provider",
    "context=from-provider",
    "disallow=all",
    "allow=g722,alaw,ulaw",
    `media_address=${PROVIDER_ADDRESS}`,
    "aors=your-provider",
    "direct_media=no",
    "[your-provider]",
    "type=aor",
    `contact=sip:${PROVIDER_ADDRESS}:${sip}`,
    "[your-provider]",
    "type=identify",
    "endpoint=your-provider",
    `match=${PROVIDER_ADDRESS}`,
  ].join("\n");

export interface AsteriskSettings {
  ports: AsteriskPorts;
  /** Ringward's accounts. */
  accounts: AccountFiles;
}

/** Files that replace Debian's; paths are as Asterisk sees them. */
export function asteriskFiles(inside: string, { ports, accounts }: AsteriskSettings): Record<string, string> {
  const { sip, tls, rtp } = ports;
  const certificate = ["cert.pem", "key.pem", "ca.pem"].map((file) => join(inside, "etc", file));
  return {
    "asterisk.conf": [
      "[directories]",
      ...Object.entries({
        etc: "etc",
        varlib: "lib",
        db: "lib",
        key: "lib",
        spool: "spool",
        run: "run",
        log: "log",
      }).map(([name, folder]) => `ast${name}dir => ${inside}/${folder}`),
      "astdatadir => /usr/share/asterisk",
    ].join("\n"),
    // Debian's modules, without those that listen beyond loopback.
    "modules.conf": [
      "[modules]",
      "autoload=yes",
      ...[
        "chan_iax2",
        "pbx_dundi",
        "chan_unistim",
        "chan_ooh323",
        "chan_mgcp",
        "chan_skinny",
        "res_pjsip_transport_websocket",
      ].map((name) => `noload => ${name}.so`),
    ].join("\n"),
    "manager.conf": ["[general]", "enabled = no"].join("\n"),
    "rtp.conf": ["[general]", `rtpstart=${rtp.from}`, `rtpend=${rtp.to}`].join("\n"),
    "musiconhold.conf": ["[default]", "mode=files", `directory=${inside}/sounds/moh`].join("\n"),
    "features.conf": ["[general]", "[featuremap]", "blindxfer => #1", "atxfer => *2", ""].join("\n"),
    "logger.conf": ["[general]", "[logfiles]", "messages.log => notice,warning,error,verbose(5)"].join("\n"),
    "pjsip.conf": [
      transport("udp", "udp", `${LOOPBACK}:${sip}`),
      transport("tcp", "tcp", `${LOOPBACK}:${sip}`),
      transport("udp6", "udp", `[${LOOPBACK_6}]:${sip}`),
      transport("provider", "udp", `${PROVIDER_ADDRESS}:${sip}`),
      transport("tls", "tls", `${LOOPBACK}:${tls}`, [
        `cert_file=${certificate[0]}`,
        `priv_key_file=${certificate[1]}`,
        `ca_list_file=${certificate[2]}`,
        "method=tlsv1_2",
      ]),
      provider(ports),
      desk("desk1"),
      desk("desk2"),
      accounts.pjsip,
    ].join("\n"),
    "extensions.conf": [
      "[general]",
      "[globals]",
      accounts.extensions,
      // The desks' outside numbers stay inside, because Asterisk loses its own audio when a call passes through it
      // twice.
      "[from-ringward]",
      extension(PEOPLE.desk1, ["Dial(PJSIP/desk1,,tT)"]),
      extension(PEOPLE.desk2, ["Dial(PJSIP/desk2,,tT)"]),
      extension(PEOPLE.deskAlone, ["Dial(PJSIP/desk1)"]),
      "[from-internal]",
      extension("6001", ["Dial(PJSIP/desk1,,tT)"]),
      extension("6002", ["Dial(PJSIP/desk2,,tT)"]),
      // Asterisk calls 2001 and transfers the call (REFER); it continues the call if the REFER is not followed.
      extension(SENDS_AWAY, [
        "Answer()",
        "Wait(2)",
        "Transfer(PJSIP/desk1)",
        `Playback(${inside}/sounds/words)`,
        "Wait(60)",
      ]),
      "[from-provider]",
      ...peopleSteps(inside).map(([number, steps]) => extension(number, steps)),
    ].join("\n"),
  };
}
