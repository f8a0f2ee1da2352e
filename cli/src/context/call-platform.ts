import { createPlatformCaller } from '@gantry/client/platform';
import type { CommandContext } from './command-context';
import { callPlatform, requiredAddress } from './running-platform';

/** Calls routes of the running platform, with the types of their contracts. */
export const callRoute = createPlatformCaller<CommandContext>(async (method, address, body, context) => ({
  data: await (method === 'GET'
    ? callPlatform(context, requiredAddress(context), address)
    : callPlatform(context, requiredAddress(context), address, body ?? {}, method)),
}));
