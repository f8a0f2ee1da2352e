import { createImportCapacity } from '../../../src/http/transfer/imports/import-capacity';

async function* chunks(...sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield new Uint8Array(size);
}

async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of bytes) expect(chunk.byteLength).toBeGreaterThan(0);
}

const forever = (): Promise<void> => new Promise(() => undefined);

describe('the capacity for imports', () => {
  it('runs two at once, and another when one is done', async () => {
    const capacity = createImportCapacity(100);
    let finish = (): void => undefined;
    const first = capacity.run(() => new Promise((resolve) => (finish = resolve)));
    void capacity.run(forever);
    await expect(capacity.run(forever)).rejects.toMatchObject({ code: 'UNAVAILABLE' });

    finish();
    await first;
    await expect(capacity.run(() => Promise.resolve())).resolves.toBeUndefined();
  });

  it('receives bodies while imports run, but no more than 64', async () => {
    const capacity = createImportCapacity(100);
    for (let count = 0; count < 64; count += 1) void capacity.receive(chunks(), forever);
    await expect(capacity.receive(chunks(), readAll)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('receives four files of the longest length, and gives back what they took', async () => {
    const capacity = createImportCapacity(100);
    await expect(capacity.receive(chunks(100, 100, 100, 100, 1), readAll)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    await expect(capacity.receive(chunks(200, 200), readAll)).resolves.toBeUndefined();
  });
});
