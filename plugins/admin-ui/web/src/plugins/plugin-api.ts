import type { PlatformSchema } from '@gantry/client/platform';
import { queryOptions } from '@tanstack/react-query';
import { callPlatform } from '../api/platform/call-platform';

/** While a change is in progress, its state is shown; one may be begun elsewhere, such as by command. */
const followEveryMs = 400;
const pollIntervalMs = 5_000;

/** Response to a request to change plugins. */
export type ChangeAnswer = PlatformSchema<'PluginChangeAnswer'>;

/** The plugins that run or could, also those put into the plugin folders since the start. */
export const allPluginsQuery = queryOptions({
  queryKey: ['plugins', 'found'],
  queryFn: async ({ signal }) =>
    (await callPlatform('GET', '/api/platform/plugins', { query: { found: true } }, signal)).data,
});

export const generationsQuery = queryOptions({
  queryKey: ['generations'],
  queryFn: async ({ signal }) => (await callPlatform('GET', '/api/platform/generations', {}, signal)).data,
  refetchInterval: ({ state }) => (state.data?.changes.some(isUnderWay) === true ? followEveryMs : pollIntervalMs),
});

export function isUnderWay({ phase }: Pick<NonNullable<ChangeAnswer['change']>, 'phase'>): boolean {
  return phase !== 'done' && phase !== 'failed';
}

export async function checkPlugin(id: string, signal?: AbortSignal): Promise<PlatformSchema<'PluginCheckReport'>> {
  return (await callPlatform('POST', '/api/platform/plugins/{id}/check', { path: { id } }, signal)).data;
}

export async function enablePlugin(id: string): Promise<ChangeAnswer> {
  return (await callPlatform('POST', '/api/platform/plugins/{id}/enable', { path: { id } })).data;
}

export async function disablePlugin(id: string, dependents: boolean): Promise<ChangeAnswer> {
  return (await callPlatform('POST', '/api/platform/plugins/{id}/disable', { path: { id }, body: { dependents } }))
    .data;
}
