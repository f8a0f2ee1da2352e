import { z } from 'zod';
import { changeAnswer, checkReport } from '../change/change-schemas';
import type { PluginChangeAnswer } from '../change/plugin-change-answer';
import type { PluginChanges } from '../change/plugin-changes';
import { type AccountsPort, type HidePaths, routesWith, type HostRoute, type RequestAuthor } from '@gantry/core-http';

export interface PluginChangeServices {
  readonly changes: PluginChanges;
  readonly accounts: Pick<AccountsPort, 'change'>;
  readonly hidePaths: HidePaths;
}

const route = routesWith<PluginChangeServices>();
const access = { permission: 'plugins.change' } as const;
const errors = ['PLUGIN_NOT_FOUND', 'PLUGIN_CHECK_FAILED', 'PLUGIN_SET_CHANGED', 'PLUGIN_NEEDED'] as const;
const params = pluginId('catalog');
const nothing = z.strictObject({}).prefault({});

export const underWay = 'The change is in progress; /api/platform/generations reports its state.';

const status = {
  200: 'The plugin already had this state, or the change takes effect at the next start.',
  202: underWay,
} as const;

/** Check, enable and disable of plugins. */
export const pluginChangeRoutes: readonly HostRoute<PluginChangeServices>[] = [
  route({
    method: 'POST',
    path: '/api/platform/plugins/:id/check',
    operationId: 'checkPlugin',
    summary: 'Check a plugin as if it were enabled; changes nothing',
    description:
      'Loads the code in a separate process, and runs migrations in a copy of the tables without rows. This may ' +
      'take a minute.',
    access,
    limits: { share: 2, rate: false },
    errors: ['PLUGIN_NOT_FOUND'],
    params,
    body: nothing,
    answer: checkReport,
    handler: async ({ params: id }, { changes, hidePaths }) => ({
      json: hidePaths(JSON.stringify(await changes.check(id))),
    }),
  }),
  route({
    method: 'POST',
    path: '/api/platform/plugins/:id/enable',
    operationId: 'enablePlugin',
    summary: 'Check a plugin and, if no problem is found, enable it and pin it to its current files',
    description:
      'A problem that the check finds is a 409 `PLUGIN_CHECK_FAILED` with the report, and nothing changes. With 202 ' +
      'another process starts with the plugin and takes over when it is ready; if it fails, the plugins stay as they ' +
      'were.',
    access,
    errors,
    audit: 'plugin-enabled',
    params,
    body: nothing,
    answer: changeAnswer,
    status,
    async handler({ params: id, author, audit }, { changes, accounts, hidePaths }) {
      await confirm(accounts, author);
      const answer = await changes.enable(id);
      await audit({ subject: `plugin:${id}` });
      return presented(answer, hidePaths);
    },
  }),
  route({
    method: 'POST',
    path: '/api/platform/plugins/:id/disable',
    operationId: 'disablePlugin',
    summary: 'Disable a plugin; its data are kept',
    description:
      'Its types and routes are no longer served; its tables stay. 409 for a required plugin, and for a plugin on which others depend.',
    access,
    errors,
    audit: 'plugin-disabled',
    params,
    body: z
      .strictObject({
        dependents: z
          .boolean()
          .default(false)
          .describe('`true` disables the plugins that depend on it, too; otherwise they cause a 409.'),
      })
      .prefault({}),
    answer: changeAnswer,
    status,
    async handler({ params: id, body: { dependents }, author, audit }, { changes, accounts, hidePaths }) {
      await confirm(accounts, author);
      const answer = await changes.disable(id, dependents);
      await audit({ subject: `plugin:${id}` });
      return presented(answer, hidePaths);
    },
  }),
];

/** @param example to which requests may be sent */
export function pluginId(example: string) {
  return z
    .object({ id: z.string().meta({ description: 'Id of a plugin.', examples: [example] }) })
    .transform(({ id }) => id);
}

/** Reads the rights of the caller again: a check takes time, and what is changed stays. @throws GantryError UNAUTHENTICATED, FORBIDDEN */
export async function confirm(accounts: Pick<AccountsPort, 'change'>, author: RequestAuthor): Promise<void> {
  await accounts.change(author, async () => undefined);
}

/** 202 for a change that is under way. */
export function presented(answer: PluginChangeAnswer, hidePaths: HidePaths) {
  const isUnderWay = answer.change?.phase === 'waiting';
  return { status: isUnderWay ? (202 as const) : (200 as const), json: hidePaths(JSON.stringify(answer)) };
}
