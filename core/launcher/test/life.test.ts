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

  it('gives up when a plugin ends the host although it is in quarantine', () => {
    const entered = { plugin: 'beta', phase: 'load' };
    const quarantines = [{ plugin: 'beta', phase: 'load', code: 'PLUGIN_EXITED', reason: 'ended' }];
    expect(nextStep({ ...life, entered }, { ...noHistory, quarantines })).toMatchObject({
      kind: 'give-up',
      remedy: 'Disable it with: gantry plugins disable beta',
    });
  });
});
