// Audio quality of a call: figures, each with a rating.
import type { LineView, MediaView } from "../../../calls/life/line-service.ts";
import { Facts } from "../../kit/parts.tsx";
import { formatNumber, formatShare } from "../../format.ts";
import { said } from "../../words.ts";

const words = said.calls.lineFigures;

/** ITU-T G.107, table B.1: user satisfaction by score. */
const GRADES: readonly (readonly [from: number, tone: string, word: string])[] = [
  [4.03, "good", words.grades.best],
  [3.6, "good", words.grades.good],
  [3.1, "warn", words.grades.fair],
  [2.58, "bad", words.grades.poor],
  [0, "bad", words.grades.bad],
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
