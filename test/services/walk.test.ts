import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { startTestHost, type TestHost } from '../support/platform';
import { findTemporalTestServer } from '../support/temporal-binaries';
import { sendJson } from '../support/rest-client';
import { askUntil } from '../support/ask-until';

const services = ['order', 'email', 'payment', 'consignment', 'ops'].map((name) => `services/${name}`);

// The commands of docs/orders.md, against a host whose Temporal skips the two minutes.
describe('the walk in docs/orders.md', () => {
  let temporal: TestWorkflowEnvironment;
  let host: TestHost;
  beforeAll(async () => {
    const path = await findTemporalTestServer();
    temporal = await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path } },
    });
    host = await startTestHost({ plugins: services, environment: { TEMPORAL_ADDRESS: temporal.address } });
  });
  afterAll(async () => {
    await host.stop();
    await temporal.teardown();
  });

  test.each(sections())('"$title" answers what the page says', async ({ steps }) => {
    for (const { command, answer } of steps) {
      expect(await answerOf(command, answer)).toMatchObject(answer);
    }
  });

  test('finds an order by its id, whose label it is', async () => {
    const { json } = await sendJson(host.address, 'POST', '/api/cms/search?q=1001', {});
    expect(json.data).toContainEqual(
      expect.objectContaining({ type: 'order', items: [expect.objectContaining({ label: '1001' })] }),
    );
  });

  /** Asks until the answer fits: a person types slower than an order takes its next step. A sleep answers nothing. */
  async function answerOf(command: string, wanted: object): Promise<object> {
    const [program, argument] = command.split(' ');
    if (program === 'sleep') {
      await temporal.sleep(Number(argument) * 1_000);
      return {};
    }
    const run = async (): Promise<object> => {
      const address = command.replaceAll('http://127.0.0.1:3000', host.address);
      return JSON.parse((await promisify(execFile)('bash', ['-c', address])).stdout) as object;
    };
    return askUntil(run, (found) => fits(found, wanted));
  }
});

interface Step {
  readonly command: string;
  readonly answer: object;
}

/** The commands of every section, each with the answer that follows it. */
function sections(): readonly { readonly title: string; readonly steps: readonly Step[] }[] {
  const page = readFileSync(join(__dirname, '..', '..', 'docs', 'orders.md'), 'utf8');
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => ({ title: section.split('\n', 1)[0] ?? '', steps: stepsOf(section) }))
    .filter(({ steps }) => steps.length > 0);
}

function stepsOf(section: string): readonly Step[] {
  return [...section.matchAll(/^```sh\n(.*?)\n```(?:\n```json\n(.*?)\n```)?/gms)].map(
    ([, command = '', answer = '{}']) => ({
      command,
      answer: wildcards(JSON.parse(answer)) as object,
    }),
  );
}

/** `…` matches any text. */
function wildcards(value: unknown): unknown {
  if (value === '…') return expect.any(String);
  if (Array.isArray(value)) return value.map(wildcards);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, wildcards(member)]));
}

function fits(found: object, wanted: object): boolean {
  try {
    expect(found).toMatchObject(wanted);
    return true;
  } catch {
    return false;
  }
}
