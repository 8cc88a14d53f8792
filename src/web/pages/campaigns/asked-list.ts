// Check of the list while a campaign is created: uploaded whenever the list or its interpretation changes. Nothing is
// stored.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ListView } from "../../../dashboard/campaign-list.ts";
import type { AskedOfList } from "../../../dashboard/list-job.ts";
import { messageOf } from "../../client.ts";
import { postForm } from "../../upload.ts";

export type { ListView };

export interface ListSource {
  kind: "file" | "paste";
  file: File | null;
  text: string;
}

/** Settings that the user changed from the guess. */
export type Choices = Omit<AskedOfList, "agent_id">;

const LIST_PATH = "/dashboard/api/campaigns/list";
const TYPING_PAUSE_MS = 500;
const NO_ANSWER = { view: null, problem: null };

export interface AskedList {
  view: ListView | null;
  /** The result shown is outdated, or there is none yet. */
  isReading: boolean;
  problem: string | null;
  downloadFaulty: () => Promise<Blob>;
}

export function useAskedList(agentId: string, source: ListSource, choices: Choices): AskedList {
  const [answer, setAnswer] = useState<Pick<AskedList, "view" | "problem">>(NO_ANSWER);
  const [isReading, setReading] = useState(false);
  const question = useRef(0);
  const form = formOf(agentId, source, choices);
  const list = source.kind === "file" ? source.file : source.text;

  useEffect(() => {
    const mine = ++question.current;
    setReading(form !== null);
    if (form === null) {
      setAnswer(NO_ANSWER);
      return undefined;
    }
    const settle = (settled: Pick<AskedList, "view" | "problem">) => {
      if (mine !== question.current) return;
      setAnswer(settled);
      setReading(false);
    };
    const ask = () =>
      postForm(LIST_PATH, form)
        .then((response) => response.json() as Promise<ListView>)
        .then(
          (view) => settle({ view, problem: null }),
          (error: unknown) => settle({ view: null, problem: messageOf(error) }),
        );
    const timer = setTimeout(() => void ask(), source.kind === "paste" ? TYPING_PAUSE_MS : 0);
    return () => clearTimeout(timer);
  }, [agentId, source.kind, list, JSON.stringify(choices)]);

  return {
    ...answer,
    isReading,
    downloadFaulty: async () => {
      if (form === null) throw new Error("There is no list.");
      return (await postForm(`${LIST_PATH}/faulty.csv`, form)).blob();
    },
  };
}

/** Null while input is missing. */
function formOf(agentId: string, { kind, file, text }: ListSource, choices: Choices): FormData | null {
  const hasList = kind === "file" ? file !== null : text.trim() !== "";
  if (agentId === "" || !hasList) return null;
  const form = new FormData();
  form.set("asked", JSON.stringify({ agent_id: agentId, ...choices }));
  if (kind === "paste") form.set("text", text);
  else if (file) form.set("file", file);
  return form;
}
