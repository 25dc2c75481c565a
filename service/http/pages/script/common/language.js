// A language that the address names, such as `?lang=de`, goes along to the pages where this one leads; without one each
// page is in the language of the browser.

const PAGE = /^\/(?:$|(?:games|tournaments|ratings)\/[^/]+$|(?:tournaments|ratings|compare|desk)$)/;
const named = new URLSearchParams(location.search).get("lang");

// The address of a page, in the language of this one.
export function inLanguage(address) {
  if (!named || address.startsWith("#")) return address;
  const { origin, pathname, searchParams, hash } = new URL(address, location.href);
  if (origin !== location.origin || !PAGE.test(pathname)) return address;
  if (!searchParams.has("lang")) searchParams.set("lang", named);
  return `${pathname}?${searchParams}${hash}`;
}

function lead({ target }) {
  const link = target.closest?.("a[href]");
  if (link) link.setAttribute("href", inLanguage(link.getAttribute("href")));
}

// Before the browser follows the link, in this window or in another one.
for (const kind of ["click", "auxclick"]) document.addEventListener(kind, lead, { capture: true });
