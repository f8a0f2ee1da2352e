import type { CrashAttribution } from '@gantry/contracts';
import { decideRestart, defaultRestartPolicy, initialState } from '../src/restart-policy';
import type { HostEnd, PluginSetChange, RestartDecision, RestartState } from '../src/restart-policy';

const end: HostEnd = { wasReady: true, uptimeMs: 1_000, exitCode: 1, signal: null, requiredPlugins: ['field-kinds'] };
const killed: HostEnd = { ...end, exitCode: null, signal: 'SIGKILL' };
const attribution: CrashAttribution = { plugin: 'boats', evidence: 'stack-frames', detail: 'index.js:3:12' };
const crash: HostEnd = { ...end, attribution, lastError: 'Error: sunk' };
const served: RestartState = { ...initialState, everReady: true };
const change: PluginSetChange = {
  id: 'c1',
  at: 1_000,
  plugins: ['boats'],
  added: [],
};

function decide(of: HostEnd, state: RestartState, now = 10_000): RestartDecision {
  return decideRestart(of, state, defaultRestartPolicy, now);
}

function stateAfter(decision: RestartDecision): RestartState {
  if (decision.kind !== 'restart') throw new Error('It gave up');
  return decision.state;
}

describe('a crash of a plugin', () => {
  it('within 120 s of a change returns to the plugins before, at the first time', () => {
    const decision = decide(crash, { ...served, change }, 120_000);

    expect(decision).toMatchObject({ kind: 'restart', afterMs: 0, undo: change, state: { quarantines: [] } });
    expect(stateAfter(decision).change).toBeUndefined();
    expect(decision).toMatchObject({ reason: expect.stringContaining('index.js:3:12') as string });
  });

  it('returns to the plugins before as well when another one than the changed ones crashed', () => {
    const other = { ...crash, attribution: { ...attribution, plugin: 'harbours' } };
    expect(decide(other, { ...served, change })).toMatchObject({ undo: change, state: { quarantines: [] } });
  });

  it('leaves out what was added with the change, because a set without it is the one before', () => {
    const added = { ...change, added: ['boats', 'oars'] };
    expect(stateAfter(decide(crash, { ...served, change: added })).quarantines).toMatchObject([
      { plugin: 'boats', code: 'PLUGIN_CRASHED', reason: expect.stringContaining('Error: sunk') as string },
      { plugin: 'oars', reason: expect.stringMatching(/^was added shortly before the plugin "boats" crashed/) },
    ]);
  });

  it('leaves out a plugin that was updated in its folder, whose files from before are gone, and no other one', () => {
    const { id: _id, ...updated } = { ...change, plugins: ['boats', 'oars'] };
    expect(stateAfter(decide(crash, { ...served, change: updated })).quarantines).toMatchObject([{ plugin: 'boats' }]);
  });

  it('after the return counts as the first of two', () => {
    const returned = stateAfter(decide(crash, { ...served, change }));
    expect(stateAfter(decide(crash, returned, 20_000)).quarantines).toMatchObject([{ plugin: 'boats' }]);
  });

  it('later on restarts the host once, and leaves the plugin out at the second time within ten minutes', () => {
    const first = decide(crash, { ...served, change }, 121_001);
    const second = decide(crash, stateAfter(first), 720_000);

    expect(first).toMatchObject({ afterMs: 200, state: { quarantines: [] } });
    expect(second).toMatchObject({ afterMs: 0, state: { quarantines: [{ plugin: 'boats' }], pluginCrashes: [] } });
    expect([first, second].map((decision) => 'undo' in decision)).toEqual([false, false]);
  });

  it('is forgotten after ten minutes, and counts for that plugin only', () => {
    const first = stateAfter(decide(crash, served, 0));
    const other = { ...crash, attribution: { ...attribution, plugin: 'harbours' } };

    expect(stateAfter(decide(crash, first, 600_001)).quarantines).toEqual([]);
    expect(stateAfter(decide(other, first, 1)).quarantines).toEqual([]);
  });

  it('before the host was ready leaves the plugin out at once', () => {
    expect(stateAfter(decide({ ...crash, wasReady: false }, initialState)).quarantines).toMatchObject([
      { plugin: 'boats' },
    ]);
  });

  it('that the platform requires only restarts the host, waiting longer each time', () => {
    const required = { ...crash, attribution: { ...attribution, plugin: 'field-kinds' } };
    const first = decide(required, served);
    const second = decide(required, stateAfter(first));

    expect([first, second]).toMatchObject([{ afterMs: 200 }, { afterMs: 400, state: { quarantines: [] } }]);
  });

  it('that is left out already only restarts the host', () => {
    const quarantines = [{ plugin: 'boats', phase: 'start', code: 'PLUGIN_CRASHED', reason: 'crashed' }];
    expect(decide(crash, { ...served, quarantines })).toMatchObject({ kind: 'restart', afterMs: 200 });
  });

  it.each<[string, Partial<HostEnd>, string]>([
    ['PLUGIN_HUNG', { killedFor: 'host-silent', signal: 'SIGKILL' }, 'blocked .* 1\\.0 s .*'],
    ['PLUGIN_CRASHED', { lastError: 'Error: sunk' }, 'crashed .* 1\\.0 s .*: Error: sunk'],
    ['PLUGIN_CRASHED', { signal: 'SIGABRT' }, 'crashed .* 1\\.0 s .* \\(SIGABRT\\)'],
    ['PLUGIN_EXITED', {}, 'ended .* 1\\.0 s .* \\(exit code 1\\)'],
  ])('is reported as %s with its evidence', (code, how, evidence) => {
    const twice = { ...served, pluginCrashes: [{ plugin: 'boats', at: 0 }] };
    expect(stateAfter(decide({ ...end, attribution, ...how }, twice)).quarantines).toEqual([
      {
        ...{ plugin: 'boats', phase: 'start', code },
        reason: expect.stringMatching(new RegExp(`^${evidence} \\(stack: index\\.js:3:12\\)$`)) as string,
      },
    ]);
  });
});

