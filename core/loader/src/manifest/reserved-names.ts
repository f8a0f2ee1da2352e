import { jobQueuePrefix, subscriptionsTaskQueue, type Contributions, type PluginProblem } from '@gantry/contracts';
import { createProblem } from '../problem-kinds';
import { hostPathOf, parseRoute } from './route-pattern';

/** Ids whose tables, log labels or permissions would be the platform's own. */
const reservedIds: readonly string[] = ['gantry', 'host', 'users', 'audit', 'plugins', 'metrics', 'webhooks'];
/** `/api/cms/items/types` is the list of types. */
const reservedTypeCodes: readonly string[] = ['types'];

/** Names in a manifest that belong to the platform. */
export function findReserved(
  manifest: { readonly id: string; readonly contributes: Contributions },
  file: string,
): readonly PluginProblem[] {
  const { id, contributes } = manifest;
  return [
    ...(reservedIds.includes(id)
      ? [
          createProblem(
            'PLUGIN_ID_RESERVED',
            `The plugin id "${id}" belongs to the platform`,
            `Choose another gantry.id in ${file}`,
          ),
        ]
      : []),
    ...contributes.itemTypes
      .filter((code) => reservedTypeCodes.includes(code))
      .map((code) =>
        createProblem(
          'TYPE_CODE_RESERVED',
          `The type code "${code}" belongs to the platform`,
          `Rename the item type's class (${file})`,
        ),
      ),
    ...contributes.taskQueues
      .filter((queue) => queue === subscriptionsTaskQueue || queue.startsWith(jobQueuePrefix))
      .map((queue) =>
        createProblem(
          'TASK_QUEUE_RESERVED',
          `The task queue "${queue}" belongs to the platform, which delivers changes and runs jobs with such queues`,
          `Choose another name in service.taskQueue and in gantry.contributes.taskQueues (${file})`,
        ),
      ),
    ...contributes.routes.flatMap((route) => reservedRoute(route, file)),
    ...(contributes.fieldKinds ?? [])
      .filter((name) => !name.startsWith(`${id}.`))
      .map((name) =>
        createProblem(
          'FIELD_KIND_RESERVED',
          `The field kind "${name}" does not begin with the id of the plugin`,
          `Name it ${id}.${name.slice(name.indexOf('.') + 1)} (${file})`,
        ),
      ),
    ...(contributes.permissions ?? [])
      .filter(({ name }) => !name.startsWith(`${id}.`))
      .map(({ name }) =>
        createProblem(
          'PERMISSION_RESERVED',
          `The permission "${name}" does not begin with the id of the plugin`,
          `Name it ${id}.${name.slice(name.indexOf('.') + 1)} (${file})`,
        ),
      ),
  ];
}

function reservedRoute(route: string, file: string): readonly PluginProblem[] {
  const pattern = parseRoute(route);
  const hostPath = pattern && hostPathOf(pattern);
  if (hostPath === undefined) return [];
  return [
    createProblem(
      'ROUTE_RESERVED',
      `The route "${route}" would replace ${hostPath}, a route of the platform`,
      `Choose another path (${file})`,
    ),
  ];
}
