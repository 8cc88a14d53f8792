// Runs baresip, an independent SIP telephone, on loopback in its own folder. It answers, plays a sound, records what it
// hears, and takes commands over its control port. Needs Debian's baresip-core.
import { afterAll, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { audioPorts, freeSipPort } from "./free-ports.ts";
import type { Certificate } from "./private-ca.ts";
import { SAMPLE_RATE_HZ, pcmWav, readPcmWav, saidOver, thenSilence } from "./sounds.ts";
import { until } from "./until.ts";
import { skipsFor } from "./skips.ts";

/** Whatever becomes of the test, no telephone outlives it by more. */
const LONGEST_LIFE_SECONDS = 600;
/** When its sound ends baresip hangs up, so silence follows for longer than a test lasts. */
const SILENCE_AFTER_SECONDS = 180;

export interface PhoneOptions {
  /** The number that it answers to. */
  number: string;
  /** What it says from the answer on, three times over; at 16 kHz where it speaks G.722, at 8 otherwise. */
  says?: Int16Array;
  /** `manual` rings until `accept` or `hangUp`. */
  answers?: "auto" | "manual";
  codec?: "PCMU" | "PCMA" | "G722";
  /** Where it registers; without it, it is called at its address. */
  registrar?: { address: string; secret: string };
  address?: string;
  port?: number;
  /** For who is called late. */
  livesSeconds?: number;
  /** It speaks SIP over TLS as well, on the port after its own, with this certificate. */
  certificate?: Certificate;
  /**
   * baresip's names: `srtp` gives keys beside plain RTP, `srtp-mand` takes no call without. Without it, all is in
   * clear.
   */
  encryption?: "srtp" | "srtp-mand";
}

/** As baresip names them: CALL_INCOMING, CALL_ESTABLISHED, CALL_CLOSED, TRANSFER, TRANSFER_FAILED, … */
export interface PhoneEvent {
  type: string;
  param: string;
}

export interface Phone {
  readonly port: number;
  /** `sip:number@address:port` */
  readonly uri: string;
  readonly events: readonly PhoneEvent[];
  /** Waits until it told this so many times. */
  told(type: string, times?: number, withinMs?: number): Promise<void>;
  dial(uri: string): Promise<void>;
  accept(): Promise<void>;
  press(keys: string): Promise<void>;
  /**
   * From now on, instead of what it was saying; silence, or a room that goes on around the words, follows by itself.
   */
  say(samples: Int16Array): Promise<void>;
  hold(): Promise<void>;
  resume(): Promise<void>;
  transfer(uri: string): Promise<void>;
  hangUp(): Promise<void>;
  /** What it has heard in its last call, at the rate of its codec. */
  heard(): Int16Array;
  output(): string;
  stop(): Promise<void>;
}

/** Skipped where baresip is missing; scripts/test brings it, and counts it as failed in CI where it cannot. */
const isPhoneMissing = skipsFor(Bun.which("baresip") === null, "needs baresip");
export const testWithPhone = test.skipIf(isPhoneMissing);
/** Beside the file's others of the kind: their calls are made together. */
export const testWithPhoneBeside = test.concurrent.skipIf(isPhoneMissing);

const ringing = new Set<Phone>();

/** For the top of a test file: no telephone outlives it. */
export function putPhonesAway(): void {
  afterAll(() => Promise.all([...ringing].map((phone) => phone.stop())));
}

export async function startPhone(options: PhoneOptions): Promise<Phone> {
  const { address = "127.0.0.1" } = options;
  const folder = mkdtempSync(join(tmpdir(), "ringward-phone-"));
  const recordings = join(folder, "heard");
  mkdirSync(recordings);
  const port = options.port ?? freeSipPort();
  const controlPort = freeSipPort();
  const rateHz = rateOf(options);
  writeFileSync(
    join(folder, "says.wav"),
    pcmWav(thenSilence(saidOver(options.says ?? new Int16Array(0)), SILENCE_AFTER_SECONDS), rateHz),
  );
  const { certificate } = options;
  const pemFile = certificate ? join(folder, "certificate.pem") : null;
  if (certificate && pemFile !== null) writeFileSync(pemFile, certificate.certPem + certificate.keyPem);
  writeFileSync(join(folder, "config"), settings({ address, port, controlPort, folder, recordings, pemFile, rateHz }));
  writeFileSync(join(folder, "accounts"), account(options, address, port));

  const child = Bun.spawn(
    [
      "baresip",
      address.includes(":") ? "-6" : "-4",
      "-f",
      folder,
      "-t",
      String(options.livesSeconds ?? LONGEST_LIFE_SECONDS),
      "-v",
    ],
    {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  let output = "";
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    for await (const chunk of stream) output += Buffer.from(chunk).toString("utf8");
  };
  void collect(child.stdout);
  void collect(child.stderr);
  await until(() => output.includes("baresip is ready.") || child.exitCode !== null, { what: () => output });
  if (child.exitCode !== null) throw new Error(`baresip ended with ${child.exitCode}:\n${output}`);
  const events: PhoneEvent[] = [];
  let said = 0;
  const control = await connectControl(controlPort, (event) => events.push(event));

  const phone: Phone = {
    port,
    uri: `sip:${options.number}@${bracketed(address)}:${port}`,
    events,
    told: (type, times = 1, withinMs = 60_000) =>
      until(() => events.filter((event) => event.type === type).length >= times, {
        withinMs,
        what: () => `the telephone told ${JSON.stringify(events)}, not ${type}\n${output}`,
      }),
    dial: (uri) => control.command("dial", uri),
    accept: () => control.command("accept"),
    press: (keys) => control.command("sndcode", keys),
    async say(samples) {
      const file = join(folder, `says-${++said}.wav`);
      writeFileSync(file, pcmWav(samples, rateHz));
      await control.command("ausrc", `aufile,${file}`);
    },
    hold: () => control.command("hold"),
    resume: () => control.command("resume"),
    transfer: (uri) => control.command("transfer", uri),
    hangUp: () => control.command("hangup"),
    heard() {
      const last = readdirSync(recordings)
        .filter((file) => file.endsWith("-dec.wav"))
        .toSorted()
        .at(-1);
      return last === undefined ? new Int16Array(0) : readPcmWav(readFileSync(join(recordings, last)));
    },
    output: () => output,
    async stop() {
      if (!ringing.delete(phone)) return;
      control.close();
      // It has nothing to lose: what it heard is read before, and its folder goes.
      child.kill("SIGKILL");
      await child.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
  ringing.add(phone);
  return phone;
}

function bracketed(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

interface Places {
  address: string;
  port: number;
  controlPort: number;
  folder: string;
  recordings: string;
  pemFile: string | null;
  rateHz: number;
}

function rateOf({ codec }: PhoneOptions): number {
  return codec === "G722" ? 16_000 : SAMPLE_RATE_HZ;
}

function settings({ address, port, controlPort, folder, recordings, pemFile, rateHz }: Places): string {
  const { from, to } = audioPorts(16);
  return [
    // The address itself: given the name of the interface, baresip finds no address on loopback.
    `net_interface ${address}`,
    `sip_listen ${bracketed(address)}:${port}`,
    ...(pemFile === null ? [] : [`sip_certificate ${pemFile}`]),
    `rtp_ports ${from}-${to}`,
    `ctrl_tcp_listen 127.0.0.1:${controlPort}`,
    "call_max_calls 4",
    `audio_source aufile,${folder}/says.wav`,
    // There is no such player, and none is needed: what is heard is kept before it would be played.
    "audio_player none",
    "audio_alert none",
    ...["ausrc", "auplay"].flatMap((side) => [`${side}_srate ${rateHz}`, `${side}_channels 1`]),
    "audio_buffer 20-160",
    "jitter_buffer_delay 2-10",
    `snd_path ${recordings}`,
    "module_path /usr/lib/baresip/modules",
    ...["g711", "g722", "aufile", "sndfile", "srtp"].map((name) => `module ${name}.so`),
    "module_tmp account.so",
    ...["menu", "ctrl_tcp"].map((name) => `module_app ${name}.so`),
    "",
  ].join("\n");
}

function account(options: PhoneOptions, address: string, port: number) {
  const { number, answers = "auto", codec = "PCMU", registrar, encryption } = options;
  const where = registrar?.address ?? `${bracketed(address)}:${port}`;
  const registration = registrar ? `auth_user=${number};auth_pass=${registrar.secret};regint=60` : "regint=0";
  const mediaenc = encryption ? `;mediaenc=${encryption}` : "";
  return `<sip:${number}@${where}>;${registration};answermode=${answers};audio_codecs=${codec}/${rateOf(options)}/1${mediaenc}\n`;
}

/** JSON in netstrings: `12:{"a":"b",…},` */
async function connectControl(port: number, onEvent: (event: PhoneEvent) => void) {
  let buffered = "";
  const waiting: ((answer: { ok: boolean; data: string }) => void)[] = [];
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(_, bytes) {
        buffered += bytes.toString("latin1");
        for (let match = /^(\d+):/.exec(buffered); match; match = /^(\d+):/.exec(buffered)) {
          const from = match[0].length;
          const end = from + Number(match[1]);
          if (buffered.length <= end) return;
          const message = JSON.parse(buffered.slice(from, end)) as {
            event?: boolean;
            type: string;
            param?: string;
            ok: boolean;
            data: string;
          };
          buffered = buffered.slice(end + 1);
          if (message.event) onEvent({ type: message.type, param: message.param ?? "" });
          else waiting.shift()?.(message);
        }
      },
    },
  });
  return {
    async command(name: string, params = ""): Promise<void> {
      const text = JSON.stringify({ command: name, params, token: name });
      const answered = new Promise<{ ok: boolean; data: string }>((done) => waiting.push(done));
      socket.write(`${text.length}:${text},`);
      const { ok, data } = await answered;
      if (!ok) throw new Error(`The telephone would not ${name} ${params}: ${data}`);
    },
    close: () => socket.end(),
  };
}
