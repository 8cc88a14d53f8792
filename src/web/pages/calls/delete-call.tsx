// Confirmation before deleting a call: lists what is deleted and what stays, and says that it cannot be undone.
import { useLocation } from "preact-iso";
import { api, call } from "../../client.ts";
import { Confirm } from "../../kit/dialog.tsx";
import { listAddress } from "./filters.ts";
import { said } from "../../words.ts";

const words = said.calls.deleteCall;

interface DeleteCallProps {
  call: { call_id: string; status: string };
  onClose: () => void;
}

export function DeleteCall({ call: { call_id, status }, onClose }: DeleteCallProps) {
  const { route } = useLocation();
  const subject = api.calls({ call_id });
  return (
    <Confirm
      title={words.title}
      text={words.gone}
      action={words.confirm}
      cancel={words.keep}
      understood={words.understood}
      onClose={onClose}
      // Only owners may erase a call without a conversation.
      onConfirm={() => (status === "completed" ? call(subject.delete()) : call(subject.erase.post()))}
      done={words.done}
      onDone={() => route(listAddress(), true)}
    >
      <p>{words.stays}</p>
      <p class="note">{words.beyond}</p>
    </Confirm>
  );
}
