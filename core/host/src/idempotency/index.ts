export { createAnsweredRequests } from './answered-requests';
export type { AnsweredRequests, KeyedRequest } from './answered-requests';
