export { createOpenApiDocument } from './create-openapi-document';
export type { OpenApiInput } from './create-openapi-document';
export type { OpenApiDocument } from './document';
