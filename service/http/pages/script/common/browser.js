// Whether this browser has what the pages need. One that has not is told so at once, and nothing begins that would stop
// half-way.

const NEEDED = [
  globalThis.AbortSignal?.any, globalThis.DecompressionStream, globalThis.TextDecoderStream, globalThis.HTMLDialogElement,
  Array.prototype.findLast, Intl.ListFormat,
];

if (NEEDED.includes(undefined) || !("size" in URLSearchParams.prototype) || !("inert" in HTMLElement.prototype)) {
  document.getElementById("needs-browser").classList.add("is-needed");
  throw new Error("this page needs a newer browser");
}
