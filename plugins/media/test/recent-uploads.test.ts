import type { Caller } from '@gantry/plugin-api';
import { createRecentUploads } from '../src/uploads/recent-uploads';

const caller = (id: string): Caller => ({
  kind: 'person',
  id,
  name: 'Ann',
  login: 'ann@example.com',
  permissions: ['media.upload'],
});

describe('uploads of a user', () => {
  it('are known for an hour, to that user alone', () => {
    let now = 0;
    const uploads = createRecentUploads(() => now);
    uploads.add(caller('7'), '/media/a.png');
    expect(uploads.has(caller('7'), '/media/a.png')).toBe(true);
    expect(uploads.has(caller('8'), '/media/a.png')).toBe(false);
    expect(uploads.has(caller('7'), '/media/b.png')).toBe(false);
    expect(uploads.has(undefined, '/media/a.png')).toBe(false);
    expect(uploads.has({ ...caller('7'), permissions: [] }, '/media/a.png')).toBe(false);
    expect(uploads.has({ ...caller('7'), viewsAs: ['editor'] }, '/media/a.png')).toBe(false);
    now = 60 * 60 * 1000;
    expect(uploads.has(caller('7'), '/media/a.png')).toBe(false);
  });

  it('are forgotten when there are too many, the oldest first', () => {
    const uploads = createRecentUploads();
    for (let number = 0; number <= 10_000; number += 1) uploads.add(caller('7'), `/media/${number}.png`);
    expect([0, 1, 10_000].map((number) => uploads.has(caller('7'), `/media/${number}.png`))).toEqual([
      false,
      true,
      true,
    ]);
  });
});
