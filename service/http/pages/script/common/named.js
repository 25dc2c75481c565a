// What the address of a page names beyond the page: `/tournaments/autumn`.

// The part behind the page's own address; empty where there is none.
export function namedInAddress() {
  const part = location.pathname.split("/")[2] ?? "";
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

// Shows in which language the page is, and has the others lead to the same place: to the fragment of the address, or
// to what `placed` says.
export function beginLanguages(list, language, placed = () => location.hash) {
  for (const each of list.children) {
    if (each.lang === language) each.setAttribute("aria-current", "true");
    each.addEventListener("click", () => {
      const query = new URLSearchParams(location.search);
      query.set("lang", each.lang);
      each.search = query;
      each.hash = placed();
    });
  }
}
