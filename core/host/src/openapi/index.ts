export { createOpenApiDocument } from './create-openapi-document';
export type { OpenApiInput } from './create-openapi-document';
export type { OpenApiDocument } from './document';
export { earlierDocument } from './earlier-document';
export { publicDocument } from './public-document';
export { docsPage } from './docs-page';
export type { DocsPage, StaticFile } from './docs-page';
