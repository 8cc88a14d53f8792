// Actions on one call, with their dialogs.
import { useState } from "preact/hooks";
import type { CallPageData } from "../../../dashboard/call-page.ts";
import { Badge, Button } from "../../kit/parts.tsx";
import { useMay } from "../../session.tsx";
import { said } from "../../words.ts";
import { CallAgain } from "./call-again.tsx";
import { isUnderWay, isWaiting, stateText } from "./call-words.ts";
import { CancelCall } from "./cancel-call.tsx";
import { DeleteCall } from "./delete-call.tsx";
import { DoNotDisturb } from "./do-not-disturb.tsx";
import { EditCall } from "./edit-call.tsx";
import { HangUpCall } from "./hang-up-call.tsx";
import { callWork } from "./words.ts";

const words = said.calls.call;

type Question = "again" | "edit" | "disturb" | "cancel" | "hang-up" | "delete";

export function CallActions({ page, onChanged }: { page: CallPageData; onChanged: () => void }) {
  const { call: subject, is_do_not_disturb: isDisturb } = page;
  const isStaff = useMay("staff");
  const isOwner = useMay("owner");
  const [asking, setAsking] = useState<Question | null>(null);
  const { status } = subject;
  const isOver = !isWaiting(status) && !isUnderWay(status);
  const mayBeAgain = isOver && subject.call_direction === "outbound" && !isDisturb;
  // Only owners may erase a call without a conversation.
  const mayDelete = isOver && (status === "completed" || isOwner);
  return (
    <>
      <Badge state={status} text={stateText(status)} />
      {isDisturb && <Badge state="held" text={callWork.isDisturb} />}
      {isStaff && (
        <>
          {mayDelete && <Button kind="danger" onClick={() => setAsking("delete")} label={words.delete} />}
          {!isDisturb && <Button onClick={() => setAsking("disturb")} label={callWork.disturb} />}
          {isWaiting(status) && <Button onClick={() => setAsking("cancel")} label={words.cancel} />}
          {status === "scheduled" && <Button onClick={() => setAsking("edit")} label={callWork.edit} />}
          {isUnderWay(status) && <Button kind="danger" onClick={() => setAsking("hang-up")} label={words.hangUp} />}
          {mayBeAgain && <Button kind="primary" onClick={() => setAsking("again")} label={callWork.again} />}
        </>
      )}
      <Questions asking={asking} page={page} onClose={() => setAsking(null)} onDone={onChanged} />
    </>
  );
}

interface QuestionsProps {
  asking: Question | null;
  page: CallPageData;
  onClose: () => void;
  onDone: () => void;
}

function Questions({ asking, page: { call: subject }, onClose, onDone }: QuestionsProps) {
  switch (asking) {
    case "again":
      return <CallAgain call={subject} onClose={onClose} />;
    case "edit":
      return <EditCall call={subject} onClose={onClose} onDone={onDone} />;
    case "disturb":
      return <DoNotDisturb number={subject.contact_number} onClose={onClose} onDone={onDone} />;
    case "cancel":
      return <CancelCall call={subject} onClose={onClose} onDone={onDone} />;
    case "hang-up":
      return <HangUpCall call={subject} onClose={onClose} onDone={onDone} />;
    case "delete":
      return <DeleteCall call={subject} onClose={onClose} />;
    case null:
      return null;
  }
}
