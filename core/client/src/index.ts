export { createGantryClient } from './create-client';
export type { ClientOptions, GantryClient } from './create-client';
export type { Change, ChangesOptions } from './changes';
export { isRequestError, RequestError } from './request-error';
export type { RequestErrorDetail } from './request-error';
export type { ItemPage, ItemTypeShape, ListOptions, TypedItems } from './items';
