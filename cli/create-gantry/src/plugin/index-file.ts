import { fileOf, workflowOf, type Plugin } from './plugin';

/** The definition: the default export of the package. */
export function indexFile(plugin: Plugin): string {
  const { id, itemType, routes, service } = plugin;
  const hasRoutes = routes || service;
  const parts = [
    `  id: '${id}',\n`,
    itemType === undefined ? '' : `  itemTypes: [${itemType}],\n`,
    service ? definitionOfService : '',
    hasRoutes
      ? `  register({ ${contextOf(plugin)} }) {\n${routes ? route(plugin) : ''}${service ? startRoute(plugin) : ''}  },\n`
      : '',
  ];
  const own = itemType === undefined ? '' : `\nexport { ${itemType} };\n`;
  const queue = service ? `\nconst taskQueue = '${id}';\n` : '';
  return `${imports(plugin)}${own}${queue}\nexport default definePlugin({\n${parts.join('')}});\n`;
}

function imports({ itemType, service }: Plugin): string {
  const fromApi = service ? 'callTemporal, definePlugin, invalidValue' : 'definePlugin';
  return [
    ...(service ? ["import { randomUUID } from 'node:crypto';", "import { join } from 'node:path';"] : []),
    `import { ${fromApi} } from '@gantry/plugin-api';`,
    ...(service
      ? ["import type { Client } from '@temporalio/client';", "import { createActivities } from './activities';"]
      : []),
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

function route({ id, itemType }: Plugin): string {
  if (itemType === undefined) {
    return `    router.route('GET', '/${id}/greeting', async () => ({ data: { greeting: 'Good day' } }), {
      access: 'signed-in',
      summary: 'Greets',
    });
`;
  }
  return `    router.route(
      'GET',
      '/${id}/latest',
      async () => {
        const { items: latest } = await items.of(${itemType}).list({}, { sort: '-id', limit: 10 });
        return { data: latest.map(({ id, name, state }) => ({ id, name, state })) };
      },
      { access: 'signed-in', summary: 'The ten latest' },
    );
`;
}

function startRoute({ id }: Plugin): string {
  return `    router.route(
      'POST',
      '/${id}/greetings',
      async ({ body }) => {
        const name = typeof body === 'object' && body !== null && 'name' in body ? body.name : undefined;
        if (typeof name !== 'string' || name === '') throw invalidValue('name', 'name must be a text that is not empty.');
        const workflowId = \`${id}-\${randomUUID()}\`;
        await callTemporal(temporal, (client: Client) =>
          client.workflow.start('${workflowOf(id)}', { taskQueue, workflowId, args: [name] }),
        );
        return { status: 202, data: { workflowId } };
      },
      { access: 'signed-in', summary: 'Starts a workflow that greets' },
    );
`;
}
