import type { ItemTypes } from '../../../src/content/compile/item-types';
import { assertDeliverable } from '../../../src/http/webhooks/assert-deliverable';

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
