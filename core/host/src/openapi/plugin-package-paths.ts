import { component, envelope, jsonResponse, type Operation, type Parameter, type Paths, type Schema } from './document';
import { errorsWith } from './error-responses';
import { lasting } from './identity-parts';
import { pluginId } from './plugin-change-paths';

const answer = envelope(component('schemas', 'PluginChangeAnswer'));
const changed = {
  200: jsonResponse('No change was needed, or the change takes effect at the next start.', answer),
  202: jsonResponse('The change is in progress; /api/platform/generations reports its state.', answer),
  ...errorsWith(404, 405, 409, 413, 415),
};

const ofCode = `For administrators. ${lasting}`;

/** Packages of plugins, for administrators: fetched and checked by one request, installed by another one. */
export function pluginPackagePaths(): Paths {
  return {
    '/api/platform/plugin-packages': {
      post: operation({
        operationId: 'fetchPluginPackage',
        summary: 'Fetch a package from the registry of npm, or take a tarball, and check it; changes no plugin',
        description: `${ofCode} No script of a package runs. Refused with 403 where \`GANTRY_PACKAGES_OVER_HTTP\` is \`refuse\`. The host that has fetched the package keeps it for 12 hours.`,
        parameters: [fileName],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { oneOf: [wantedPackage, wantedUpgrade] },
              example: { package: '@acme/gantry-plugin-recipes', version: '1.2.0' },
            },
            'application/gzip': {
              schema: { type: 'string', format: 'binary', description: 'A tarball of `npm pack`, of at most 100 MiB.' },
            },
          },
        },
        responses: {
          201: jsonResponse(
            'The package, with the findings of its check.',
            envelope(component('schemas', 'PluginPackage')),
          ),
          ...errorsWith(404, 405, 409, 413, 415, 429),
        },
      }),
    },
    '/api/platform/plugin-packages/{id}/check': {
      parameters: [{ ...id, description: 'Id of a package that was fetched.' }],
      post: operation({
        operationId: 'checkPluginPackage',
        summary: 'Check a package again',
        description: 'For administrators; an API token needs `managesAccounts`.',
        responses: {
          200: jsonResponse('The findings of the check.', envelope(component('schemas', 'PluginCheckReport'))),
          ...errorsWith(404, 405, 409, 413, 415, 429),
        },
      }),
    },
    ...changePaths(),
  };
}

function changePaths(): Paths {
  return {
    '/api/platform/plugins/{id}/install': {
      parameters: [id],
      post: operation({
        operationId: 'installPlugin',
        summary: 'Check a fetched package and, if no problem is found, install it',
        description: ofCode,
        requestBody: body(
          ['package'],
          {
            package: packageId,
            enabled: { type: 'boolean', default: true, description: '`false` installs it without enabling it.' },
          },
          { package: exampleId },
        ),
        responses: changed,
      }),
    },
    '/api/platform/plugins/{id}/upgrade': {
      parameters: [id],
      post: operation({
        operationId: 'upgradePlugin',
        summary: 'Check a fetched package and, if no problem is found, replace the package of the plugin by it',
        description: ofCode,
        requestBody: body(['package'], { package: packageId }, { package: exampleId }),
        responses: changed,
      }),
    },
    '/api/platform/plugins/{id}/uninstall': {
      parameters: [id],
      post: operation({
        operationId: 'uninstallPlugin',
        summary: 'Remove the package of a plugin that was installed by command or request; its data are kept',
        description: 'For administrators.',
        requestBody: body(
          [],
          { disable: { type: 'boolean', default: false, description: '`true` disables the plugin first.' } },
          { disable: true },
        ),
        responses: changed,
      }),
    },
  };
}

const exampleId = '7f0c1f6e-3a51-4f0e-9d0e-0d7b6a5f2c11';

const packageId: Schema = {
  type: 'string',
  description: 'Id that /api/platform/plugin-packages has given.',
};

const id = pluginId('recipes');

const fileName: Parameter = {
  name: 'name',
  in: 'query',
  description: 'Name of the file, for a tarball.',
  schema: { type: 'string', pattern: '^[\\w@. +-]{1,200}$' },
};

const version: Schema = {
  type: 'string',
  description: 'One version; the newest one unless given.',
  examples: ['1.2.0'],
};

const wantedPackage = wanted('package', 'Name of a package in the registry of npm.');
const wantedUpgrade = wanted('plugin', 'Id of a plugin that came from the registry, to upgrade it.');

function wanted(name: string, description: string): Schema {
  return {
    type: 'object',
    additionalProperties: false,
    required: [name],
    properties: { [name]: { type: 'string', description }, version },
  };
}

function body(required: readonly string[], properties: Readonly<Record<string, Schema>>, example: object) {
  const schema = { type: 'object', additionalProperties: false, required, properties };
  return { required: required.length > 0, content: { 'application/json': { schema, example } } };
}

function operation(own: Omit<Operation, 'tags'>): Operation {
  return { tags: ['platform'], ...own };
}
