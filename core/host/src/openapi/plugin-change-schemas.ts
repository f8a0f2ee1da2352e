import { pluginChangeActions, pluginChangePhases, pluginCheckParts, type PluginCheckOutcome } from '@gantry/contracts';
import { component, type Schema } from './document';

const text = { type: 'string' } as const;
const outcomes: readonly PluginCheckOutcome[] = ['ok', 'warning', 'problem'];
const reason = object(['code', 'message', 'remedy'], { code: text, message: text, remedy: text });
const effects = { enum: ['at-once', 'next-start'] } as const;

const installed = object(['packageName', 'version', 'contentHash', 'source', 'from', 'by', 'at'], {
  packageName: text,
  version: text,
  contentHash: text,
  source: { enum: ['registry', 'tarball', 'folder'] },
  from: text,
  integrity: { ...text, description: 'SHA-512 of the tarball, as in Subresource Integrity.' },
  by: text,
  at: { type: 'string', format: 'date-time' },
});

/** Bodies of the answers to changes of the plugins (contracts, plugin-changes). */
export const pluginChangeSchemas: Readonly<Record<string, Schema>> = {
  PluginCheckReport: object(['plugin', 'displayName', 'version', 'outcome', 'lines', 'duration'], {
    plugin: text,
    displayName: text,
    version: text,
    contentHash: text,
    outcome: { enum: outcomes },
    lines: {
      type: 'array',
      items: object(['part', 'rule', 'outcome', 'message'], {
        part: { enum: pluginCheckParts },
        rule: { ...text, examples: ['package/size'] },
        outcome: { enum: outcomes },
        code: text,
        message: text,
        remedy: text,
        details: { type: 'array', items: text },
      }),
    },
    duration: { type: 'number', description: 'Milliseconds.' },
  }),
  InstalledPackage: installed,
  PluginPackage: object(['plugin', 'displayName', 'installed'], {
    plugin: text,
    displayName: text,
    installed: component('schemas', 'InstalledPackage'),
    replaces: { ...text, description: 'Version of the plugin that is there.' },
  }),
  PluginChange: object(['id', 'action', 'plugins', 'phase', 'requestedAt', 'since'], {
    id: text,
    action: { enum: pluginChangeActions },
    plugins: { type: 'array', items: text },
    phase: { enum: pluginChangePhases },
    step: text,
    requestedAt: { type: 'string', format: 'date-time' },
    since: { type: 'string', format: 'date-time' },
    durations: {
      type: 'object',
      additionalProperties: { type: 'integer', minimum: 0 },
      description: 'Milliseconds of each phase that is over.',
    },
    follows: { type: 'integer', description: 'Generation of the plugin set that another host has stored.' },
    error: reason,
  }),
  PluginChangeAnswer: object(['takesEffect', 'change'], {
    takesEffect: effects,
    change: { oneOf: [component('schemas', 'PluginChange'), { type: 'null' }] },
    report: component('schemas', 'PluginCheckReport'),
    package: component('schemas', 'PluginPackage'),
  }),
  GenerationsReport: object(['changesTakeEffect', 'generation', 'changes'], {
    changesTakeEffect: effects,
    generation: { type: 'integer', minimum: 1 },
    changes: { type: 'array', items: component('schemas', 'PluginChange') },
    takesPackages: {
      type: 'boolean',
      description: 'Requests of administrators may choose packages that are installed.',
    },
    pluginSet: object(['generation'], {
      generation: { type: 'integer', description: 'Of the plugin set of the database that this host runs.' },
      behind: object(['generation'], { generation: { type: 'integer' }, error: reason }),
    }),
  }),
};

function object(required: readonly string[], properties: Readonly<Record<string, unknown>>): Schema {
  return { type: 'object', required, properties };
}
