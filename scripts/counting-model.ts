// A language model of 2.5 MB for llama-server, in GGUF (version 3), with deterministic answers: it counts to twelve,
// sings until it is stopped, greets in Hindi, or calls a tool if it has tools. It is not trained. Attention and
// feed-forward are zero, so the next token depends only on the last one, and the output matrix is a transition table.
// With a JSON schema it writes matching JSON.

/** The default answer. */
export const COUNTED = "one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve.";
/** A prompt with this gets " la" until the token limit or a disconnect. */
export const SING = "sing without end";
/** A prompt with this gets a greeting in tokens that split characters, like those of real models. */
export const GREET = "greet in Hindi";
export const GREETING = "नमस्ते। आपका स्वागत है।";
/** The tool call it makes on a user message, whichever tools it has. */
export const CALLED = { name: "offer_slots", arguments: { day: "Friday" } };
export const CONTEXT_TOKENS = 16_384;

const START = "<|im_start|>";
const END = "<|im_end|>";
const SINGS = "<|sings|>";
const GREETS = "<|greets|>";
const CALLS = "<|calls|>";

/**
 * The format of Hermes and Qwen, from which llama-server derives the syntax of tool calls. The last line of the prompt
 * selects the answer: counting starts after a line end, the others after special tokens.
 */
const CHAT_TEMPLATE = [
  `{%- if tools %}{{ '${START}system\n<tools>' }}{% for tool in tools %}{{ '\n' + (tool | tojson) }}{% endfor %}`,
  `{{ '\n</tools>\n<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>${END}\n' }}`,
  `{%- endif %}{%- for m in messages %}{{ '${START}' + m.role + '\n' + (m.content or '') }}`,
  `{%- for call in m.tool_calls or [] %}{{ '\n<tool_call>\n{"name": "' + call.function.name + '", "arguments": ' }}`,
  `{{- call.function.arguments | tojson }}{{ '}\n</tool_call>' }}{% endfor %}{{ '${END}\n' }}{%- endfor %}`,
  `{%- if add_generation_prompt %}{{ '${START}assistant\n' }}`,
  `{%- if tools and (messages | last).role == 'user' %}{{ '${CALLS}' }}`,
  `{%- elif '${GREET}' in ((messages | last).content or '') %}{{ '${GREETS}' }}`,
  `{%- elif '${SING}' in ((messages | last).content or '') %}{{ '${SINGS}' }}{% endif %}{% endif %}`,
].join("");

const NUMBERS = COUNTED.split(" ").map((word, i) => (i === 0 ? word : ` ${word}`));
const LA = " la";
/** Its arguments span several tokens, so they arrive in pieces. */
const CALL = [
  "<tool_call>",
  '\n{"name": "',
  CALLED.name,
  '", "arguments": ',
  ...cut(JSON.stringify(CALLED.arguments), 4),
  "}\n",
  "</tool_call>",
];

function cut<T extends string | Uint8Array>(whole: T, size: number): T[] {
  return Array.from({ length: Math.ceil(whole.length / size) }, (_, i) => whole.slice(i * size, (i + 1) * size) as T);
}

const EMBEDDING = 320;
const HEADS = 4;
const FEED_FORWARD = 32;
/** A dimension shared by all tokens: it makes a token likely after any other. */
const EVERY = EMBEDDING - 1;

/** GPT-2 maps each byte to a visible character; bytes without one are mapped after the Latin letters. */
function byteTokens(): string[] {
  let moved = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const isVisible = (byte >= 33 && byte <= 126) || (byte >= 161 && byte !== 173);
    return String.fromCodePoint(isVisible ? byte : moved++);
  });
}