describe('a crash that no plugin is known for', () => {
  it('restarts a host that never served after 0.2 to 30 s, without limit', () => {
    let state = initialState;
    const waits: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      const decision = decide({ ...end, wasReady: false }, state);
      state = stateAfter(decision);
      waits.push(decision.kind === 'restart' ? decision.afterMs : -1);
    }
    expect(waits).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000, 30_000, 30_000]);
  });

  it('has the next host not wait for more than 3 s where one served', () => {
    expect(decide(end, { ...served, crashesInARow: 12 })).toMatchObject({ kind: 'restart', afterMs: 3_000 });
  });

  it('names what was changed last as the first place to look', () => {
    expect(decide(end, { ...served, change })).toMatchObject({
      reason: expect.stringMatching(/\(exit code 1\) \(unattributed; .*: boats\)$/) as string,
    });
    expect(decide(end, served)).toMatchObject({ reason: expect.stringMatching(/\(unattributed\)$/) as string });
  });

  it('counts from the beginning after a host that served for more than a minute', () => {
    const decision = decide({ ...end, uptimeMs: 61_000 }, { ...served, crashesInARow: 5 });
    expect(decision).toMatchObject({ afterMs: 200, state: { crashesInARow: 1 } });
  });
});

describe('a host that reports why it cannot serve', () => {
  const fatal = { code: 'SCHEMA_NEWER', message: 'The schema is newer.', remedy: 'Use a newer Gantry.' };

  it('before the platform was ever ready gives up with the remedy', () => {
    const { message, remedy } = fatal;
    expect(decide({ ...end, wasReady: false, fatal }, initialState)).toEqual({ kind: 'give-up', message, remedy });
  });

  it('later on is started again', () => {
    expect(decide({ ...end, wasReady: false, fatal }, served)).toMatchObject({ kind: 'restart' });
  });

  it.each(['DATABASE_UNREACHABLE', 'UNAVAILABLE'])('is started again when the cause can pass: %s', (code) => {
    const passing = { ...end, wasReady: false, fatal: { ...fatal, code } };
    expect(decide(passing, { ...initialState, crashesInARow: 9 })).toMatchObject({ kind: 'restart', afterMs: 30_000 });
  });
});

describe('a kill -9 that came from elsewhere', () => {
  const entered = { plugin: 'beta', phase: 'load' };

  it('restarts a host that had been ready at once, however often it is killed', () => {
    const decision = decide(killed, { ...served, crashesInARow: 12 });
    expect(decision).toMatchObject({ kind: 'restart', afterMs: 200, state: { crashesInARow: 1 } });
  });

  it('restarts one that was killed before it was ready, and blames no plugin for it', () => {
    const first = decide({ ...killed, wasReady: false, entered }, served);
    const second = decide({ ...killed, wasReady: false, entered }, stateAfter(first));

    expect([first, second]).toMatchObject([
      { afterMs: 200, state: { quarantines: [] }, reason: 'the host ended unexpectedly (SIGKILL)' },
      { afterMs: 400, state: { quarantines: [] } },
    ]);
  });

  it.each([
    ['the first start', initialState, 2],
    ['a later one', served, 5],
  ])('leaves out a plugin in which every attempt of %s ends', (_start, state, attempts) => {
    const ended = { ...killed, wasReady: false, entered };
    const excused = decide(ended, { ...state, crashesInARow: attempts - 1 });
    const blamed = decide(ended, { ...state, crashesInARow: attempts });

    expect(stateAfter(excused).quarantines).toEqual([]);
    expect(stateAfter(blamed).quarantines).toMatchObject([{ plugin: 'beta', code: 'PLUGIN_CRASHED' }]);
  });

  it('blames a plugin whose silence was the reason of the kill', () => {
    const silent = { ...killed, wasReady: false, killedFor: 'plugin-silent' as const, entered };
    expect(stateAfter(decide(silent, initialState)).quarantines).toMatchObject([
      { plugin: 'beta', code: 'PLUGIN_HUNG', reason: expect.stringContaining(' load ') as string },
    ]);
  });
});
