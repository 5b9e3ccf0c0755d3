/**
 * What makes the pictures of a page answer to a pointer and to the keyboard: each is one stop of the Tab key, the arrow
 * keys, Home, End, Page Up and Page Down go through its parts. Without it the browser's own tooltips remain.
 */
export const script = `"use strict";
const tip = document.querySelector(".tip");
const show = (text, x, y) => {
  tip.textContent = text;
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(x + 12, innerWidth - width - 4)) + "px";
  tip.style.top = (y + 20 + height > innerHeight ? Math.max(4, y - height - 8) : y + 16) + "px";
};
const hide = () => { tip.hidden = true; };
for (const picture of document.querySelectorAll(".muser svg")) {
  const items = [...picture.querySelectorAll(".item")];
  const texts = new Map();
  picture.setAttribute("role", "listbox");
  const frame = picture.parentElement; // Chromium makes a picture that listens for focus a stop of the Tab key itself
  for (const item of items) {
    const title = item.querySelector("title");
    texts.set(item, title.textContent);
    title.remove();
    item.setAttribute("role", "option");
    item.setAttribute("aria-label", texts.get(item).replace("\\n", ", "));
    item.tabIndex = -1;
  }
  if (items.length > 0) items[0].tabIndex = 0;
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
  frame.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    items[Math.max(0, Math.min(items.length - 1, items.indexOf(event.target) + step))].focus();
  });
  frame.addEventListener("focusin", ({ target }) => {
    for (const item of items) item.tabIndex = item === target ? 0 : -1;
    target.classList.add("here");
    const { left, bottom } = target.getBoundingClientRect();
    show(texts.get(target), left, bottom - 12);
  });
  frame.addEventListener("focusout", ({ target }) => {
    target.classList.remove("here");
    hide();
  });
  frame.addEventListener("pointermove", ({ target, clientX, clientY }) => {
    const text = texts.get(target.closest(".item"));
    if (text === undefined) hide(); else show(text, clientX, clientY);
  });
  frame.addEventListener("pointerleave", hide);
}
`;

/** The script's SHA-256 for the page's security policy, which lets no other script run; a test proves it. */
export const scriptHash = "sha256-aKRZqiA3eBFm/D538Fvybm/W20nPd3T1q7Gb1yzqpk8=";
