import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { earlierHistoriesFolder, historiesFolder } from './support/history-facts';
import { workflowBundle } from './support/order-environment';

const project = join(__dirname, '..', '..');

describe('the workflows as built', () => {
  let folder: string;
  beforeAll(async () => {
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { forward: {}, filter: 'OFF' } },
    });
    folder = await mkdtemp(join(tmpdir(), 'gantry-replay-'));
    await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each([
    ['order', 'of this code', historiesFolder],
    ['order', 'from before its patches', earlierHistoriesFolder],
    ['consignment', 'of this code', historiesFolder],
    ['consignment', 'from before its patches', earlierHistoriesFolder],
  ] as const)('continue with every kept history of the %s workflow %s', async (service, _age, folder) => {
    const replays = await replay(service, workflowBundle(service), folder);

    expect(replays.length).toBeGreaterThanOrEqual(10);
    expect(replays.filter(({ error }) => error !== undefined)).toEqual([]);
  });

  test('replay a copy of the order workflow that was not changed', async () => {
    const replays = await replay('order', await editedBundle('unchanged', 'order', (source) => source));

    expect(replays.filter(({ error }) => error !== undefined)).toEqual([]);
  });

  test('are refused when compensation notifies the customer before it pays back', async () => {
    const bundle = await editedBundle('swapped', 'order', (source) =>
      source
        .replace('.refundPayment)(', '.FIRST)(')
        .replace('.sendOrderCancelledNotification)(', '.refundPayment)(')
        .replace('.FIRST)(', '.sendOrderCancelledNotification)('),
    );

    expect(refused(await replay('order', bundle))).toEqual([
      'order.cancelled-before-child',
      'order.cancelled-child-fails',
      'order.cancelled-late',
      'order.cancelled-paid',
      'order.cancelled-paid-fails',
      'order.cancelled-refund-fails',
      'order.cancelled-then-paid',
      'order.consignment-cancelled',
      'order.early-payment',
      'order.notice-fails',
      'order.refund-fails',
      'order.undelivered',
    ]);
  });

  test('are refused when the consignment no longer sleeps before it asks the carrier', async () => {
    const bundle = await editedBundle('sleepless', 'consignment', (source) =>
      source.replace(/await \(0, workflow_1\.sleep\)\([^;]*;/, ''),
    );

    expect(refused(await replay('consignment', bundle))).toContain('consignment.confirmed');
  });

  /** Bundles a copy of a service's built workflow after an edit of its code. */
  async function editedBundle(name: string, service: 'order' | 'consignment', edit: (source: string) => string) {
    const copy = join(folder, name);
    await mkdir(copy);
    await cp(join(project, 'services', service, 'dist'), join(copy, 'dist'), {
      recursive: true,
      filter: (file) => !file.endsWith('workflow-bundle.js'),
    });
    const file = join(copy, 'dist', service === 'order' ? 'workflows/place-order.js' : 'workflows.js');
    const source = await readFile(file, 'utf8');
    const edited = edit(source);
    if (name !== 'unchanged' && edited === source) throw new Error(`The edit "${name}" changed nothing in ${file}.`);
    await writeFile(file, edited);
    await promisify(execFile)(process.execPath, [join(project, 'scripts', 'bundle-workflows.mjs'), copy]);
    return join(copy, 'dist', 'workflow-bundle.js');
  }
});

interface Replay {
  readonly name: string;
  readonly error: Error | undefined;
}

/** Replays every kept history of a service against a bundle. */
async function replay(service: string, codePath: string, folder = historiesFolder): Promise<readonly Replay[]> {
  const files = (await readdir(folder)).filter((file) => file.startsWith(`${service}.`)).toSorted();
  const histories = await Promise.all(
    files.map(async (file) => ({
      workflowId: file.replace('.json', ''),
      history: historyFromJSON(JSON.parse(await readFile(join(folder, file), 'utf8'))),
    })),
  );
  const replays: Replay[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: { codePath } }, histories)) {
    replays.push({ name: workflowId, error });
  }
  return replays;
}

function refused(replays: readonly Replay[]): readonly string[] {
  return replays
    .filter(({ error }) => error?.name === 'DeterminismViolationError')
    .map(({ name }) => name)
    .toSorted();
}
