// Shows the contract that the same service serves. `validatorUrl` would ask an outside address, so there is none.
"use strict";

// The page begins with the operations: what is to be read about all of them is folded below its first line.
function foldIntroduction() {
  const [first, ...rest] = document.querySelector(".info .description .renderedMarkdown").children;
  const folded = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = "How it is used: a game in five requests, keys, following, retries, forms, limits";
  folded.append(summary, ...rest);
  first.after(folded);
  // A link into the introduction opens it.
  const open = () => { if (folded.querySelector(`[id="${CSS.escape(decodeURIComponent(location.hash.slice(1)))}"]`)) folded.open = true; };
  window.addEventListener("hashchange", open);
  if (location.hash) open();
}

// The contract, with the tables of all codes of problems below its introduction.
async function addProblems(response) {
  if (!response.url.endsWith("/openapi.json")) return response;
  const contract = JSON.parse(response.text);
  contract.info.description += await (await fetch("/docs/problems.md")).text();
  return { ...response, text: JSON.stringify(contract) };
}

SwaggerUIBundle({
  url: "/openapi.json",
  responseInterceptor: addProblems,
  dom_id: "#reference",
  presets: [SwaggerUIBundle.presets.apis],
  validatorUrl: null,
  deepLinking: true,
  filter: true,
  docExpansion: "list",
  defaultModelRendering: "example",
  defaultModelExpandDepth: 3,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  showExtensions: false,
  onComplete: foldIntroduction,
});
