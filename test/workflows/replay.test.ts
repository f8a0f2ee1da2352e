import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { earlierHistoriesFolder, historiesFolder } from './support/history-facts';
import { historyFromJson } from './support/history-json';
import { installRuntime } from './support/install-runtime';
import { workflowBundle } from './support/order-environment';
import { readWorkflowCode } from './support/workflow-code';

describe('the workflows as built', () => {
  beforeAll(() => installRuntime('OFF'));

  test.each([
    ['order', 'of this code', historiesFolder],
    ['order', 'from before its patches', earlierHistoriesFolder],
    ['consignment', 'of this code', historiesFolder],
    ['consignment', 'from before its patches', earlierHistoriesFolder],
  ] as const)('continue with every kept history of the %s workflow %s', async (service, _age, folder) => {
    const replays = await replay(service, await readWorkflowCode(workflowBundle(service)), folder);

    expect(replays.length).toBeGreaterThanOrEqual(10);
    expect(replays.filter(({ error }) => error !== undefined)).toEqual([]);
  });

  test('are refused when compensation notifies the customer before it pays back', async () => {
    const bundle = await editedBundle('order', 'workflows/place-order.js', (source) =>
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
    const bundle = await editedBundle('consignment', 'workflows.js', (source) =>
      source.replace(/await \(0, workflow_1\.sleep\)\([^;]*;/, ''),
    );

    expect(refused(await replay('consignment', bundle))).toContain('consignment.confirmed');
  });
});

type Service = 'order' | 'consignment';

/** The bundle of a service after an edit of one of its modules, which are in it as text, each under its name. */
async function editedBundle(
  service: Service,
  file: string,
  edit: (source: string) => string,
): Promise<WorkflowBundleOption> {
  const { code } = await readWorkflowCode(workflowBundle(service));
  const start = code.search(new RegExp(`^/[*]{3}/ "[^"\\n]*/${service}/dist/${file}"$`, 'm'));
  const length = code.slice(start).search(/^\/[*]{3}\/ }/m);
  if (start < 0 || length < 0) throw new Error(`The bundle of ${service} has no module ${file}.`);
  const source = code.slice(start, start + length);
  const edited = edit(source);
  if (edited === source) throw new Error(`The edit changed nothing in ${file} of ${service}.`);
  return { code: code.replace(source, () => edited) };
}

interface Replay {
  readonly name: string;
  readonly error: Error | undefined;
}

/** Replays every kept history of a service against a bundle. */
async function replay(
  service: Service,
  workflowBundle: WorkflowBundleOption,
  folder = historiesFolder,
): Promise<readonly Replay[]> {
  const files = (await readdir(folder)).filter((file) => file.startsWith(`${service}.`)).toSorted();
  const histories = await Promise.all(
    files.map(async (file) => ({
      workflowId: file.replace('.json', ''),
      history: historyFromJson(JSON.parse(await readFile(join(folder, file), 'utf8'))),
    })),
  );
  const replays: Replay[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories)) {
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
