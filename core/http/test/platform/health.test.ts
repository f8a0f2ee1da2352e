import type { PluginReport } from '@gantry/contracts';
import type { PluginHealth } from '@gantry/plugin-api';
import type { HealthPart } from '../../src/ports/health-part';
import {
  changesCheck,
  createHealth,
  databaseCheck,
  pluginsCheck,
  readinessStatus,
  type HostPhase,
} from '../../src/platform/health';

function healthOf(parts: readonly HealthPart[], phase: HostPhase = 'ready') {
  return createHealth(() => phase, [async () => parts]).readiness();
}

const up: HealthPart = { name: 'a', status: 'up' };

describe('readiness', () => {
  it.each([
    ['ready', [up], 'ready', 200],
    ['ready', [], 'ready', 200],
    ['ready', [up, { name: 'b', status: 'degraded' }], 'degraded', 200],
    [
      'ready',
      [
        { name: 'b', status: 'degraded' },
        { name: 'c', status: 'down' },
      ],
      'unavailable',
      503,
    ],
    ['starting', [up], 'starting', 503],
    ['draining', [up], 'draining', 503],
  ] as const)('of a platform that is %s with parts %j is %s', async (phase, parts, status, code) => {
    const readiness = await healthOf(parts, phase);
    expect([readiness, readinessStatus(readiness)]).toEqual([{ status, parts }, code]);
  });

  it('is asked once however many ask within a second', async () => {
    let asked = 0;
    const health = createHealth(
      () => 'ready',
      [
        async () => {
          asked += 1;
          return [up];
        },
      ],
    );
    await Promise.all(Array.from({ length: 50 }, () => health.readiness()));
    expect(asked).toBe(1);
  });
});

describe('the parts', () => {
  it('hold a database that takes writes, one that takes none, and one that does not answer', async () => {
    expect(await databaseCheck(async () => 'writable')()).toEqual([{ name: 'database', status: 'up' }]);
    expect(await databaseCheck(async () => 'full')()).toMatchObject([
      { status: 'degraded', message: expect.stringContaining('full') },
    ]);
    expect(await databaseCheck(async () => 'read-only')()).toMatchObject([
      { status: 'degraded', message: expect.stringContaining('read-only') },
    ]);
    expect(await databaseCheck(() => Promise.reject(new Error('secret address')))()).toEqual([
      { name: 'database', status: 'down', message: expect.not.stringContaining('secret') },
    ]);
  });

  it('hold why readers of the change feed are behind, which degrades nothing', async () => {
    const up = { name: 'changes', status: 'up' };
    expect(await changesCheck(async () => undefined)()).toEqual([up]);
    expect(await changesCheck(async () => ({ seconds: 4.9, pid: 7, name: 'gantry write' }))()).toEqual([up]);
    expect(await changesCheck(async () => ({ seconds: 61.2, pid: 7, name: 'psql' }))()).toEqual([
      {
        ...up,
        message: expect.stringMatching(/ "psql" \(process 7\), .* 61 s .* pg_terminate_backend\(7\)\.$/),
      },
    ]);
    expect(await changesCheck(async () => ({ seconds: undefined, pid: undefined, name: 'tx' }))()).toMatchObject([
      { message: expect.stringContaining('prepared transaction "tx",') },
    ]);
    expect(await changesCheck(() => Promise.reject(new Error('no database')))()).toEqual([]);
  });

  it('hold every plugin but those that are disabled', async () => {
    const problems = [{ phase: 'start', code: 'X', reason: 'it is broken', remedy: 'fix it' }];
    const reports = [
      { id: 'a', state: 'started', problems: [] },
      { id: 'b', state: 'failed', problems },
      { id: 'c', state: 'disabled', problems },
      { id: 'd', state: 'incompatible', problems: [] },
    ] as unknown as readonly PluginReport[];
    expect(
      await pluginsCheck(
        () => reports,
        () => undefined,
      )(),
    ).toEqual([
      { name: 'plugin a', status: 'up' },
      { name: 'plugin b', status: 'degraded', message: 'it is broken' },
      { name: 'plugin d', status: 'degraded' },
    ]);
  });

  it('hold the parts of a plugin by its name, up to twenty', async () => {
    const reports = [{ id: 'shop', state: 'started', problems: [] }] as unknown as readonly PluginReport[];
    const parts = Array.from({ length: 30 }, (_, index) => ({ name: `shelf ${index}`, status: 'down' as const }));
    const shown = await pluginsCheck(
      () => reports,
      async () => ({ status: 'up', parts: [{ name: 'printer', status: 'degraded', message: 'no paper' }, ...parts] }),
    )();
    expect(shown.slice(0, 3)).toEqual([
      { name: 'plugin shop', status: 'up' },
      { name: 'plugin shop: printer', status: 'degraded', message: 'no paper' },
      { name: 'plugin shop: shelf 0', status: 'degraded' },
    ]);
    expect(shown).toHaveLength(21);
  });

  it('ask the plugins that run how they are; an unhealthy one only degrades the platform', async () => {
    const reports = ['well', 'ill', 'broken', 'silent'].map((id) => ({ id, state: 'started', problems: [] }));
    const answers: Readonly<Record<string, () => Promise<PluginHealth>>> = {
      well: async () => ({ status: 'up' }),
      ill: async () => ({ status: 'down', message: 'the storage is unavailable' }),
      broken: () => Promise.reject(new Error('secret')),
      silent: () => new Promise(() => undefined),
    };
    const check = pluginsCheck(
      () => reports as unknown as readonly PluginReport[],
      (id) => answers[id]?.(),
    );
    expect(await check()).toEqual([
      { name: 'plugin well', status: 'up' },
      { name: 'plugin ill', status: 'degraded', message: 'the storage is unavailable' },
      { name: 'plugin broken', status: 'degraded', message: expect.not.stringContaining('secret') },
      { name: 'plugin silent', status: 'degraded', message: expect.stringContaining('in time') },
    ]);
  });
});
