import type { PlatformSchema } from '@gantry/client/platform';
import { askUntil } from '../../test/support/ask-until';
import { openOpsPlatform, type OpsPlatform } from './support/ops-platform';

type ResetOutcome = PlatformSchema<'ops.ResetOutcome'>;
type WorkflowDetail = PlatformSchema<'ops.WorkflowDetail'>;
type WorkflowSummary = PlatformSchema<'ops.WorkflowSummary'>;

/** Orders of all tests, so that no two have the same id. */
let orders = 0;
let platform: OpsPlatform;
beforeAll(async () => {
  platform = await openOpsPlatform();
});
afterAll(() => platform.close());

describe('gantry ops list', () => {
  it('lists workflows by state and type, as a table and for programs', async () => {
    const waiting = await placed();
    await listed(waiting);

    const table = await platform.opsProcess('list', '--status', 'RUNNING', '--type', 'placeOrder');
    expect(table.code).toBe(0);
    expect(table.stdout).toMatch(/^WORKFLOW +TYPE +STATUS +STARTED +DURATION\n/);
    expect(table.stdout).toMatch(
      new RegExp(`\n${waiting} +placeOrder +RUNNING +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC\n`),
    );
    const none = await platform.ops('list', '--query', "WorkflowType = 'nothing'");
    expect(none).toEqual({ code: 0, stdout: '', stderr: expect.stringMatching(/No results/) });
  });

  it('goes from page to page, or shows all', async () => {
    const ids = [await placed(), await placed()];
    for (const id of ids) await listed(id);
    const query = ['--query', `WorkflowId IN ('${ids.join("', '")}')`];

    const first = await platform.ops('list', ...query, '--limit', '1');
    const after = /--after (\S+)\n$/.exec(first.stderr)?.[1] ?? '';
    const second = await platform.ops('list', ...query, '--limit', '1', '--after', after);
    const all = await json<readonly WorkflowSummary[]>('list', ...query, '--limit', '1', '--all');
    expect(ids.filter((id) => first.stdout.includes(`${id} `))).toHaveLength(1);
    expect(ids.filter((id) => `${first.stdout}${second.stdout}`.includes(`${id} `))).toHaveLength(2);
    expect(all.map(({ workflowId }) => workflowId).toSorted()).toEqual(ids.toSorted());
  });

  it('reports what is wrong with a query', async () => {
    const { code, stderr } = await platform.ops('list', '--query', "WorkflowId = 'open");

    expect(code).toBe(1);
    expect(stderr).toMatch(/^gantry: .* query: .+\n {2}.*gantry ops list --help\n$/);
  });
});

