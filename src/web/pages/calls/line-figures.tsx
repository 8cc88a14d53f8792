// The sound of a call in figures, each with the word for what it means.
import type { LineView, MediaView } from "../../../calls/life/line-service.ts";
import { Facts } from "../../components/parts.tsx";
import { formatNumber, formatShare } from "../../format.ts";

const words = {
  trunk: "Trunk",
  trunkGone: "Removed since",
  sound: "Sound quality",
  score: (mos: string) => `${mos} of 4.4 (MOS)`,
  nothingHeard: "Nothing was heard",
  loss: "Lost on the way here",
  lost: (share: string, lost: string, late: string) => `${share} (${lost} packets never came, ${late} came too late)`,
  jitter: "Jitter",
  evened: (jitter: string, buffer: string) => `${jitter} ms, evened out by waiting ${buffer} ms`,
  roundTrip: "Round trip",
  milliseconds: (value: string) => `${value} ms`,
  theirs: "Lost on the way there",
  theirLoss: (share: string, jitter: string) => `${share}, jitter ${jitter} ms`,
  notTold: "Not known: the other side sent no report",
  packets: "Audio packets",
  counts: (sent: string, received: string) => `${sent} sent, ${received} received`,
  ignored: (counts: string, ignored: string) => `${counts}, ${ignored} ignored`,
  oneWay: "No sound arrived from the other side.",
  oneWayAdvice:
    "Something between the trunk and this appliance holds it back: check that the firewall lets its RTP ports through, and that the address it names for media can be reached.",
  fromElsewhere:
    "Packets did come, but from another address than the trunk named, or in a codec that was not agreed on, so they were not taken. If the trunk is behind a NAT, set its symmetric_rtp.",
  unopened:
    "Packets did come, but from another address than the trunk named, or not encrypted with the agreed key, so they were not taken. Check the other side's SRTP settings; if the trunk is behind a NAT, set its symmetric_rtp.",
  codec: "Codec",
  codecs: {
    G722: "G.722 (wideband)",
    PCMA: "G.711 A-law",
    PCMU: "G.711 µ-law",
  } as Record<string, string>,
  encryption: "Encryption",
  encrypted: (suite: string) => `Encrypted (SRTP, ${suite})`,
  partlyClear: "In clear for a part of the call",
  inClear: "None: the audio went in clear",
  noSound: "No sound was exchanged.",
  soundLater: "Figures of the sound appear when the call has ended.",
};

/** ITU-T G.107, table B.1: how satisfied people are at which score. */
const GRADES: readonly (readonly [from: number, tone: string, word: string])[] = [
  [4.03, "good", "Very good"],
  [3.6, "good", "Good"],
  [3.1, "warn", "Fair: some people complain"],
  [2.58, "bad", "Poor: most people complain"],
  [0, "bad", "Bad: hard to understand"],
];

export function LineFigures({ line: { trunk_name, media }, isLive }: { line: LineView; isLive: boolean }) {
  const trunk = [words.trunk, trunk_name ?? words.trunkGone] as const;
  return (
    <>
      {media?.one_way_audio && (
        <p class="line-warning" role="note">
          <strong>{words.oneWay}</strong> {adviceFor(media)}
        </p>
      )}
      <Facts rows={media === null ? [trunk] : [trunk, ...figuresOf(media)]} />
      {media === null && <p class="note">{isLive ? words.soundLater : words.noSound}</p>}
    </>
  );
}

function adviceFor({ ignored_packets, encryption }: MediaView): string {
  if (ignored_packets === 0) return words.oneWayAdvice;
  return encryption ? words.unopened : words.fromElsewhere;
}

function figuresOf(media: MediaView) {
  const { loss_share, lost_packets, late_packets, jitter_ms, jitter_buffer_ms, round_trip_ms } = media;
  const { remote_loss_share, remote_jitter_ms, sent_packets, received_packets, ignored_packets } = media;
  const number = formatNumber;
  const isDeaf = received_packets === 0;
  const ofWhatWeHear = [
    [words.loss, words.lost(formatShare(loss_share), number(lost_packets), number(late_packets))],
    [words.jitter, words.evened(number(jitter_ms), number(jitter_buffer_ms))],
  ] as const;
  const counts = words.counts(number(sent_packets), number(received_packets));
  return [
    [words.sound, <Grade mos={media.mos} />] as const,
    ...(isDeaf ? [] : ofWhatWeHear),
    [words.roundTrip, round_trip_ms === null ? words.notTold : words.milliseconds(number(round_trip_ms))] as const,
    [
      words.theirs,
      remote_loss_share === null
        ? words.notTold
        : words.theirLoss(formatShare(remote_loss_share), number(remote_jitter_ms)),
    ] as const,
    [words.packets, ignored_packets > 0 ? words.ignored(counts, number(ignored_packets)) : counts] as const,
    ...(media.codec === null ? [] : [[words.codec, words.codecs[media.codec] ?? media.codec] as const]),
    [words.encryption, encryptionOf(media)] as const,
  ];
}

function encryptionOf({ encryption }: MediaView): string {
  if (!encryption) return words.inClear;
  return encryption.is_whole ? words.encrypted(encryption.suite) : words.partlyClear;
}

function Grade({ mos }: { mos: number | null }) {
  if (mos === null) return <>{words.nothingHeard}</>;
  const [, tone, word] = GRADES.find(([from]) => mos >= from) ?? [0, "bad", ""];
  return (
    <>
      <span class={`badge ${tone}`}>{word}</span> <span class="note">{words.score(formatNumber(mos))}</span>
    </>
  );
}