const BYTES = byteTokens();
const writtenBytes = (bytes: Uint8Array) => Array.from(bytes, (byte) => BYTES[byte]).join("");
const written = (text: string) => writtenBytes(Buffer.from(text));
/** Each character has three bytes. */
const GREETING_CUTS = cut(Buffer.from(GREETING), 7).map(writtenBytes);
const SPECIAL = [START, END, SINGS, GREETS, CALLS];
const TOKENS = [...BYTES, ...[...NUMBERS, LA, ...CALL, ...SPECIAL].map(written), ...GREETING_CUTS];
const idOf = (token: string) => TOKENS.indexOf(written(token));
const byteId = (letter: string) => letter.charCodeAt(0);

/** Row: the next token; column: the previous one. */
function whatFollowsWhat(): Float32Array {
  const table = new Float32Array(TOKENS.length * EMBEDDING);
  const follows = (next: number, before: number, weight: number) => {
    table[next * EMBEDDING + before] = weight;
  };
  const chain = (...ids: number[]) => {
    for (const [i, id] of ids.slice(1).entries()) follows(id, ids[i] ?? 0, 2);
  };
  chain(byteId("\n"), ...NUMBERS.map(idOf), idOf(END));
  chain(idOf(SINGS), idOf(LA), idOf(LA));
  chain(idOf(GREETS), ...GREETING_CUTS.map((token) => TOKENS.indexOf(token)), idOf(END));
  chain(idOf(CALLS), ...CALL.map(idOf), idOf(END));
  // Inside JSON only the schema limits the next token: a string is closed after one letter, and "t" is preferred.
  follows(byteId('"'), EVERY, 1);
  follows(byteId("t"), EVERY, 0.5);
  chain(byteId('"'), byteId("t"));
  return table;
}

interface Tensor {
  name: string;
  /** Fastest-varying dimension first. */
  shape: number[];
  values: Float32Array;
}

function tensors(): Tensor[] {
  const zeros = (name: string, ...shape: number[]) => ({
    name,
    shape,
    values: new Float32Array(shape.reduce((product, size) => product * size, 1)),
  });
  const ones = (name: string) => ({ name, shape: [EMBEDDING], values: new Float32Array(EMBEDDING).fill(1) });
  const embedding = new Float32Array(TOKENS.length * EMBEDDING);
  for (const id of TOKENS.keys()) {
    embedding[id * EMBEDDING + id] = 1;
    embedding[id * EMBEDDING + EVERY] = 1;
  }
  return [
    { name: "token_embd.weight", shape: [EMBEDDING, TOKENS.length], values: embedding },
    ones("output_norm.weight"),
    { name: "output.weight", shape: [EMBEDDING, TOKENS.length], values: whatFollowsWhat() },
    ones("blk.0.attn_norm.weight"),
    ones("blk.0.ffn_norm.weight"),
    ...["attn_q", "attn_k", "attn_v", "attn_output"].map((name) => zeros(`blk.0.${name}.weight`, EMBEDDING, EMBEDDING)),
    zeros("blk.0.ffn_gate.weight", EMBEDDING, FEED_FORWARD),
    zeros("blk.0.ffn_up.weight", EMBEDDING, FEED_FORWARD),
    zeros("blk.0.ffn_down.weight", FEED_FORWARD, EMBEDDING),
  ];
}

type Value =
  | { type: "u32" | "f32"; value: number }
  | { type: "bool"; value: boolean }
  | { type: "string"; value: string }
  | { type: "strings"; value: readonly string[] }
  | { type: "i32s"; value: readonly number[] };

const u32 = (value: number): Value => ({ type: "u32", value });
const string = (value: string): Value => ({ type: "string", value });

