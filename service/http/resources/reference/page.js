// Shows the contract that the same service serves. `validatorUrl` would ask an outside address, so there is none.
"use strict";

SwaggerUIBundle({
  url: "/openapi.yaml",
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
});
