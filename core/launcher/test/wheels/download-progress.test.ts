import { withDownloadProgress } from '../../src/wheels/download-progress';

describe('the progress of a download', () => {
  it('is written again and again, also while nothing arrives, and ends with it', async () => {
    const lines: string[] = [];
    const written = (count: number): Promise<void> =>
      new Promise((resolve) => {
        const look = (): unknown => (lines.length >= count ? resolve() : setImmediate(look));
        look();
      });
    await withDownloadProgress(
      'Downloading',
      (line) => lines.push(line),
      async (onProgress) => {
        await written(2);
        onProgress(12_400_000, 44_500_000);
        await written(4);
      },
      5,
    );

    expect(lines.slice(0, 2)).toEqual(['Downloading: 0 MB', 'Downloading: 0 MB']);
    expect(lines.at(-1)).toBe('Downloading: 12 of 45 MB');
  });
});
