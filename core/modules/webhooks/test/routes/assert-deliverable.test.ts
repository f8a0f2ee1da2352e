import type { ItemTypes } from '@gantry/core-content';
import { parseJson } from '@gantry/core-common';
import { parseBody } from '@gantry/core-http';
import { assertDeliverable } from '../../src/routes/assert-deliverable';
import { webhookBody } from '../../src/routes/webhook-input';

const types = (): ItemTypes => ({ find: () => undefined, served: () => [] }) as unknown as ItemTypes;
const store = (url: string, allowsPrivateAddresses = false) =>
  assertDeliverable({ types, allowsPrivateAddresses }, { url });

describe('the address of a webhook', () => {
  it.each([
    'http://127.0.0.1:9000/hook',
    'http://0x7f000001/',
    'http://169.254.169.254/latest',
    'https://[::1]/',
    'http://[::127.0.0.1]:8080/',
    'http://[::a9fe:a9fe]/',
    'http://[100:0:0:1::1]/',
    'http://[4000::1]/',
    'http://[64:ff9b:1::7f00:1]/',
    'https://10.0.0.8/',
  ])('%s is refused unless private addresses are allowed', (url) => {
    expect(() => store(url)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_FAILED',
        details: [expect.objectContaining({ path: 'url' })],
        message: expect.stringContaining('GANTRY_WEBHOOK_PRIVATE_ADDRESSES'),
      }),
    );
    expect(() => store(url, true)).not.toThrow();
  });

  it.each([
    'https://example.com/hook',
    'https://localhost.example/',
    'https://93.184.215.14/',
    'https://[2606:4700::1]/',
  ])('%s is stored', (url) => {
    expect(() => store(url)).not.toThrow();
  });
});

describe('the filter of a webhook', () => {
  it('is not compared with types that are not in use', () => {
    const filter = [{ field: 'anything', operator: 'EQUALS' as const, value: 'x' }];
    expect(() =>
      assertDeliverable({ types, allowsPrivateAddresses: false }, { filter, keptTypes: ['gone'] }),
    ).not.toThrow();
  });
});

describe('what a webhook would send otherwise than it was given', () => {
  const read = (input: object) => parseBody(webhookBody, { name: 'w', url: 'https://example.com/', ...input });

  it.each([
    [{ url: 'http://example.com/\r\nX: 1' }, 'url'],
    [{ url: 'http://ex\tample.com/' }, 'url'],
    [{ url: ' https://example.com/' }, 'url'],
    [{ url: 'https://@example.com/' }, 'url'],
    [{ url: 'https://example.com/hooks#all' }, 'url'],
    [{ url: 'https:\\\\example.com\\hooks' }, 'url'],
    [{ url: 'https://example.com:443/' }, 'url'],
    [{ url: 'http://0x5d.1/' }, 'url'],
    [{ headers: { 'x-a': '1', 'X-A': '2' } }, 'headers.X-A'],
    [{ headers: parseJson('{"__proto__":"x"}') }, 'headers.__proto__'],
    [{ headers: { 'X-A': ' 1' } }, 'headers.X-A'],
  ])('is refused: %j', (input, path) => {
    expect(() => read(input)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED', details: [expect.objectContaining({ path })] }),
    );
  });

  it.each(['https://example.com', 'http://example.com:8080/a%20b?c=%27d', 'https://[2606:4700::1]/'])(
    'is not %s',
    (url) => {
      expect(read({ url }).url).toBe(url);
    },
  );
});
