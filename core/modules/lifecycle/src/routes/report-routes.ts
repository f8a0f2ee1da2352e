import type { GenerationsReport, StartupReport } from '@gantry/contracts';
import { z } from 'zod';
import { generationsReport } from '../change/change-schemas';
import { flag } from '@gantry/core-common';
import { type HidePaths, routesWith, type HostRoute } from '@gantry/core-http';
import { startupReport } from './report-schema';

export interface ReportServices {
  /** With `found`, also what was put into the plugin folders since the start. */
  readonly report: (found: boolean) => Promise<StartupReport>;
  readonly generations: () => GenerationsReport;
  readonly hidePaths: HidePaths;
}

const route = routesWith<ReportServices>();
const access = { permission: 'plugins.read' } as const;

/** The plugins with their states, and how far their changes are. */
export const reportRoutes: readonly HostRoute<ReportServices>[] = [
  route({
    method: 'GET',
    path: '/api/platform/plugins',
    operationId: 'platformPlugins',
    summary: 'List all discovered plugins with their states',
    description: 'Includes plugins that cannot be used, with each problem and its remedy.',
    access,
    query: z.object({
      found: flag.describe('Includes the packages that were added to the plugin folders since the start.'),
    }),
    answer: startupReport,
    handler: async ({ query: { found } }, { report, hidePaths }) => ({
      json: hidePaths(JSON.stringify(await report(found))),
    }),
  }),
  route({
    method: 'GET',
    path: '/api/platform/generations',
    operationId: 'platformGenerations',
    summary: 'Show the state of the latest plugin changes',
    description:
      'A plugin change starts a new host. The report has the phase of the change, and the error if it was undone. Poll every second ' +
      'while a change is in progress.',
    access,
    answer: generationsReport,
    handler: async (_call, { generations, hidePaths }) => ({ json: hidePaths(JSON.stringify(generations())) }),
  }),
];
