// Parses a chat server's answer into parts: text as it arrives, each tool call once it is complete.
import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { ServerFault, type ChatPart, type ToolCall } from "../port.ts";

const Nullable = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

const ToolCallPiece = Type.Object({
  index: Nullable(Type.Number()),
  id: Nullable(Type.String()),
  function: Nullable(Type.Object({ name: Nullable(Type.String()), arguments: Nullable(Type.String()) })),
});

const Words = Type.Object({ content: Nullable(Type.String()), tool_calls: Nullable(Type.Array(ToolCallPiece)) });

/** Covers stream pieces (`delta`) and complete answers (`message`); other fields are ignored. */
const Piece = Type.Object({
  choices: Type.Array(
    Type.Object({ delta: Nullable(Words), message: Nullable(Words), finish_reason: Nullable(Type.String()) }),
  ),
});

/** More in one answer means that the model is in a loop. */
const MOST_TOOL_CALLS = 16;
const MOST_ARGUMENT_CHARS = 16 * 1024;

export interface ChatParts {
  /** Parses one JSON text of the answer. Throws a ServerFault if it does not match the API. */
  read(json: string): ChatPart[];
  /** Returns the completed tool calls and the end. */
  end(): ChatPart[];
  hasEnded(): boolean;
}

export function createChatParts(): ChatParts {
  const calls = new Map<number, ToolCall>();
  let reason: string | null = null;

  const take = (pieces: readonly Static<typeof ToolCallPiece>[]) => {
    for (const [place, piece] of pieces.entries()) {
      const index = piece.index ?? indexWithout(calls, piece.id ?? "", place);
      const call = calls.get(index) ?? { id: "", name: "", arguments: "" };
      call.id ||= piece.id ?? "";
      // Some servers repeat the name in every piece.
      call.name ||= piece.function?.name ?? "";
      call.arguments += piece.function?.arguments ?? "";
      calls.set(index, call);
      if (calls.size > MOST_TOOL_CALLS || call.arguments.length > MOST_ARGUMENT_CHARS) throw new ServerFault("tooLong");
    }
  };

  return {
    read(json) {
      const [choice] = pieceOf(json).choices;
      const words = choice?.delta ?? choice?.message;
      take(words?.tool_calls ?? []);
      if (choice?.finish_reason) reason = choice.finish_reason;
      return words?.content ? [{ type: "text", text: words.content }] : [];
    },
    end() {
      const whole = [...calls].toSorted(([a], [b]) => a - b).map(([, call]) => call);
      if (whole.some(({ name }) => name === "")) throw new ServerFault("garbage");
      const parts = whole.map((call, i): ChatPart => {
        // A tool's answer is matched by id, and some servers send none.
        return { type: "toolCall", call: { ...call, id: call.id === "" ? `call_${i}` : call.id } };
      });
      return [...parts, { type: "end", reason: reason ?? "stop" }];
    },
    hasEnded: () => reason !== null,
  };
}

/** For servers without an index: a piece with an id starts a call, one without continues the last. */
function indexWithout(calls: ReadonlyMap<number, ToolCall>, id: string, place: number): number {
  if (id === "") return Math.max(calls.size - 1, place);
  const known = [...calls].find(([, call]) => call.id === id);
  return known?.[0] ?? calls.size;
}

function pieceOf(json: string): Static<typeof Piece> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new ServerFault("garbage");
  }
  // vLLM and llama.cpp report a fault within a stream as `error` instead of `choices`.
  if (!Value.Check(Piece, value)) throw new ServerFault("garbage");
  return value;
}
