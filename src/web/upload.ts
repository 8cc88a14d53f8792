// Upload of a file as request body, with progress, which fetch does not report.
import { offline, OWN_PAGE, refusal } from "./client.ts";

export interface Upload {
  path: string;
  type: string;
  file: Blob;
  /** From 0 to 1. */
  onProgress: (share: number) => void;
}

export function putFile({ path, type, file, onProgress }: Upload): Promise<void> {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open("PUT", path);
    request.setRequestHeader("content-type", type);
    for (const [name, value] of Object.entries(OWN_PAGE)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    request.addEventListener("error", () => failed(offline()));
    request.addEventListener("load", () => {
      if (request.status < 300) done();
      else failed(refusal(request.status, parsed(request.responseText)));
    });
    request.send(file);
  });
}

/** Posts a form with a file, and returns the response. */
export async function postForm(path: string, form: FormData): Promise<Response> {
  const response = await fetch(path, { method: "POST", body: form, headers: OWN_PAGE }).catch(() => {
    throw offline();
  });
  if (response.ok) return response;
  throw refusal(response.status, parsed(await response.text()));
}

/** Offers the content as a download with this name. */
export function offerFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
