// What came of the recording of a call, and which notices were heard.
import type { CallView } from "../../../calls/model.ts";
import type { NoticeView } from "../../../payloads/lawful-schema.ts";
import { formatClock, formatTime } from "../../format.ts";
import { said } from "../../words.ts";

const words = said.recordingMode;

/** Mode, the callee's answer and the recorded part. */
export function recordingText({ recording }: Pick<CallView, "recording">): string | null {
  if (!recording) return null;
  const { mode, consent, from, until } = recording;
  const answer = consent === null ? (mode === "ask" ? words.noAnswer : null) : (words.consents[consent] ?? consent);
  const part = from === null ? null : until === null ? words.from(formatClock(from)) : between(from, until);
  return [words.modes[mode] ?? mode, answer, part].filter((text) => text !== null).join(", ");
}

const between = (from: number, until: number): string => words.between(formatClock(from), formatClock(until));

/** Why a call has no recording; null if the reason is not known. */
export function whyNotRecorded({ recording, recording_expired_at: expiredAt }: CallView, zone: string): string | null {
  if (expiredAt !== null) return words.expired(formatTime(expiredAt, zone));
  // Recorded, but lost with the disk.
  if (!recording || recording.from !== null) return null;
  if (recording.mode === "off") return words.notRecorded.off;
  if (recording.mode === "announce") return words.notRecorded.notAnnounced;
  return recording.consent === null ? words.notRecorded.noAnswer : words.notRecorded.refused;
}

export function Notices({ notices }: Pick<CallView, "notices">) {
  if (!notices?.length) return null;
  return (
    <p class="note notices">
      {words.notices["title"]}: {noticesText(notices)}
    </p>
  );
}

/** Which notices were heard, and when. */
export const noticesText = (notices: readonly NoticeView[]): string =>
  notices
    .map(({ kind, heard_at }) => {
      const heard = heard_at === null ? words.cutOff : words.heardAt(formatClock(heard_at));
      return `${words.notices[kind] ?? kind} (${heard})`;
    })
    .join(", ");
