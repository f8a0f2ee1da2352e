import { plainPng } from '../../support/plain-png';
import { useTestHost } from '../../support/platform';
import { send } from '../../support/rest-client';
import {
  createPerson,
  createUsers,
  fromPage,
  sendAs,
  untilSignInIsRequired,
  useLink,
} from '../sign-in/support/accounts';
import { adminPlugins } from './support/content';
import { untilDrawn, useAdminTab } from './support/open-pages';

const host = useTestHost({ plugins: [...adminPlugins, 'plugins/media'] });
const tab = useAdminTab(() => host.address);

describe('images that depend on roles', () => {
  const article = { plugin: 'articles', type: 'article' };
  const own = { field: 'createdBy', operator: 'EQUALS', value: '$user.id' };

  const sessions = { bob: '', ted: '' };
  let tents = 0;

  beforeAll(async () => {
    await leavePages();
    const [secret = ''] = await createUsers(host.databaseUrl, ['ann@example.com']);
    await untilSignInIsRequired(host.address);
    const ann = await useLink(host.address, secret);
    const post = (path: string, body: object) => sendAs(host.address, ann, 'POST', path, body);
    const grants = [{ on: article, actions: ['read', 'create', 'update'], where: [own] }];
    await post('/api/platform/roles', { name: 'own-articles', grants, permissions: ['media.upload'] });
    const named = [{ on: article, actions: ['read', 'update'], readableFields: ['title', 'slug'] }];
    await post('/api/platform/roles', { name: 'article-titles', grants: named });
    sessions.bob = await createPerson(host.address, ann, 'bob@example.com', ['own-articles']);
    sessions.ted = await createPerson(host.address, ann, 'ted@example.com', ['article-titles']);
    const headers = { ...fromPage(host.address, ann), 'content-type': 'image/png' };
    const sent = await send(host.address, '/media/images', { method: 'POST', headers, body: plainPng(30, 20) });
    const created = await post('/api/cms/items/article', { title: 'Tents', image: sent.json.data.url });
    tents = created.json.data.id;
  });
  afterEach(() => expect(tab().errors).toEqual([]));

  it('are seen before they are saved, and then in the form and in the list', async () => {
    const { page, go, open } = tab();
    await openAs('bob');
    await open('/content/article/new');
    await page.getByLabel('Title').fill('Stoves');
    const file = { name: 'stove.png', mimeType: 'image/png', buffer: plainPng(40, 20) };
    await page.locator('input[type=file]').setInputFiles(file);
    await untilDrawn(page, 'Preview of Image');

    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Stoves' }).waitFor();
    await untilDrawn(page, 'Preview of Image');
    await go('/content/article?columns=title,image');
    await untilDrawn(page, 'Image of Stoves');
    expect(await page.getByRole('img', { name: 'Image of' }).count()).toBe(1);
  });

  it('are asked for by no page where the field is hidden', async () => {
    const { page, go, open } = tab();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await openAs('ted');
    await open(`/content/article/${tents}`);
    await page.getByRole('heading', { level: 1, name: 'Tents' }).waitFor();
    for (const path of ['/', '/content/article']) await go(path);
    expect(asked.filter((path) => path.startsWith('/media/'))).toEqual([]);
    expect(asked).toContain(`/admin/content/article/${tents}`);
  });

  /** A page that is open while its session ends is refused what it reads. */
  async function leavePages(): Promise<void> {
    await tab().page.goto('about:blank');
  }

  async function openAs(name: keyof typeof sessions): Promise<void> {
    await leavePages();
    const context = tab().page.context();
    const [cookie = '', value = ''] = sessions[name].split('=');
    await context.clearCookies();
    await context.addCookies([{ name: cookie, value, url: host.address }]);
  }
});
