import { writeFile } from 'node:fs/promises';
import { compiledRoutes, createOpenApiDocument, version } from '@gantry/host';
import { settingsOf, type CommandContext } from '../context/command-context';
import { platformAddress, readRoute } from '../context/running-platform';
import { reportUnusable, withPlugins } from '../context/with-content';

/** `gantry openapi`: the document itself, without an envelope. */
export async function writeOpenApi(context: CommandContext, file: string | undefined): Promise<number> {
  const text = `${JSON.stringify(await currentDocument(context), undefined, 2)}\n`;
  if (file === undefined || file === '-') {
    context.terminal.stdout.write(text);
    return 0;
  }
  await writeFile(file, text);
  context.terminal.print(`Wrote the OpenAPI document to ${file}.`);
  return 0;
}

/** The OpenAPI document of the platform that runs on the home or that --url names, else of its plugins. */
export async function currentDocument(context: CommandContext): Promise<unknown> {
  if (platformAddress(context) !== undefined) return readRoute('GET', '/api/openapi.json', {}, context);
  const config = settingsOf(context);
  return withPlugins(context, config, ({ types, registry }) => {
    reportUnusable(context, registry);
    const ofPlugins = registry.registeredPlugins().flatMap(({ routes }) => routes);
    return Promise.resolve(
      createOpenApiDocument({
        types: types.all.map(({ descriptor }) => descriptor),
        routes: [...compiledRoutes(), ...ofPlugins],
        version,
        bodyLimit: config.bodyLimit,
      }),
    );
  });
}
