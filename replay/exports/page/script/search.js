// Searching the sentences, as the chosen perspective has them.

const search = { sought: "", matches: [] };
let searchTimer = 0;

function find(sought) {
  search.sought = sought.trim().toLocaleLowerCase(data.language);
  search.matches = [];
  if (search.sought) {
    for (let version = 1; version <= last; version += 1) {
      if (sentenceAt(version, place.perspective).toLocaleLowerCase(data.language).includes(search.sought)) search.matches.push(version);
    }
  }
}

function drawFound() {
  const count = search.matches.length;
  const number = countUpTo(search.matches, place.version);
  byId("found").textContent = !search.sought ? "" : count ? filled(labels.matches, { number, count }) : labels.no_match;
  for (const button of document.querySelectorAll("[data-go^=match]")) button.disabled = !count;
}

function steppedMatch(direction) {
  const { matches } = search;
  const index = direction > 0 ? countUpTo(matches, place.version) : countUpTo(matches, place.version - 1) - 1;
  return matches[(index + matches.length) % matches.length] ?? place.version;
}

function searchAnew() {
  find(byId("sought").value);
  drawLog({ turned: true });
  drawFound();
}

byId("sought").addEventListener("input", () => {
  clearTimeout(searchTimer);
  searchTimer = setTimeout(searchAnew, 200);
});
byId("search").addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(searchTimer);
  searchAnew();
  go({ version: steppedMatch(1) });
});
