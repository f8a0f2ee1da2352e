import { createRights } from '@gantry/core-identity';
import type { Policy, ImageRights } from '@gantry/core-content';
import { createMayRead, type MayRead } from '../../src/plugins/may-read';
import type { Principal } from '@gantry/core-http';

const policy = {} as Policy;
const none: ImageRights = { isShown: async () => false, isUsed: async () => false };

function principal(name: string, permissions: readonly string[] = []): Principal {
  const role = { name, displayName: name, description: '', grants: [], permissions, isBuiltIn: false };
  return { kind: 'person', id: '7', name: 'Ann', login: 'ann@example.org', rights: createRights([role], []) };
}

function mayReadOf(images: ImageRights, publicUrl?: string): MayRead {
  return createMayRead({ images, policyOf: () => policy, publicUrl });
}

describe('the right to read a file', () => {
  const uploader = principal('uploader', ['media.upload']);
  const unusedWith = 'media.upload';

  it.each([
    ['shown', true, true, undefined, true],
    ['unused, without that question', false, false, undefined, false],
    ['unused', false, false, unusedWith, true],
    ['unused, with another permission', false, false, 'media.remove', false],
    ['used, and hidden', false, true, unusedWith, false],
  ])('is there for a file that is %s', async (_what, isShown, isUsed, permission, expected) => {
    const images: ImageRights = { isShown: async (asked) => asked === policy && isShown, isUsed: async () => isUsed };
    const mayRead = mayReadOf(images);
    const options = permission === undefined ? undefined : { unusedWith: permission };
    expect(await mayRead(uploader, ['/a.png'], options)).toBe(expected);
  });

  it('is asked for with the path and its address on the public host', async () => {
    const asked: (readonly string[])[] = [];
    const isShown: ImageRights['isShown'] = async (_policy, addresses) => asked.push(addresses) > 0;
    const mayRead = mayReadOf({ ...none, isShown }, 'https://cms.example.com');
    await mayRead(uploader, ['/a.png', 'https://other.example.com/a.png']);
    expect(asked).toEqual([['/a.png', 'https://other.example.com/a.png', 'https://cms.example.com/a.png']]);
  });

  it('is there for an administrator without a question to the database', async () => {
    const fails = (): never => {
      throw new Error('The database is unavailable.');
    };
    const mayRead = mayReadOf({ isShown: fails, isUsed: fails });
    expect(await mayRead(principal('administrator'), ['/a.png'])).toBe(true);
  });

  it.each([
    [undefined],
    ['/a.png'],
    [[]],
    [[7]],
    [[null]],
    [['/a\0.png']],
    [[`/${'a'.repeat(1024)}`]],
    [Array.from({ length: 101 }, (_, index) => `/${index}.png`)],
  ])('is not asked with the addresses %j', async (addresses) => {
    const mayRead = mayReadOf(none);
    await expect(mayRead(uploader, addresses as readonly string[])).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('an array of 1 to 100 addresses') as string,
    });
  });

  it.each([[null], ['media.upload'], [{ unusedWith: 7 }], [{ unusedFor: 'media.upload' }]])(
    'is not asked with the options %j',
    async (options) => {
      const mayRead = mayReadOf(none);
      await expect(mayRead(uploader, ['/a.png'], options as never)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    },
  );
});
