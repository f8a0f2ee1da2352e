import { createPlatformCaller } from '@gantry/client/platform';
import { request } from './request';

/** Calls the platform's own routes, with the types of their contracts. */
export const callPlatform = createPlatformCaller<AbortSignal | undefined>((method, address, body, signal) =>
  request(address, {
    method,
    ...(method === 'GET' ? {} : { body: body ?? {} }),
    ...(signal === undefined ? {} : { signal }),
  }),
);
