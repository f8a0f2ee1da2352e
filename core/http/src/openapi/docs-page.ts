import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file of the page, as it is sent. */
export interface StaticFile {
  readonly contentType: string;
  readonly body: Buffer;
}

/** The page that shows the OpenAPI document: its files by absolute path, and the policy that goes with each of them. */
export interface DocsPage {
  readonly files: ReadonlyMap<string, StaticFile>;
  readonly csp: string;
}

const root = '/api/docs';

/** The policy of the page: load its own files and call this platform. Swagger UI draws its icons from data addresses. */
const csp = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gantry REST interface</title>
<link rel="icon" type="image/png" href="${root}/favicon-32x32.png">
<link rel="stylesheet" href="${root}/swagger-ui.css">
</head>
<body>
<noscript>This page needs JavaScript. The document itself is at <a href="/api/openapi.json">/api/openapi.json</a>.</noscript>
<div id="swagger-ui"></div>
<script src="${root}/swagger-ui-bundle.js"></script>
<script src="${root}/init.js"></script>
</body>
</html>
`;

// validatorUrl: Swagger UI would otherwise send the address of the document to a service outside.
const script = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  validatorUrl: null,
});
`;

/** Reads the files of Swagger UI; called once, when the application is put together. */
export function docsPage(): DocsPage {
  const files = new Map<string, StaticFile>([
    [root, textFile('text/html; charset=utf-8', html)],
    [`${root}/init.js`, textFile('text/javascript; charset=utf-8', script)],
    [`${root}/swagger-ui-bundle.js`, swaggerFile('swagger-ui-bundle.js', 'text/javascript; charset=utf-8')],
    [`${root}/swagger-ui.css`, swaggerFile('swagger-ui.css', 'text/css; charset=utf-8')],
    [`${root}/favicon-32x32.png`, swaggerFile('favicon-32x32.png', 'image/png')],
  ]);
  return { files, csp };
}

function textFile(contentType: string, text: string): StaticFile {
  return { contentType, body: Buffer.from(text) };
}

function swaggerFile(name: string, contentType: string): StaticFile {
  return { contentType, body: readFileSync(join(dirname(require.resolve('swagger-ui-dist/package.json')), name)) };
}
