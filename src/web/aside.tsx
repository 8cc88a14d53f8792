// Sets a page aside: removes it from the document with its state, and keeps it in this tab's memory until its user is
// back. Input is not lost, and no other person sees patient data on the screen.
import { render, type ComponentChild } from "preact";
import { catchUp } from "./change-stream.ts";

let page: HTMLElement | null = null;
let door: HTMLElement | null = null;
let title = "";

export function isAside(): boolean {
  return page !== null;
}

/** Replaces the page with `instead`. */
export function putAside(instead: ComponentChild): void {
  const app = document.getElementById("app");
  if (page !== null || !app) return;
  page = app;
  title = document.title;
  door = document.createElement("div");
  app.replaceWith(door);
  render(instead, door);
}

export function bringBack(): void {
  if (!page || !door) return;
  render(null, door);
  door.replaceWith(page);
  // A dialog removed from the document leaves the top layer. Removing `open` first allows showModal() without a close
  // event.
  for (const dialog of page.querySelectorAll("dialog[open]")) {
    dialog.removeAttribute("open");
    if (dialog instanceof HTMLDialogElement) dialog.showModal();
  }
  document.title = title;
  page = door = null;
  catchUp();
}
