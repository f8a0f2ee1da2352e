import { component, envelope, jsonResponse, type Operation, type Parameter, type Paths, type Schema } from './document';
import { errorsWith } from './error-responses';
import { lasting } from './route-paths';
import { pluginId } from './plugin-change-paths';

const answer = envelope(component('schemas', 'PluginChangeAnswer'));
const changed = {
  200: jsonResponse('No change was needed or asked for, or the change takes effect at the next start.', answer),
  202: jsonResponse('The change is in progress; /api/platform/generations reports its state.', answer),
};

const bringing = `For administrators. ${lasting} No script of a package runs. Refused with 403 where \`GANTRY_PACKAGES_OVER_HTTP\` is \`refuse\`.`;

/** Packages of plugins, for administrators. */
export function pluginPackagePaths(): Paths {
  return {
    '/api/platform/plugins/install': {
      post: operation({
        operationId: 'installPlugin',
        summary:
          'Fetch a package from the registry of npm, or take a tarball, check it and, if no problem is found, install it',
        description: bringing,
        parameters: [fileName, check, disabled],
        requestBody: packageBody(['package'], { package: '@acme/gantry-plugin-recipes', version: '1.2.0' }),
        responses: { ...changed, ...errorsWith(404, 405, 409, 413, 415, 429) },
      }),
    },
    '/api/platform/plugins/{id}/upgrade': {
      parameters: [id],
      post: operation({
        operationId: 'upgradePlugin',
        summary: 'Fetch a package, check it and, if no problem is found, replace the package of the plugin by it',
        description: `${bringing} Without \`package\`, the one that the plugin came from is meant.`,
        parameters: [fileName, check],
        requestBody: packageBody([], { version: '1.2.0' }),
        responses: { ...changed, ...errorsWith(404, 405, 409, 413, 415, 429) },
      }),
    },
    '/api/platform/plugins/{id}/uninstall': {
      parameters: [id],
      post: operation({
        operationId: 'uninstallPlugin',
        summary: 'Remove the package of a plugin that was installed by command or request; its data are kept',
        description: 'For administrators.',
        requestBody: {
          required: false,
          content: { 'application/json': { schema: uninstallBody, example: { disable: true } } },
        },
        responses: { ...changed, ...errorsWith(404, 405, 409, 413, 415) },
      }),
    },
  };
}

const id = pluginId('recipes');

const fileName: Parameter = {
  name: 'name',
  in: 'query',
  description: 'Name of the file, for a tarball.',
  schema: { type: 'string', pattern: '^[\\w@. +-]{1,200}$' },
};

const check = flag('check', '`true` fetches and checks the package, and changes no plugin.');
const disabled = flag('disabled', '`true` installs it without enabling it.');

function flag(name: string, description: string): Parameter {
  return { name, in: 'query', description, schema: { type: 'boolean', default: false } };
}

const uninstallBody: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: { disable: { type: 'boolean', default: false, description: '`true` disables the plugin first.' } },
};

function packageBody(required: readonly string[], example: object): NonNullable<Operation['requestBody']> {
  return {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          additionalProperties: false,
          required,
          properties: {
            package: { type: 'string', description: 'Name of a package in the registry of npm.' },
            version: {
              type: 'string',
              description: 'One version; the newest one unless given.',
              examples: ['1.2.0'],
            },
          },
        },
        example,
      },
      'application/gzip': {
        schema: { type: 'string', format: 'binary', description: 'A tarball of `npm pack`, of at most 100 MiB.' },
      },
    },
  };
}

function operation(own: Omit<Operation, 'tags'>): Operation {
  return { tags: ['platform'], ...own };
}