describe('a workflow that failed', () => {
  let failed: string;
  beforeAll(async () => {
    await platform.sql('ALTER TABLE payment_refund RENAME TO payment_refund_away');
    failed = await undelivered();
    await status(failed, 'FAILED');
    await platform.sql('ALTER TABLE payment_refund_away RENAME TO payment_refund');
  });

  it('is shown with its activities, attempts, failures and the results of its children', async () => {
    // The step is reported by a worker, which may be busy.
    const { stdout } = await askUntil(
      () => platform.ops('show', failed),
      (shown) => shown.stdout.includes('\nStep'),
    );

    expect(stdout).toMatch(
      new RegExp(`^${failed} \\(placeOrder\\)\nStatus +FAILED\nStep +COMPENSATING\nRun +\\S+\nTask queue +order-tq\n`),
    );
    expect(stdout).toMatch(/\nFailure +.*payment_refund.*does not exist/);
    expect(stdout).toMatch(/\nResult +"UNDELIVERED"\n/);
    expect(stdout).toMatch(/\nsendOrderPlacedNotification +completed +1\n/);
    expect(stdout).toMatch(/\nrefundPayment +failed +2 +.*does not exist/);
    expect(stdout).not.toContain('\u001B');
  });

  it('has a history of every event as Temporal stores it, as a table and for programs', async () => {
    const [events, data] = await Promise.all([
      platform.ops('history', failed),
      json<{ readonly events: readonly object[] }>('history', failed),
    ]);

    expect(events.stdout).toMatch(
      /^EVENT +TIME +TYPE +ATTRIBUTES\n1 +[\d-]{10} [\d:]{8} UTC +WORKFLOW_EXECUTION_STARTED +\{/,
    );
    expect(events.stdout.trimEnd().split('\n')).toHaveLength(data.events.length + 1);
    expect(data.events.at(-1)).toMatchObject({ eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_FAILED' });
  });

  it('is reset to its compensation: the plan is shown, a no is taken, and then it is done', async () => {
    const plan = await json<ResetOutcome>('reset', failed, '--to', 'COMPENSATION', '--dry-run');
    expect(plan).toMatchObject({ workflowId: failed, repeats: ['activity refundPayment'] });

    const declined = await platform.opsOnTerminal(['reset', failed, '--to', 'COMPENSATION'], 'n\n');
    expect(declined).toContain('  activity refundPayment');
    expect(declined).toMatch(/\? \[y\/N\] [^]*Nothing /);
    expect((await detail(failed)).status).toBe('FAILED');

    const reset = await platform.ops(
      'reset',
      failed,
      '--to',
      'COMPENSATION',
      '--reason',
      'fixed',
      '--by',
      'ann',
      '--yes',
    );
    expect(reset.stderr).toContain('  activity refundPayment\n');
    expect(reset.stdout).toMatch(new RegExp(`^${failed} .* run \\S+\\.\n$`));
    await status(failed, 'COMPLETED');
    expect((await platform.ops('history', failed)).stdout).toContain('fixed (requested by ann)');
  });

  it('is reset after it was paid back only with the warning that the money is gone', async () => {
    const plan = await platform.ops('reset', failed, '--to', 'FIRST_TASK', '--dry-run');
    expect(plan.stdout).toMatch(/\nWarning: .* cli-\d+ .*refunded/);

    const declined = await platform.opsOnTerminal(['reset', failed, '--to', 'FIRST_TASK'], 'n\n');
    expect(declined).toMatch(/Warning: [^]*\? \[y\/N\] [^]*Nothing /);
    const reset = await platform.ops('reset', failed, '--to', 'FIRST_TASK', '--yes');
    expect(reset.code).toBe(0);
    await platform.ops('terminate', failed, '--yes');
  });

  it('cannot be reset to what is no point, nor to a compensation that has not failed', async () => {
    const done = await status(await undelivered(), 'COMPLETED');
    // One after the other: resets of one workflow exclude each other.
    const noPoint = await platform.ops('reset', done, '--to', '1', '--yes');
    const nothing = await platform.ops('reset', done, '--to', 'COMPENSATION', '--yes');

    expect(noPoint.stderr).toMatch(/^gantry: Event 1 .* points are \d/);
    expect(nothing.stderr).toMatch(new RegExp(`^gantry: .*compensation .+\n {2}.*gantry ops show ${done}\n$`));
    expect([noPoint.code, nothing.code]).toEqual([1, 1]);
  });
});

describe('gantry ops signal, cancel and terminate', () => {
  it('move a workflow on, ask it to end, and end it, with the reason in its history', async () => {
    const [ended, canceled] = [await placed(), await placed()];
    const signal = await platform.ops('signal', ended, 'paymentReceived', '--reason', 'paid in cash', '--by', 'cleo');
    expect(signal.stdout).toMatch(new RegExp(`^${ended} .*paymentReceived`));
    const cancel = await platform.ops('cancel', canceled, '--reason', 'sold out', '--yes');
    expect(cancel.stdout).toContain(`${canceled} is being cancelled`);
    await status(canceled, 'CANCELED');
    const terminate = await platform.ops('terminate', ended, '--reason', 'a mistake', '--by', 'bob', '--yes');
    expect(terminate.stdout).toContain(`${ended} has been terminated`);

    await status(ended, 'TERMINATED');
    const { stdout } = await platform.ops('history', ended);
    expect(stdout).toMatch(/ WORKFLOW_EXECUTION_SIGNALED +\{"signalName":"paymentReceived"/);
    expect(stdout).toContain(payload('paid in cash (requested by cleo)'));
    expect(stdout).toMatch(/ WORKFLOW_EXECUTION_TERMINATED +\{"reason":"a mistake \(requested by bob\)"/);
    expect((await platform.ops('history', canceled)).stdout).toContain('sold out (requested by ');
  });

  it('send a signal with arguments to a workflow of others', async () => {
    await platform.startForeign('stock-7');
    const args = ['--args', '[{ "days": 2 }, "ü"]'];
    const { stdout } = await platform.ops('signal', 'stock-7', 'postpone', ...args, '--reason', 'holiday');
    expect(stdout).toMatch(/^stock-7 .*postpone/);

    const { stdout: history } = await platform.ops('history', 'stock-7');
    for (const argument of [{ days: 2 }, 'ü']) expect(history).toContain(payload(argument));
    const noList = await platform.ops('signal', 'stock-7', 'postpone', '--args', '{"days":2}');
    expect(noList.stderr).toMatch(/^gantry: --args .+; found \{"days":2\}\.\n/);
    expect(noList.code).toBe(2);
  });

  it('report why they cannot', async () => {
    const id = await placed();
    await platform.ops('terminate', id, '--yes');
    const [unknown, closed, foreign] = await Promise.all([
      platform.ops('cancel', 'order-none', '--yes'),
      platform.ops('cancel', id, '--yes'),
      platform.ops('signal', await placed(), 'shipmentDispatched'),
    ]);

    expect(unknown.stderr).toMatch(/^gantry: .* order-none\.\n {2}.*gantry ops list\b/);
    expect(closed.stderr).toMatch(/ \(TERMINATED\).*\n {2}.*gantry ops show /);
    expect(foreign.stderr).toMatch(/placeOrder .*"shipmentDispatched"; .* paymentReceived\./);
    expect([unknown.code, closed.code, foreign.code]).toEqual([1, 1, 1]);
  });
});

describe('gantry ops cancel', () => {
  it.each(['-1', '-h', '--yes', '-', '1'])('takes the workflow %s behind --', async (id) => {
    const { code, stderr } = await platform.ops('cancel', '--yes', '--', id);

    expect(stderr).toMatch(new RegExp(`^gantry: .* ${id}\\.\n {2}.*gantry ops list`));
    expect(code).toBe(1);
  });
});

describe('gantry ops on a terminal', () => {
  it('is coloured', async () => {
    const id = await placed();

    expect(await platform.opsOnTerminal(['show', id], '')).toContain('\u001B[33mRUNNING\u001B[39m');
  });
});

describe('gantry ops that is not understood', () => {
  test.each([
    [['list', '--status', 'DONE'], /--status .* RUNNING, .+; found "DONE"/],
    [['list', '--limit', '0'], /--limit .* 1 to 1000; found "0"/],
    [['reset', 'order-1', '--to', 'SOMEWHERE'], /--to .* FIRST_TASK, LAST_TASK, FAILED_STEP, COMPENSATION or /],
    [['reset', 'order-1'], /Missing required argument: to/],
    [['reset', 'order-1', '--to', 'FIRST_TASK'], /^gantry: .* a workflow .*confirmation.* --yes/],
    [['cancel', 'order-1'], /^gantry: .* a workflow .*confirmation.* --yes/],
    [['terminate', 'order-1'], /^gantry: Terminating a workflow needs a confirmation, .+ Add --yes/],
    [['show'], /The argument <workflow> is missing/],
    [['show', '--'], /The argument <workflow> is missing/],
    [['show', '--', '-1', '-2'], /: -2\.\n {2}.*gantry ops show --help/],
  ])('ends with 2: %j', async (words, message) => {
    const { code, stderr } = await platform.ops(...words);

    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});

/** A value as Temporal stores it. */
function payload(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

/** An order that waits for its payment. */
async function placed(): Promise<string> {
  orders += 1;
  await platform.send('POST', '/place-order', { orderId: `cli-${orders}` });
  return `order-cli-${orders}`;
}

/** An order that is paid and whose parcel waits in the warehouse. */
async function paid(): Promise<string> {
  const id = await placed();
  await askUntil(
    () => detail(id),
    ({ activities }) => activities[0]?.state === 'completed',
  );
  await platform.send('POST', `/payment?orderId=${id.replace('order-', '')}`);
  await askUntil(
    () => detail(id),
    ({ pendingChildren }) => pendingChildren.length > 0,
  );
  return id;
}

/** An order whose parcel did not arrive; it pays back. */
async function undelivered(): Promise<string> {
  const id = await paid();
  const orderId = id.replace('order-', '');
  await platform.send('PUT', `/consignments/${orderId}/delivery`, { delivered: false });
  await platform.send('POST', `/consignments/${orderId}/dispatched`);
  return id;
}

async function json<T>(...words: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await platform.ops(...words, '--json');
  if (code !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { readonly data: T }).data;
}

async function detail(id: string): Promise<WorkflowDetail> {
  return (await platform.send('GET', `/workflows/${id}`)) as WorkflowDetail;
}

async function status(id: string, wanted: string): Promise<string> {
  await askUntil(
    () => detail(id),
    (found) => found.status === wanted,
  );
  return id;
}

/** Temporal's list is behind. */
async function listed(id: string): Promise<void> {
  const query = encodeURIComponent(`WorkflowId = '${id}'`);
  await askUntil(
    () => platform.send('GET', `/workflows?query=${query}`),
    (found) => (found as readonly WorkflowSummary[]).length === 1,
  );
}
