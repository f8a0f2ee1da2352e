import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { testFieldKind } from '@gantry/plugin-api/testing';

const project = join(__dirname, '../..');

describe('the field kind of the sample geo', () => {
  it('keeps to the contract', async () => {
    const degrees = (limit: number): number => randomInt(-limit * 1_000_000, limit * 1_000_000 + 1) / 1_000_000;
    const results = await testFieldKind(join(project, 'test/samples/geo'), {
      project,
      kind: 'geo.Point',
      value: () => ({ lat: degrees(90), lng: degrees(180) }),
      refused: [
        { lat: 91, lng: 0 },
        { lat: 0, lng: -180.5 },
        { lat: 1 },
        { lat: '1', lng: 1 },
        [1, 2],
        '1,2',
        { lat: 1, lng: 1, x: 1 },
      ],
      text: (value) => `${(value as Record<string, number>)['lat']},${(value as Record<string, number>)['lng']}`,
    });
    expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(results).toHaveLength(11);
  }, 240_000);
});
