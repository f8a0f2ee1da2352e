import type { HostStart } from '@gantry/contracts';
import { parseHostMessage, parseHostStart } from '../src/child/messages';

const start: HostStart = {
  kind: 'start',
  environment: { DATABASE_URL: 'postgres://127.0.0.1/gantry' },
  quarantines: [{ plugin: 'boats', phase: 'start', code: 'PLUGIN_HUNG', reason: 'did not return' }],
  listenFd: 4,
  generations: { changesTakeEffect: 'at-once', generation: 2, changes: [] },
  successor: {
    decisions: {
      boats: { enabled: false },
      oars: { enabled: true, version: '1.0.0', contentHash: 'sha256-x', folder: '/srv/oars' },
    },
    mustStart: ['oars'],
  },
  isRestart: true,
};

describe('the start message of a host', () => {
  it('is what was sent', () => {
    expect(parseHostStart(JSON.parse(JSON.stringify(start)))).toEqual(start);
  });

  it.each([
    ['an environment without values', { ...start, environment: { DATABASE_URL: 5 } }, /environment\.DATABASE_URL/],
    ['a quarantine without a plugin', { ...start, quarantines: [{ phase: 'start' }] }, /quarantines\[0\]\.plugin/],
    ['generations of another shape', { ...start, generations: {} }, / generations/],
    ['another kind', { ...start, kind: 'stop' }, /kind/],
  ])('that has %s is refused with the place', (_what, message, place) => {
    expect(() => parseHostStart(message)).toThrow(place);
  });
});

describe('a message of a host', () => {
  it('that is of another kind is left out: plugins may send others', () => {
    expect([{ kind: 'hello' }, 'text', null, undefined].map(parseHostMessage)).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
  });
});
