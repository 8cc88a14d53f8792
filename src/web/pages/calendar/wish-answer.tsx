// What the hospital's own system knows of an appointment, and the answer to an open wish, given by staff.
import type { Appointment } from "../../../payloads/appointment.ts";
import type { WishAnswer as Answer } from "../../../payloads/source.ts";
import { useAction } from "../../action.ts";
import { api, call } from "../../client.ts";
import { Button, Problem } from "../../kit/parts.tsx";
import { useCalendar, type KnownSource } from "./calendar-context.ts";
import { sourceWords } from "./words.ts";

/** Rows of the dialog of an appointment. */
export function sourceFacts(
  sources: readonly KnownSource[],
  { source_id, external_id, practitioner, wish }: Appointment,
): [label: string, value: string][] {
  const name = sources.find((each) => each.source_id === source_id)?.name ?? sourceWords.removedSource;
  const doctor = practitioner && (practitioner.name ?? practitioner.id);
  return [
    ...(doctor ? [[sourceWords.practitioner, doctor] as [string, string]] : []),
    ...(source_id === null ? [] : [[sourceWords.source, name] as [string, string]]),
    ...(external_id === null ? [] : [[sourceWords.externalId, external_id] as [string, string]]),
    ...(wish === null
      ? []
      : [[sourceWords.wish, sourceWords.wishes[wish.wish][wish.state](wish.text)] as [string, string]]),
  ];
}

/** For a system that does not answer by itself: staff say what came of the wish there. */
export function WishAnswer({ appointment }: { appointment: Appointment }) {
  const { finish } = useCalendar();
  const submission = useAction();
  const { wish, appointment_id, status } = appointment;
  if (wish?.state !== "open" || status !== "confirmed") return null;
  const answer = (state: Answer) => async () => {
    const work = () => call(api.appointments({ id: appointment_id }).wish.post({ state }));
    if (await submission.run(work)) finish(sourceWords.answered);
  };
  return (
    <div class="cal-question">
      <p class="note">{sourceWords.answerNote}</p>
      <Problem text={submission.error} />
      <div class="actions">
        <Button busy={submission.busy} onClick={answer("agreed")} label={sourceWords.agreed} />
        <Button busy={submission.busy} onClick={answer("declined")} label={sourceWords.declined} />
      </div>
    </div>
  );
}
