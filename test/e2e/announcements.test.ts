import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { useTestHost } from '../support/platform';
import { send, sendJson } from '../support/rest-client';
import { accessibilityFindings, useAdminTab } from './admin/support/open-pages';
import { createPerson, createUsers, sendAs, untilSignInIsRequired, useLink } from './sign-in/support/accounts';

const gantry = join(__dirname, '../../cli/bin/gantry.js');
const program = 'test/samples/announcements/host.js';
const path = '/api/platform/announcements';
const host = useTestHost({ plugins: ['plugins/admin-ui'], program });
const tab = useAdminTab(() => host.address);

describe('the module announcements, which is one folder and a line in a list', () => {
  it('has routes with their contract, and its history in the audit log', async () => {
    const refused = await sendJson(host.address, 'POST', path, { title: '', text: 'Soon', until: 'never' });
    expect([refused.status, refused.json.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(refused.json.error.details.map((detail: { path: string }) => detail.path)).toEqual(['title', 'until']);

    const { status, json } = await sendJson(host.address, 'POST', path, {
      title: 'New scale',
      text: 'It weighs hives.',
    });
    await sendJson(host.address, 'POST', path, { title: 'Long ago', text: 'Over', until: '2020-01-01T00:00:00Z' });

    expect([status, json.data]).toEqual([201, expect.objectContaining({ title: 'New scale', until: null })]);
    const listed = await send(host.address, path);
    expect(listed.json.data.map(({ title }: { title: string }) => title)).toEqual(['New scale']);
    const events = await send(host.address, '/api/platform/audit?action=announcement-written');
    expect(
      events.json.data.map(({ subject, detail }: { subject: string; detail: object }) => [subject, detail]),
    ).toEqual([
      ['announcement:2', { title: 'Long ago' }],
      ['announcement:1', { title: 'New scale' }],
    ]);
    const document = await send(host.address, '/api/openapi.json');
    expect(Object.keys(document.json.paths[path])).toEqual(['get', 'post']);
  });

  it('has a command', async () => {
    const words = ['--title', 'Open day', '--text', 'On Sunday.', '--url', host.address];
    const command = [gantry, 'call', 'gantry.announcements', 'write', ...words];
    const { stdout } = await promisify(execFile)(process.execPath, command);

    expect(stdout).toMatch(/title +Open day/i);
  });

  it('has a card on the home page, and a page with a form', async () => {
    const { page, open, errors } = tab();
    await open('/');
    const card = page.getByRole('region', { name: 'Announcements' });
    expect(await card.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Open day/),
      expect.stringMatching(/^New scale/),
    ]);
    expect(await accessibilityFindings(page)).toEqual([]);

    await card.getByRole('link', { name: 'New scale' }).click();
    await page.getByRole('heading', { level: 1, name: 'Announcements' }).waitFor();
    await page.getByRole('button', { name: 'Write an announcement' }).click();
    const dialog = page.getByRole('dialog', { name: 'Write an announcement' });
    await dialog.getByLabel('Title').fill('Honey');
    await dialog.getByLabel('Text').fill('The first of the year.');
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Write an announcement' }).click();

    await page.getByRole('row', { name: /^Honey The first of the year\./ }).waitFor();
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('region', { name: 'Announcements' }).getByRole('link', { name: 'Honey' }).waitFor();
    expect(errors).toEqual([]);
  });

  it('is written by those who may, who alone are offered how, and read by all who are signed in', async () => {
    const { address } = host;
    const [secret = ''] = await createUsers(host.databaseUrl, ['ann@example.com']);
    await untilSignInIsRequired(address);
    const administrator = await useLink(address, secret);
    const reader = await createPerson(address, administrator, 'bob@example.com', ['reader']);
    const announcement = { title: 'Closed', text: 'On Monday.' };

    expect((await send(address, path)).status).toBe(401);
    expect((await sendAs(address, reader, 'POST', path, announcement)).json.error.code).toBe('FORBIDDEN');
    expect((await sendAs(address, administrator, 'POST', path, announcement)).status).toBe(201);
    expect((await sendAs(address, reader, 'GET', path)).json.data[0]).toMatchObject(announcement);
    for (const [session, count] of [
      [reader, 0],
      [administrator, 1],
    ] as const) {
      expect((await sendAs(address, session, 'GET', '/api/platform/commands')).json.data).toHaveLength(count);
      expect((await sendAs(address, session, 'GET', '/api/platform/views')).json.data.homeCards).toHaveLength(1);
    }
    const permissions = await sendAs(address, administrator, 'GET', '/api/platform/permissions');
    expect(permissions.json.data).toContainEqual({ name: 'announcements.write', displayName: 'Write announcements' });
  });
});
