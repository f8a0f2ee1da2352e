import { createPluginFolders, type PluginFolders } from '../../../../test/support/plugin-folders';
import { reportOf, runRegistry, type RegistryRequest, type RegistryRun } from '../support/run-registry';

const start = `const { definePlugin, serviceToken } = require('@gantry/plugin-api');
const anchors = serviceToken('harbour.anchors');
/** Keeps what a call gives, or the error that it throws. */
const trace = (call) => {
  try { globalThis.traces.push(call()); } catch (error) { globalThis.traces.push([error.code ?? null, error.message].join(' ')); }
};
`;

describe('services between plugins', () => {
  let folders: PluginFolders;
  beforeEach(async () => {
    folders = await createPluginFolders();
  });
  afterEach(() => folders.remove());

  const add = (id: string, members: string, gantry: object = {}): Promise<string> =>
    folders.add(id, {
      gantry,
      files: { 'index.js': `${start}module.exports = definePlugin({ id: '${id}', ${members} });` },
    });
  const run = (request: Partial<RegistryRequest> = {}): Promise<RegistryRun> =>
    runRegistry({ sources: folders.sources, ...request });

  const harbour = `register({ services }) {
      class Anchors {
        #dropped = 0;
        drop(metres) { this.#dropped += metres; return this.#dropped; }
        async weigh() { throw new RangeError('it is stuck'); }
      }
      services.provide(anchors, () => { globalThis.traces.push('made'); return new Anchors(); });
    }`;
  const dependsOn = { dependsOn: { harbour: '^1.0.0' } };
  const optional = { optionalDependsOn: { harbour: '^1.0.0' } };

  it('gives each plugin the methods of the one object that another plugin provides', async () => {
    await add('harbour', harbour);
    const user = `register({ services }) { services.get(anchors); },
      async start({ services }) {
        const found = services.find(anchors);
        trace(() => found.drop(3));
        await found.weigh().catch((error) => globalThis.traces.push(error.name));
        trace(() => [Object.isFrozen(found), Object.keys(found)]);
      }`;
    await add('ketch', user, dependsOn);
    await add('sloop', user, dependsOn);

    const { traces } = await run();

    const methods = [true, ['drop', 'weigh']];
    expect(traces).toEqual(['made', 3, 'RangeError', methods, 6, 'RangeError', methods]);
  });

  it('answers a call before the provider has started with an error that names it', async () => {
    await add('harbour', harbour);
    await add(
      'ketch',
      `register({ services }) { const found = services.get(anchors); trace(() => found.drop(1)); }`,
      dependsOn,
    );

    const { traces } = await run();

    expect(traces.at(-1)).toMatch(/^UNAVAILABLE .* harbour\.anchors .* harbour has not started/);
  });

  it('serves calls in `stop` of those that depend on it, and none after its own', async () => {
    await add('harbour', harbour);
    await add(
      'ketch',
      `async start({ services }) { globalThis.found = services.get(anchors); },
       async stop() { trace(() => globalThis.found.drop(5)); }`,
      dependsOn,
    );
    // Is there before the harbour, so that it stops after it.
    await add('aground', `async stop() { trace(() => globalThis.found.drop(1)); }`);

    const { traces } = await run();

    expect(traces).toEqual([
      'made',
      5,
      expect.stringMatching(/^UNAVAILABLE .* harbour\.anchors .* harbour is stopped/),
    ]);
  });

  it('gives nothing of a plugin that is not installed, disabled or failed, and `get` says which it is', async () => {
    const user = `async start({ services }) { trace(() => services.find(anchors) ?? null); trace(() => services.get(anchors)); }`;
    await add('ketch', user, optional);
    const absent = await run();
    await add('harbour', `${harbour}, async start() { throw new Error('no water'); }`);
    const failed = await run();
    await folders.write(
      'home/plugins.json',
      JSON.stringify({ formatVersion: 1, plugins: { harbour: { enabled: false } } }),
    );
    const disabled = await run();

    const saying = (state: string) =>
      expect.stringMatching(new RegExp(`^UNAVAILABLE .* harbour\\.anchors .* harbour ${state}`));
    expect(absent.traces).toEqual([null, saying('is not installed')]);
    expect(failed.traces).toEqual([null, saying('has failed')]);
    expect(disabled.traces).toEqual([null, saying('is disabled')]);
  });

  it('says what a plugin provides when it does not provide the service', async () => {
    await add('harbour', harbour);
    const user = `async start({ services }) {
        const cranes = serviceToken('harbour.cranes');
        trace(() => services.find(cranes) ?? null);
        trace(() => services.get(cranes));
      }`;
    await add('ketch', user, dependsOn);

    expect((await run()).traces).toEqual([null, expect.stringMatching(/ harbour\.cranes\. .* harbour\.anchors\.$/)]);
  });

  it('refuses to resolve from a plugin that the manifest does not name, from itself, and by anything but a token', async () => {
    const members = `${harbour}, async start({ services }) { trace(() => services.get(anchors)); }`;
    await add('harbour', members);
    const user = `async start({ services }) {
        trace(() => services.get(anchors));
        trace(() => services.find(anchors));
        trace(() => services.get('harbour.anchors'));
        trace(() => serviceToken('anchors'));
      }`;
    await add('ketch', user);

    const undeclared = expect.stringMatching(/ ketch .* harbour\.anchors .* dependsOn or optionalDependsOn /);
    expect((await run()).traces).toEqual([
      expect.stringMatching(/ harbour .* harbour\.anchors itself/),
      undeclared,
      undeclared,
      expect.stringContaining('services.get(serviceToken(…))'),
      expect.stringContaining('got "anchors"'),
    ]);
  });

  it('reports services that are provided wrongly, twice or late', async () => {
    const members = `register({ services }) {
        globalThis.services = services;
        services.provide(anchors, { drop() {} });
        services.provide(anchors, { drop() {} });
        services.provide(serviceToken('marina.anchors'), { drop() {} });
        services.provide(serviceToken('harbour.depth'), { metres: 5 });
        services.provide(serviceToken('harbour.tide'), Promise.resolve({ rise() {} }));
        services.provide('harbour.cranes', { lift() {} });
      }`;
    await add('harbour', members);
    await add('ketch', `async start() { trace(() => globalThis.services.provide(anchors, { drop() {} })); }`);

    const result = await run();

    expect(reportOf(result, 'harbour').problems.map(({ code, reason }) => `${code} ${reason}`)).toEqual([
      expect.stringMatching(/^PROVIDED_SERVICE_INVALID .* harbour\.anchors .*twice/),
      expect.stringMatching(/^PROVIDED_SERVICE_INVALID .*"marina\.anchors" .*"harbour\.…"/),
      expect.stringMatching(/^PROVIDED_SERVICE_INVALID .* harbour\.depth .* methods/),
      expect.stringMatching(/^PROVIDED_SERVICE_INVALID .* harbour\.tide .* methods/),
      expect.stringMatching(/^PROVIDED_SERVICE_INVALID .* serviceToken\(…\)/),
    ]);
    expect(result.traces).toEqual([expect.stringContaining('register only')]);
  });

  it('names the service whose factory fails, in the plugin that resolves it', async () => {
    const provide = (factory: string): string => `register({ services }) { services.provide(anchors, ${factory}); }`;
    await add('harbour', provide(`() => { throw new RangeError('no iron'); }`));
    await add('ketch', `register({ services }) { services.get(anchors); }`, dependsOn);
    const thrown = await run();
    await add('harbour', provide('async () => ({ drop() {} })'));
    const promised = await run();

    expect([thrown, promised].map((result) => reportOf(result, 'ketch').problems.map(({ reason }) => reason))).toEqual([
      [expect.stringMatching(/ harbour\.anchors .*: RangeError: no iron/)],
      [expect.stringMatching(/ harbour\.anchors .* methods/)],
    ]);
  });

  it('runs a method as code of the plugin that provides it', async () => {
    await add('harbour', `register({ services }) { services.provide(anchors, { drop() { process.exit(1); } }); }`);
    await add('ketch', `async start({ services }) { trace(() => services.get(anchors).drop()); }`, dependsOn);

    const result = await run();

    // Not PLUGIN_EXITED of ketch: the attempt is the provider's.
    expect(result.traces).toEqual([expect.stringContaining('process.exit(1)')]);
    expect(reportOf(result, 'ketch').state).toBe('started');
  });
});
