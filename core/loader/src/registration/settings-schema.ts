import type { PluginProblem } from '@gantry/contracts';
import type { PluginDefinition, RequestSchema } from '@gantry/plugin-api';
import { messageOf } from '@gantry/core-common';
import { maxContributions, memberName } from '../manifest/contribution-names';
import { createProblem } from '../problem-kinds';
import type { CompiledSettings, DescribedSetting } from '../record/registered-plugin';
import { describeEach } from './route-schemas';

/** Of JSON Schema, text first. */
const types: readonly unknown[] = ['string', 'number', 'integer', 'boolean'];

/** The settings of a definition, ready to be used, or what is wrong with them. */
export function compileSettings({ settings: schema }: Pick<PluginDefinition, 'settings'>): {
  readonly settings?: CompiledSettings;
  readonly problems: readonly PluginProblem[];
} {
  if (schema === undefined) return { problems: [] };
  try {
    const { validate } = schema['~standard'];
    const json = describeEach({ settings: schema })['settings']?.json ?? {};
    const fields = json['properties'];
    const problems =
      json['type'] === 'object'
        ? wrongFields(Object(fields) as CompiledSettings['properties'])
        : ['must describe an object'];
    if (problems.length > 0) return { problems: problems.map(invalid) };
    const settings = {
      schema,
      properties: fields as CompiledSettings['properties'],
      parse: (v: unknown) => parse(validate, v),
    };
    const { issues } = settings.parse({});
    if (issues === undefined) return { settings: Object.freeze(settings), problems: [] };
    const what = issues.map(({ message }) => message).join('; ');
    return {
      problems: [
        invalid(`must accept {}, with which the plugin starts: give each a default, or make it optional. ${what}`),
      ],
    };
  } catch (error) {
    return { problems: [invalid(messageOf(error))] };
  }
}

function parse(validate: RequestSchema['~standard']['validate'], value: unknown) {
  const result = validate(value);
  if (!(result instanceof Promise)) return result;
  result.catch(() => undefined);
  throw new Error('must be validated synchronously, not by a promise');
}

function wrongFields(fields: CompiledSettings['properties']): readonly string[] {
  const names = Object.keys(fields);
  const most = maxContributions.settings;
  if (names.length > most) return [`must have at most ${most} members; they have ${names.length}`];
  return names.flatMap((name) => {
    const { type, secret } = fields[name] as DescribedSetting;
    const isNamed = memberName.safeParse(name).success;
    return [
      ...(isNamed ? [] : [`have a member ${name}, whose name must be of letters and digits`]),
      ...(types.includes(type) ? [] : [`have a member ${name}, which must be text, a number, or true or false`]),
      ...(secret === true && type !== types[0] ? [`have a secret ${name}, which must be text`] : []),
    ];
  });
}

function invalid(what: string): PluginProblem {
  return createProblem('CONTRIBUTION_INVALID', `The settings ${what}`, 'Correct settings of definePlugin');
}
