import { nextStep, noHistory } from '../src/host/life';
import type { Life } from '../src/host/life';

const life: Life = { wasReady: true, uptimeMs: 1_000, exitCode: 1, signal: null };

describe('nextStep', () => {
  it('restarts a host that had been ready, waiting longer each time', () => {
    const first = nextStep(life, noHistory);
    const second = first.kind === 'restart' ? nextStep(life, first.history) : first;
    expect([first, second]).toMatchObject([{ afterMs: 200 }, { afterMs: 400 }]);
  });

  it('gives up after six short lives in a row', () => {
    expect(nextStep(life, { ...noHistory, everReady: true, crashes: 5 })).toMatchObject({ kind: 'give-up' });
  });

  it('starts counting again after a life of more than a minute', () => {
    const step = nextStep({ ...life, uptimeMs: 61_000 }, { ...noHistory, everReady: true, crashes: 5 });
    expect(step).toMatchObject({ kind: 'restart', afterMs: 200, history: { crashes: 1 } });
  });

  it('gives up at once when the host knows that it cannot serve', () => {
    const fatal = { code: 'X', message: 'The schema is newer.', remedy: 'Use a newer Gantry.' };
    expect(nextStep({ ...life, wasReady: false, fatal }, noHistory)).toEqual({
      kind: 'give-up',
      message: 'The schema is newer.',
      remedy: 'Use a newer Gantry.',
    });
  });

  it('tries again when a host that had served says so, because its database may just be recovering', () => {
    const fatal = { code: 'X', message: 'The database is away.', remedy: 'Wait.' };
    expect(nextStep({ ...life, wasReady: false, fatal }, { ...noHistory, everReady: true })).toMatchObject({
      kind: 'restart',
    });
  });

  it('waits as long as it takes for a database that is away', () => {
    const fatal = { code: 'DATABASE_UNREACHABLE', message: 'PostgreSQL cannot be reached.', remedy: 'Start it.' };
    const step = nextStep({ ...life, wasReady: false, fatal }, { ...noHistory, everReady: true, crashes: 5 });
    expect(step).toMatchObject({ kind: 'restart', afterMs: 6_400, history: { crashes: 6 } });
  });

  it('waits for it just as long at the first start', () => {
    const fatal = { code: 'UNAVAILABLE', message: 'The database took too long to answer.', remedy: 'Wait.' };
    const step = nextStep({ ...life, wasReady: false, fatal }, { ...noHistory, crashes: 5 });
    expect(step).toMatchObject({ kind: 'restart', afterMs: 6_400, history: { crashes: 6 } });
  });

  it('gives up when a plugin ends the host although it is in quarantine', () => {
    const entered = { plugin: 'beta', phase: 'load' };
    const quarantines = [{ plugin: 'beta', phase: 'load', code: 'PLUGIN_EXITED', reason: 'ended' }];
    expect(nextStep({ ...life, entered }, { ...noHistory, quarantines })).toMatchObject({
      kind: 'give-up',
      remedy: 'Disable it with: gantry plugins disable beta',
    });
  });
});

describe('nextStep after a kill -9 that came from elsewhere', () => {
  const killed: Life = { ...life, exitCode: null, signal: 'SIGKILL' };
  const entered = { plugin: 'beta', phase: 'load' };

  it('restarts a host that had been ready at once, however often it is killed', () => {
    const step = nextStep(killed, { ...noHistory, everReady: true, crashes: 12 });
    expect(step).toMatchObject({ kind: 'restart', afterMs: 200, history: { crashes: 1 } });
  });

  it('restarts one that was killed before it was ready, waiting longer each time, and blames no plugin for it', () => {
    const first = nextStep({ ...killed, wasReady: false, entered }, { ...noHistory, everReady: true });
    const second = first.kind === 'restart' ? nextStep({ ...killed, wasReady: false, entered }, first.history) : first;
    expect([first, second]).toMatchObject([
      { afterMs: 200, history: { quarantines: [] }, reason: 'the host ended unexpectedly (SIGKILL)' },
      { afterMs: 400, history: { quarantines: [] } },
    ]);
  });

  it('does so at the first start as well, twice', () => {
    const first = { ...killed, wasReady: false, entered };
    expect(nextStep(first, { ...noHistory, crashes: 1 })).toMatchObject({ history: { quarantines: [] } });
    expect(nextStep(first, { ...noHistory, crashes: 2 })).toMatchObject({
      history: { quarantines: [{ plugin: 'beta', code: 'PLUGIN_CRASHED' }] },
    });
  });

  it('leaves a plugin out in which every start ends: the system may take its memory back', () => {
    const step = nextStep({ ...killed, wasReady: false, entered }, { ...noHistory, everReady: true, crashes: 5 });
    expect(step).toMatchObject({ kind: 'restart', history: { quarantines: [{ plugin: 'beta' }] } });
  });

  it('goes on trying when no plugin can be named', () => {
    const step = nextStep({ ...killed, wasReady: false }, { ...noHistory, everReady: true, crashes: 9 });
    expect(step).toMatchObject({ kind: 'restart', afterMs: 10_000 });
  });

  it('blames a plugin whose silence was the reason of the kill', () => {
    expect(nextStep({ ...killed, killedFor: 'plugin-silent', entered }, noHistory)).toMatchObject({
      history: { quarantines: [{ plugin: 'beta', code: 'PLUGIN_HUNG' }] },
    });
  });
});