const FACTS: Readonly<Record<string, Value>> = {
  "general.architecture": string("llama"),
  "general.name": string("counts to twelve"),
  "general.file_type": u32(0),
  "llama.context_length": u32(CONTEXT_TOKENS),
  "llama.embedding_length": u32(EMBEDDING),
  "llama.block_count": u32(1),
  "llama.feed_forward_length": u32(FEED_FORWARD),
  "llama.attention.head_count": u32(HEADS),
  "llama.attention.head_count_kv": u32(HEADS),
  "llama.attention.layer_norm_rms_epsilon": { type: "f32", value: 1e-5 },
  "llama.rope.dimension_count": u32(EMBEDDING / HEADS),
  "tokenizer.ggml.model": string("gpt2"),
  "tokenizer.ggml.pre": string("gpt-2"),
  "tokenizer.ggml.tokens": { type: "strings", value: TOKENS },
  // 1: a normal token; 3: a control token, which is never printed.
  "tokenizer.ggml.token_type": { type: "i32s", value: TOKENS.map((token) => (SPECIAL.includes(token) ? 3 : 1)) },
  // The tokenizer requires at least one merge; its result is not a token, so every prompt is read byte by byte.
  "tokenizer.ggml.merges": { type: "strings", value: ["\u0120 t"] },
  "tokenizer.ggml.bos_token_id": u32(idOf(START)),
  "tokenizer.ggml.eos_token_id": u32(idOf(END)),
  "tokenizer.ggml.add_bos_token": { type: "bool", value: false },
  "tokenizer.chat_template": string(CHAT_TEMPLATE),
};

const TYPE_CODES = { u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9 } as const;
const ALIGNMENT = 32;

function number32(write: "writeUInt32LE" | "writeInt32LE" | "writeFloatLE", value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes[write](value);
  return bytes;
}
const u32Bytes = (value: number) => number32("writeUInt32LE", value);
function u64Bytes(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
const stringBytes = (text: string) => Buffer.concat([u64Bytes(Buffer.byteLength(text)), Buffer.from(text)]);
const arrayBytes = (type: "string" | "i32", items: readonly Buffer[]) =>
  Buffer.concat([u32Bytes(TYPE_CODES.array), u32Bytes(TYPE_CODES[type]), u64Bytes(items.length), ...items]);

function valueBytes(fact: Value): Buffer {
  switch (fact.type) {
    case "u32":
      return Buffer.concat([u32Bytes(TYPE_CODES.u32), u32Bytes(fact.value)]);
    case "f32":
      return Buffer.concat([u32Bytes(TYPE_CODES.f32), number32("writeFloatLE", fact.value)]);
    case "bool":
      return Buffer.concat([u32Bytes(TYPE_CODES.bool), Buffer.from([fact.value ? 1 : 0])]);
    case "string":
      return Buffer.concat([u32Bytes(TYPE_CODES.string), stringBytes(fact.value)]);
    case "strings":
      return arrayBytes("string", fact.value.map(stringBytes));
    case "i32s":
      return arrayBytes(
        "i32",
        fact.value.map((value) => number32("writeInt32LE", value)),
      );
  }
}

const padded = (bytes: Buffer) =>
  Buffer.concat([bytes, Buffer.alloc((ALIGNMENT - (bytes.length % ALIGNMENT)) % ALIGNMENT)]);

/** Returns the whole file. */
export function countingModel(): Buffer {
  const facts = Object.entries(FACTS).map(([key, fact]) => Buffer.concat([stringBytes(key), valueBytes(fact)]));
  const infos: Buffer[] = [];
  const contents: Buffer[] = [];
  let offset = 0;
  for (const { name, shape, values } of tensors()) {
    const dimensions = [u32Bytes(shape.length), ...shape.map(u64Bytes)];
    // 0: 32-bit floats.
    infos.push(Buffer.concat([stringBytes(name), ...dimensions, u32Bytes(0), u64Bytes(offset)]));
    const content = padded(Buffer.from(values.buffer));
    contents.push(content);
    offset += content.length;
  }
  const head = [Buffer.from("GGUF"), u32Bytes(3), u64Bytes(infos.length), u64Bytes(facts.length)];
  return Buffer.concat([padded(Buffer.concat([...head, ...facts, ...infos])), ...contents]);
}
