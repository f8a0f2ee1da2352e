import { thisMachine } from '@gantry/core-http';
import { createImportCapacity } from '../../src/routes/imports/import-capacity';

async function* chunks(...sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield new Uint8Array(size);
}

async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of bytes) expect(chunk.byteLength).toBeGreaterThan(0);
}

const local = thisMachine;
const ann = 'user 1';

const forever = (): Promise<void> => new Promise(() => undefined);

describe('the capacity for imports', () => {
  it('runs two at once, and another when one is done', async () => {
    const capacity = createImportCapacity(100);
    let finish = (): void => undefined;
    const first = capacity.run(local, () => new Promise<void>((resolve) => (finish = resolve)));
    void capacity.run(local, forever);
    await expect(capacity.run(local, forever)).rejects.toMatchObject({ code: 'UNAVAILABLE' });

    finish();
    await first;
    await expect(capacity.run(local, () => Promise.resolve())).resolves.toBeUndefined();
  });

  it('receives bodies while imports run, but no more than 64', async () => {
    const capacity = createImportCapacity(100);
    for (let count = 0; count < 64; count += 1) void capacity.receive(local, chunks(), forever);
    await expect(capacity.receive(local, chunks(), readAll)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('receives four files of the longest length, and gives back what they took', async () => {
    const capacity = createImportCapacity(100);
    await expect(capacity.receive(local, chunks(100, 100, 100, 100, 1), readAll)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    await expect(capacity.receive(local, chunks(200, 200), readAll)).resolves.toBeUndefined();
  });

  it('leaves room for the imports and files of others', async () => {
    const capacity = createImportCapacity(100);
    const taken = { code: 'TOO_MANY_REQUESTS' };
    void capacity.run(ann, forever);
    await expect(capacity.run(ann, forever)).rejects.toMatchObject(taken);
    await expect(capacity.run('user 2', () => Promise.resolve())).resolves.toBeUndefined();

    await expect(capacity.receive(ann, chunks(200, 1), readAll)).rejects.toMatchObject(taken);
    for (let count = 0; count < 8; count += 1) void capacity.receive(ann, chunks(), forever);
    await expect(capacity.receive(ann, chunks(), readAll)).rejects.toMatchObject(taken);
  });
});
