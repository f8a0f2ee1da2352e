import { routesWith, type HostRoute, type Kernel } from '@gantry/core-http';
import { z } from 'zod';
import type { PluginSettings } from './plugin-settings';

export interface SettingsServices {
  readonly settings: PluginSettings;
  readonly accounts: Pick<Kernel['accounts'], 'change'>;
}

const route = routesWith<SettingsServices>();
const access = { permission: 'plugins.change' } as const;
const path = '/api/platform/plugins/:id/settings';
const params = z
  .object({ id: z.string().meta({ description: 'Id of a plugin.', examples: ['beehives'] }) })
  .transform(({ id }) => id);

const value = z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]);

const answer = z
  .object({
    properties: z
      .record(z.string(), z.record(z.string(), z.unknown()))
      .describe('JSON Schemas of the settings, by name.'),
    values: z.record(z.string(), z.unknown()).describe('Values that were set, except secrets.'),
    secrets: z.array(z.string()).describe('Names of secrets that are set.'),
  })
  .meta({ id: 'PluginSettings' });

/** Routes of the settings of plugins. */
export const settingsRoutes: readonly HostRoute<SettingsServices>[] = [
  route({
    method: 'GET',
    path,
    operationId: 'readPluginSettings',
    summary: 'Show the settings of a plugin',
    description: 'Values of secrets are not included. 404 for a plugin that has no settings or is not in use.',
    access,
    errors: ['NOT_FOUND'],
    params,
    answer,
    handler: async ({ params: id }, { settings }) => ({ data: settings.show(id) }),
  }),
  route({
    method: 'PATCH',
    path,
    operationId: 'changePluginSettings',
    summary: 'Change settings of a plugin',
    description:
      'Settings that are not sent stay as they are; null resets a setting to its default. Other hosts apply the change within seconds.',
    access,
    presence: true,
    errors: ['NOT_FOUND'],
    audit: 'plugin-settings-changed',
    params,
    body: z.strictObject({ values: z.record(z.string(), value) }),
    answer,
    async handler({ params: id, body, author, audit }, { settings, accounts }) {
      await accounts.change(author, async ({ transaction, record }) => {
        const changed = await settings.change(id, body.values, transaction);
        await audit(changed.length === 0 ? undefined : { subject: `plugin:${id}`, detail: { changed } }, record);
      });
      await settings.refresh();
      return { data: settings.show(id) };
    },
  }),
];
