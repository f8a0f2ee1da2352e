import type { GenerationsReport, PluginChange, PluginCheckReport, StartupReport } from '@gantry/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../api/request';

/** While a change is in progress, its state is shown; one may be begun elsewhere, such as by command. */
const followEveryMs = 400;
const pollIntervalMs = 5_000;

/** What came of a request to enable or disable. */
export interface ChangeAnswer {
  readonly takesEffect: GenerationsReport['changesTakeEffect'];
  readonly change: PluginChange | null;
}

/** The plugins that run or could, also those put into the plugin folders since the start. */
export const allPluginsQuery = queryOptions({
  queryKey: ['plugins', 'found'],
  queryFn: async ({ signal }) => (await request<StartupReport>('/api/platform/plugins?found=true', { signal })).data,
});

export const generationsQuery = queryOptions({
  queryKey: ['generations'],
  queryFn: async ({ signal }) => (await request<GenerationsReport>('/api/platform/generations', { signal })).data,
  refetchInterval: ({ state }) => (state.data?.changes.some(isUnderWay) === true ? followEveryMs : pollIntervalMs),
});

export function isUnderWay({ phase }: PluginChange): boolean {
  return phase !== 'done' && phase !== 'failed';
}

export async function checkPlugin(id: string, signal?: AbortSignal): Promise<PluginCheckReport> {
  const options = signal === undefined ? {} : { signal };
  return (await request<PluginCheckReport>(`${pathOf(id)}/check`, { method: 'POST', body: {}, ...options })).data;
}

export async function enablePlugin(id: string): Promise<ChangeAnswer> {
  return (await request<ChangeAnswer>(`${pathOf(id)}/enable`, { method: 'POST', body: {} })).data;
}

export async function disablePlugin(id: string, dependents: boolean): Promise<ChangeAnswer> {
  return (await request<ChangeAnswer>(`${pathOf(id)}/disable`, { method: 'POST', body: { dependents } })).data;
}

function pathOf(id: string): string {
  return `/api/platform/plugins/${encodeURIComponent(id)}`;
}
