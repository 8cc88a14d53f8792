// Form values of a model server, and the conversion from and to the API.
import type { Versioned } from "../../../core/entity-tag.ts";
import type { ModelServerView } from "../../../agents/model-servers/known-server.ts";

export type ModelServer = Versioned<ModelServerView>;

export interface ServerForm {
  name: string;
  role: string;
  baseUrl: string;
  /** Whether a key is stored; the key itself is never sent to the browser. */
  hadKey: boolean;
  keepsKey: boolean;
  key: string;
  model: string;
  voice: string;
  /** As typed: "hi, ta". */
  languages: string;
  caPem: string;
  firstMs: string;
  totalMs: string;
  isDefault: boolean;
}

/** Same as the defaults of the server; a test compares the two. */
export const EMPTY_SERVER: ServerForm = {
  name: "",
  role: "language",
  baseUrl: "",
  hadKey: false,
  keepsKey: false,
  key: "",
  model: "",
  voice: "",
  languages: "",
  caPem: "",
  firstMs: "2500",
  totalMs: "20000",
  isDefault: true,
};

export function formOf(server: ModelServer): ServerForm {
  return {
    name: server.name,
    role: server.role,
    baseUrl: server.base_url ?? "",
    hadKey: server.has_key,
    keepsKey: server.has_key,
    key: "",
    model: server.model,
    voice: server.voice,
    languages: server.languages.join(", "),
    caPem: server.ca_pem ?? "",
    firstMs: String(server.first_ms),
    totalMs: String(server.total_ms),
    isDefault: server.is_default,
  };
}

export function bodyOf(form: ServerForm) {
  return {
    name: form.name.trim(),
    role: form.role,
    base_url: form.baseUrl.trim(),
    ...(form.keepsKey ? {} : { key: form.key.trim() === "" ? null : form.key.trim() }),
    model: form.model.trim(),
    voice: form.role === "voice" ? form.voice.trim() : "",
    languages: form.languages.split(/[\s,]+/).filter((language) => language !== ""),
    ca_pem: form.caPem.trim() === "" ? null : form.caPem.trim(),
    first_ms: Number(form.firstMs),
    total_ms: Number(form.totalMs),
    is_default: form.isDefault,
  };
}
