import { fileOf, workflowOf, type Plugin } from './plugin';

/** The definition: the default export of the package. */
export function indexFile(plugin: Plugin): string {
  const { id, itemType, service } = plugin;
  const routes = routesOf(plugin);
  const parts = [
    `  id: '${id}',\n`,
    itemType === undefined ? '' : `  itemTypes: [${itemType}],\n`,
    service ? definitionOfService : '',
    routes === '' ? '' : `  register({ ${contextOf(plugin)} }) {\n    router.add(\n${routes}    );\n  },\n`,
  ];
  const own = itemType === undefined ? '' : `\nexport { ${itemType} };\n`;
  const queue = service ? `\nconst taskQueue = '${id}';\n` : '';
  return `${imports(plugin)}${own}${queue}\nexport default definePlugin({\n${parts.join('')}});\n`;
}

function routesOf(plugin: Plugin): string {
  return `${plugin.routes ? readRoute(plugin) : ''}${plugin.service ? startRoute(plugin) : ''}`;
}

function imports({ itemType, routes, service }: Plugin): string {
  const fromApi = [...(service ? ['callTemporal'] : []), 'definePlugin', ...(routes || service ? ['route'] : [])].join(
    ', ',
  );
  return [
    ...(service ? ["import { randomUUID } from 'node:crypto';", "import { join } from 'node:path';"] : []),
    `import { ${fromApi} } from '@gantry/plugin-api';`,
    ...(service ? ["import type { Client } from '@temporalio/client';"] : []),
    ...(routes || service ? ["import { z } from 'zod';"] : []),
    ...(service ? ["import { createActivities } from './activities';"] : []),
    ...(itemType === undefined ? [] : [`import { ${itemType} } from './${fileOf(itemType)}';`]),
    '',
  ].join('\n');
}

const definitionOfService = `  service: {
    taskQueue,
    workflowsPath: join(__dirname, 'workflow-bundle.js'),
    activities: (context) => ({ ...createActivities(context) }),
  },
`;

function contextOf({ itemType, routes, service }: Plugin): string {
  return ['router', ...(routes && itemType !== undefined ? ['items'] : []), ...(service ? ['temporal'] : [])].join(
    ', ',
  );
}

function readRoute({ id, itemType }: Plugin): string {
  if (itemType === undefined) {
    return `      route({
        method: 'GET',
        path: '/${id}/greeting',
        operationId: 'readGreeting',
        summary: 'Greets',
        access: 'signed-in',
        answer: z.object({ greeting: z.string() }),
        handler: async () => ({ data: { greeting: 'Good day' } }),
      }),
`;
  }
  return `      route({
        method: 'GET',
        path: '/${id}/latest',
        operationId: 'listLatest',
        summary: 'The ten latest',
        access: 'signed-in',
        answer: z.array(z.object({ id: z.string(), name: z.string(), state: z.string().nullable() })),
        async handler() {
          const { items: latest } = await items.of(${itemType}).list({}, { sort: '-id', limit: 10 });
          return { data: latest.map(({ id, name, state }) => ({ id, name, state })) };
        },
      }),
`;
}

function startRoute({ id }: Plugin): string {
  return `      route({
        method: 'POST',
        path: '/${id}/greetings',
        operationId: 'startGreeting',
        summary: 'Starts a workflow that greets',
        access: 'signed-in',
        body: z.object({ name: z.string({ error: 'name must be a text' }).min(1, { error: 'name must not be empty' }) }),
        status: 202,
        answer: z.object({ workflowId: z.string() }),
        async handler({ body: { name } }) {
          const workflowId = \`${id}-\${randomUUID()}\`;
          await callTemporal(temporal, (client: Client) =>
            client.workflow.start('${workflowOf(id)}', { taskQueue, workflowId, args: [name] }),
          );
          return { data: { workflowId } };
        },
      }),
`;
}
