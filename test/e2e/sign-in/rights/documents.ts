import type { TestHost } from '../../../support/platform';
import { createPerson, sendAs } from '../support/accounts';

/** On a host with item types, as an administrator. */
export function testDocuments(host: TestHost, administrator: () => string): void {
  it.each(['reader', 'editor', 'operator'])('has what the role %s lets be used, and nothing else', async (role) => {
    const login = `${role}.document@example.com`;
    const session = await createPerson(host.address, administrator(), login, [role]);
    const { json } = await sendAs(host.address, session, 'GET', '/api/openapi.json');
    const paths = Object.keys(json.paths);

    const forAll = ['/api/platform/session', '/api/platform/account/tokens'];
    const ofAdministrators = ['/api/platform/users', '/api/platform/plugins/install', '/api/platform/webhooks'];
    expect(forAll.filter((path) => !paths.includes(path))).toEqual([]);
    expect(ofAdministrators.filter((path) => paths.includes(path))).toEqual([]);
    expect(paths.includes('/api/cms/imports/product')).toBe(role === 'editor');
    expect(paths.includes('/metrics')).toBe(role === 'operator');
  });
}
