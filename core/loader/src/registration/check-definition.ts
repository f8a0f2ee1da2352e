import type { PluginProblem } from '@gantry/contracts';
import type { PluginDefinition, ServiceDefinition } from '@gantry/plugin-api';
import { createProblem, type ProblemCode } from '../problem-kinds';

type Kind = 'function' | 'other';

/** `other` members are looked at by those who use them. */
const definitionMembers: Readonly<Record<keyof PluginDefinition, Kind>> = {
  id: 'other',
  itemTypes: 'other',
  extraFields: 'other',
  fieldKinds: 'other',
  migrations: 'other',
  service: 'other',
  subscriptions: 'other',
  writeHooks: 'other',
  metrics: 'other',
  schedules: 'other',
  settings: 'other',
  seeds: 'other',
  config: 'function',
  onTypeEvent: 'function',
  register: 'function',
  start: 'function',
  stop: 'function',
  health: 'function',
};

const serviceMembers: Readonly<Record<keyof ServiceDefinition, Kind>> = {
  taskQueue: 'other',
  workflowsPath: 'other',
  activities: 'function',
};

/** Members of a definition that would be ignored, or could not be called. */
export function checkDefinition(definition: PluginDefinition): readonly PluginProblem[] {
  const { service } = definition;
  return [
    ...check(definition, definitionMembers, 'definePlugin', 'DEFINITION_INVALID'),
    ...(service ? check(service, serviceMembers, 'service', 'SERVICE_INVALID') : []),
  ];
}

function check(
  given: object,
  members: Readonly<Record<string, Kind>>,
  where: string,
  code: ProblemCode,
): readonly PluginProblem[] {
  return Object.entries(given).flatMap(([name, value]) => {
    if (!Object.hasOwn(members, name)) {
      const remedy = `The known members are ${Object.keys(members).join(', ')}`;
      return [createProblem(code, `${where} has the unknown member ${name}`, remedy)];
    }
    const isFine = members[name] !== 'function' || value === undefined || typeof value === 'function';
    const what = value === null ? 'null' : `of type ${typeof value}`;
    return isFine ? [] : [createProblem(code, `The member ${name} of ${where} is ${what}`, `Make ${name} a function`)];
  });
}
