import { createPlatformCaller } from '@gantry/client/platform';
import type { CommandContext } from './command-context';
import { callPlatform, readFromPlatform, requiredAddress } from './running-platform';

/** Calls routes of the running platform, with the types of their contracts. */
export const callRoute = createPlatformCaller<CommandContext>(async (method, address, body, context) => ({
  data: await (method === 'GET'
    ? callPlatform(context, requiredAddress(context), address)
    : callPlatform(context, requiredAddress(context), address, body ?? {}, method)),
}));

/** Reads what needs no change and is there at once. */
export const readRoute = createPlatformCaller<CommandContext>((_method, address, _body, context) =>
  readFromPlatform(context, requiredAddress(context), address),
);
