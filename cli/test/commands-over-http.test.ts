import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCommands, type Run, type RunOptions } from './support/commands';
import { runGantry } from './support/gantry';
import { contentPlugins, useTestHost } from '../../test/support/platform';
import {
  createPerson,
  createUsers,
  sendAs,
  untilSignInIsRequired,
  useLink,
} from '../../test/e2e/sign-in/support/accounts';

describe('commands for a platform on another machine', () => {
  const host = useTestHost({ plugins: [...contentPlugins, 'plugins/field-kinds', 'test/e2e/admin/fixtures/rooms'] });
  const commands = openCommands();
  let folder = '';
  let ann = '';
  let token = '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-remote-'));
    const [secret = ''] = await createUsers(host.databaseUrl, ['ann@example.com']);
    await untilSignInIsRequired(host.address);
    ann = await useLink(host.address, secret);
    await sendAs(host.address, ann, 'POST', '/api/cms/items/catalog', { code: 'spring' });
    token = await tokenOf(ann);
  });
  afterAll(async () => {
    await commands.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('need a token', async () => {
    const { code, stderr } = await remote(['types', 'list']);

    expect([code, stderr]).toEqual([1, expect.stringContaining('gantry login')]);
  });

  it('get it from gantry login, which stores it for its owner only', async () => {
    const { code, stdout } = await gantry(
      ['login', host.address, '--token-file', '-'],
      { input: `${token}\n` },
      runGantry,
    );

    expect([code, stdout]).toEqual([0, expect.stringMatching(/ ann@example\.com \(administrator\)/)]);
    expect(stdout).not.toContain(token);
    expect(statSync(tokensFile()).mode & 0o777).toBe(0o600);
    await expect(remote(['types', 'list'])).resolves.toMatchObject({
      code: 0,
      stdout: expect.stringContaining('product'),
    });
  });

  it('import and export items', async () => {
    const file = join(folder, 'products.csv');
    writeFileSync(file, 'Kode,name,price,catalog\nP-1,Tent,10,spring\nP-2,Boat,20,spring\n');

    const imported = await remoteProcess(['items', 'import', 'product', file, '--map', 'Kode=code', '--match', 'code']);
    expect([imported.code, imported.stdout, imported.stderr]).toEqual([
      0,
      'Imported 2 items (2 new, 0 changed, 0 unchanged).\n',
      '',
    ]);
    const exported = await remoteProcess([
      'items',
      'export',
      'product',
      '--format',
      'csv',
      '--where',
      'price=MORE_THAN:15',
    ]);
    expect([exported.code, exported.stdout]).toEqual([0, expect.stringContaining('P-2')]);
    expect(exported.stdout).not.toContain('P-1');
    const target = join(folder, 'out.jsonl');
    await expect(remote(['items', 'export', 'product', target])).resolves.toMatchObject({ code: 0 });
    expect(readFileSync(target, 'utf8').trim().split('\n')).toHaveLength(2);
  });

  it('delete an item, and what refers to it once that is confirmed', async () => {
    const create = (type: string, values: object) =>
      sendAs(host.address, ann, 'POST', `/api/cms/items/${type}`, values);
    await create('building', { name: 'Tower' });
    await create('room', { name: 'R1', building: 1 });
    await create('tour', { name: 'City', buildings: [1] });

    const refused = await remote(['items', 'delete', 'building', '1']);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^gantry: .* Building 1 .* 1 Room .* 1 Tour\. .* confirm=room\.delete=1,tour\.update=1\.\n {2}room: 1 .*\n {2}tour: 1 .*\n$/,
      ),
    ]);
    const words = ['items', 'delete', 'building', '1', '--confirm', 'room.delete=1,tour.update=1'];
    await expect(remote(words)).resolves.toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Deleted building 1\. .*gantry items restore building 1\n$/),
    });
    await expect(remote(['items', 'delete', 'room', '1', '--json'])).resolves.toMatchObject({ code: 1 });
    await expect(remote(['items', 'restore', 'room', '1', '--check'])).resolves.toMatchObject({ code: 1 });
  });

  it('show what is wrong with a file, and write nothing', async () => {
    const report = join(folder, 'problems.jsonl');
    const input = '{"code":"P-3","name":"Oar","price":"much","catalog":"spring"}\n{"code":"P-4","colour":"red"}\n';
    const words = ['items', 'import', 'product', '-', '--format', 'jsonl', '--report', report];

    const { code, stderr } = await remote(words, { input });

    expect(code).toBe(1);
    expect(stderr).toContain('Line 1: price');
    expect(readFileSync(report, 'utf8')).toContain('"line":2');
    const { stdout } = await remote(['items', 'search', 'P-3']);
    expect(stdout).toBe('No results\n');
    const dry = await remote([...words, '--dry-run'], { input });
    expect([dry.code, dry.stderr]).toEqual([1, expect.stringContaining('dry run')]);
  });

  it('have the rights of the token', async () => {
    const reader = await createPerson(host.address, ann, 'rob@example.com', ['reader']);
    const environment = { GANTRY_TOKEN: await tokenOf(reader) };
    const file = join(folder, 'one.jsonl');
    writeFileSync(file, '{"code":"P-9","name":"Oar","price":1,"catalog":"spring"}\n');

    const refused = await remote(['items', 'import', 'product', file], { environment });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('no right to')]);
    const whole = join(folder, 'none.csv');
    const exported = await remote(['items', 'export', 'product', whole], { environment });
    expect([exported.code, exported.stderr]).toEqual([1, expect.stringContaining('no right to')]);
    expect(existsSync(whole)).toBe(false);
    await expect(remote(['plugins', 'list'], { environment })).resolves.toMatchObject({ code: 1 });
  });

  it('list users, roles and tokens, and export roles as an administrator', async () => {
    const role = { name: 'helper', permissions: ['users.manage'] };
    await sendAs(host.address, ann, 'POST', '/api/platform/roles', role);
    const helper = await createPerson(host.address, ann, 'helen@example.com', ['helper']);
    const environment = { GANTRY_TOKEN: await tokenOf(helper) };

    const users = await remoteProcess(['users', 'list']);
    expect([users.code, users.stdout]).toEqual([0, expect.stringMatching(/ann@example\.com .*administrator/)]);
    const roles = await remote(['roles', 'list'], { environment });
    expect([roles.code, roles.stdout]).toEqual([0, expect.stringContaining('helper')]);
    const tokens = await remote(['tokens', 'list'], { environment });
    expect([tokens.code, tokens.stdout]).toEqual([0, expect.stringMatching(/helen@example\.com/)]);
    const exported = await remote(['roles', 'export']);
    expect(JSON.parse(exported.stdout)).toMatchObject({ formatVersion: 1, roles: [role] });
    const refused = await remote(['roles', 'export'], { environment });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('administrator')]);
  });

  it('change users, roles and tokens with a token that was made for it', async () => {
    const environment = { GANTRY_TOKEN: await tokenOf(ann, { managesAccounts: true }) };
    const file = join(folder, 'roles.json');
    const role = { name: 'importer', grants: [{ on: { plugin: 'catalog' }, actions: ['read', 'import'] }] };
    writeFileSync(file, JSON.stringify({ formatVersion: 1, roles: [role] }));
    const run = async (...words: string[]) => {
      const { code, stdout, stderr } = await remote([...words, '--json'], { environment });
      expect([code, stderr]).toEqual([0, '']);
      return (JSON.parse(stdout) as { readonly data: unknown }).data;
    };

    await expect(run('roles', 'import', file)).resolves.toMatchObject([{ name: 'importer' }]);
    await expect(run('users', 'create', 'nightly', '--service', '--role', 'reader')).resolves.toMatchObject({
      user: { login: 'nightly', kind: 'service' },
    });
    await run('users', 'set-roles', 'nightly', '--role', 'importer');
    const made = await run('tokens', 'create', 'nightly', '--name', 'import', '--days', '1');
    expect(made).toMatchObject({ name: 'import', managesAccounts: false, token: expect.stringMatching(/^gty_/) });
    await run('tokens', 'revoke', (made as { readonly id: string }).id);
    await expect(run('users', 'delete', 'nightly')).resolves.toMatchObject({ login: 'nightly', roles: ['importer'] });
    const person = await remote(['users', 'create', 'paul@example.com', '--role', 'importer'], { environment });
    expect(person.stdout).toMatch(/ 15 minutes.*\n.*\/admin\/set-password#/);
    const paul = await useLink(host.address, /#(\S+)/.exec(person.stdout)?.[1] ?? '');
    const { id } = (await sendAs(host.address, paul, 'POST', '/api/platform/account/tokens', { name: 'mine' })).json
      .data;
    const reset = await remote(['users', 'reset', 'paul@example.com'], { environment });
    expect(reset.stdout).toMatch(
      new RegExp(`/admin/set-password#\\S+\n.*--revoke-tokens.*\n.*\n${id as string} +mine`),
    );
    await expect(run('users', 'reset', 'paul@example.com', '--revoke-tokens')).resolves.toMatchObject({
      user: { login: 'paul@example.com' },
      remaining: { tokens: [], webhooks: [] },
    });
  });

  it('show the history of items, restore them, and show the audit', async () => {
    const created = await sendAs(host.address, ann, 'POST', '/api/cms/items/catalog', {
      code: 'autumn',
      name: 'Autumn',
    });
    const id = String(created.json.data.id);
    await sendAs(host.address, ann, 'PATCH', `/api/cms/items/catalog/${id}`, { name: 'Fall' });

    const history = await remoteProcess(['items', 'history', 'catalog', id]);
    expect([history.code, history.stderr]).toEqual([0, '']);
    expect(history.stdout).toMatch(/^VERSION {2}AT .*\n2 .* \(user:\d+\) +updated +name\n1 .* created\n$/);
    const check = await remote(['items', 'restore', 'catalog', id, '--version', '1', '--check']);
    expect([check.code, check.stdout]).toEqual([0, 'Version 1:\n  name: "Fall" -> "Autumn"\n']);
    const restored = await remote(['items', 'restore', 'catalog', id, '--version', '1']);
    expect([restored.code, restored.stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(` version 1 of catalog ${id}, .* version 3 `)),
    ]);
    await sendAs(host.address, ann, 'DELETE', `/api/cms/items/catalog/${id}`);
    const deleted = await remote(['items', 'deleted', 'catalog', '--json']);
    expect(JSON.parse(deleted.stdout)).toMatchObject({ data: [{ id: Number(id), version: 3 }] });
    expect((await remote(['items', 'restore', 'catalog', id])).code).toBe(0);
    const changes = await remote(['audit', '--items', '--type', 'catalog', '--action', 'deleted']);
    expect(changes.stdout).toMatch(new RegExp(`^AT .*\\n.* deleted +catalog +${id} +3\\n$`));
    const events = await remote(['audit', '--action', 'token-created', '--json', '--limit', '1']);
    expect(JSON.parse(events.stdout)).toMatchObject({ data: [{ action: 'token-created' }] });
  });

  it('say what cannot be restored', async () => {
    const send = (method: string, path: string, body?: object) =>
      sendAs(host.address, ann, method, `/api/cms/items/category${path}`, body);
    const catalog = (await sendAs(host.address, ann, 'POST', '/api/cms/items/catalog', { code: 'winter' })).json.data
      .id;
    const parent = (await send('POST', '', { code: 'p', catalog })).json.data.id;
    const id = String((await send('POST', '', { code: 'c', name: 'Old', catalog, parent })).json.data.id);
    await send('PATCH', `/${id}`, { parent: null, name: 'New' });
    await send('DELETE', `/${parent}`);

    const words = ['items', 'restore', 'category', id, '--version', '1'];
    const check = await remote([...words, '--check']);
    expect([check.code, check.stderr]).toEqual([1, expect.stringContaining('parent: ')]);
    const refused = await remote(words);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('parent: ')]);
    expect((await remote([...words, '--without', 'parent'])).code).toBe(0);
    const other = (await send('POST', '', { code: 'q', catalog })).json.data.id;
    const values = JSON.stringify({ parent: other, name: 'Given' });
    expect((await remote([...words, '--values', values])).code).toBe(0);
    expect((await send('GET', `/${id}`)).json.data.values).toMatchObject({ name: 'Given', parent: { id: other } });
  });

  it.each([
    [['items', 'history', 'catalog', '999999'], /not found: 999999/],
    [['items', 'history', 'catalog', '1', '--limit', '0'], /--limit .* 1 to 1000/],
    [['items', 'restore', 'catalog', '1', '--version', 'x'], /--version .* from 1/],
    [['items', 'restore', 'catalog', '1', '--values', '["a"]'], /--values .* JSON object/],
    [['items', 'restore', 'catalog', '1', '--values', 'a=b'], /--values .* JSON object/],
    [['items', 'deleted', 'none'], /: none/],
    [['audit', '--from', 'yesterday'], /from: .* date/],
    [['audit', '--type', 'catalog'], /--type .*--items/],
  ])('refuse what is wrong: %j', async (words, named) => {
    const { code, stderr } = await remote(words);

    expect([code === 0, stderr]).toEqual([false, expect.stringMatching(named)]);
  });

  it.each([
    [['users', 'create', 'eve@example.com', '--role', 'reader'], /token.*--manages-accounts/],
    [['users', 'reset', 'ann@example.com'], /token.*--manages-accounts/],
    [['webhooks', 'create', 'Copy', 'https://example.com/'], /token.*--manages-accounts/],
    [['users', 'reset', 'ann@example.com', '--second-factor'], /without --url/],
    [['users', 'disable', 'nemo@example.com'], / no user nemo@example\.com/],
    [['tokens', 'revoke', 'x'], / token x\./],
    [['backup', 'x'], /has no option --url/],
    [['types', 'show', 'none'], / none on http:/],
    [['items', 'export', 'none'], /: none/],
  ])('are refused: %j', async (words, named) => {
    const { code, stderr } = await remote(words);

    expect([code === 0, stderr]).toEqual([false, expect.stringMatching(named)]);
  });

  it.each([
    ['http://cms.example.com', 'encrypted'],
    ['https://cms.example.com/admin', 'without a path'],
    ['https://ann:secret@cms.example.com', 'without a path'],
    ['cms.example.com', 'address of a platform'],
    ['ftp://cms.example.com', 'address of a platform'],
  ])('have no platform %s', async (url, message) => {
    for (const words of [
      ['login', url, '--token-file', '-'],
      ['types', 'list', '--url', url],
    ]) {
      const { code, stderr } = await gantry(words, { input: token });
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });

  it.each([
    ['hello', 'not an API token'],
    [`gty_${'a'.repeat(12)}_${'b'.repeat(49)}`, ''],
    ['', 'not an API token'],
  ])('do not store the token "%s"', async (given, message) => {
    const before = readFileSync(tokensFile(), 'utf8');
    const { code, stderr } = await gantry(['login', host.address, '--token-file', '-'], { input: given });

    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(readFileSync(tokensFile(), 'utf8')).toBe(before);
  });

  it('do not use a file that others can read, or that is damaged', async () => {
    const text = readFileSync(tokensFile(), 'utf8');
    chmodSync(tokensFile(), 0o644);
    expect((await remote(['types', 'list'])).stderr).toContain('Run: chmod 600');
    chmodSync(tokensFile(), 0o600);
    writeFileSync(tokensFile(), '{"formatVersion":1');
    expect((await remote(['types', 'list'])).stderr).toContain('is damaged');
    writeFileSync(tokensFile(), text);
  });

  it('have none after gantry logout', async () => {
    const { code, stdout } = await gantry(['logout', host.address]);

    expect([code, stdout]).toEqual([0, expect.stringContaining(`Removed the token ${token.slice(4, 16)}`)]);
    expect((await remote(['types', 'list'])).code).toBe(1);
    await expect(gantry(['logout', host.address])).resolves.toMatchObject({ code: 1 });
  });

  function gantry(words: readonly string[], options: RunOptions = {}, run = commands.run): Promise<Run> {
    const environment = { GANTRY_HOME: join(folder, 'home'), XDG_CONFIG_HOME: folder, ...options.environment };
    return run(words, { ...options, environment });
  }

  function remote(words: readonly string[], options: RunOptions = {}): Promise<Run> {
    return gantry([...words, '--url', host.address], options);
  }

  /** In a separate process. */
  function remoteProcess(words: readonly string[]): Promise<Run> {
    return gantry([...words, '--url', host.address], {}, runGantry);
  }

  function tokensFile(): string {
    return join(folder, 'gantry', 'tokens.json');
  }

  async function tokenOf(session: string, more: object = {}): Promise<string> {
    const body = { name: 'command line', expiresInDays: 2, ...more };
    return (await sendAs(host.address, session, 'POST', '/api/platform/account/tokens', body)).json.data.token;
  }
});
